//! The shape of the referee's source.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use support::source::rust_files;

/// The modules that each module may use.
const EDGES: &[(&str, &[&str])] = &[
    ("failure", &[]),
    ("engine", &[]),
    ("tuning", &["failure"]),
    ("schedule", &["failure", "tuning"]),
    ("statistics", &[]),
    ("game", &["engine", "schedule"]),
    ("plan", &["failure", "engine", "schedule", "game", "statistics", "tuning"]),
    ("ledger", &["failure", "engine", "game", "plan", "schedule", "statistics", "tuning"]),
    ("run", &["failure", "engine", "schedule", "game", "plan", "ledger", "tuning"]),
    ("queue", &["failure", "engine", "game", "plan", "ledger", "run", "schedule", "statistics"]),
    ("check", &["engine", "plan"]),
    ("output", &["failure", "game", "plan", "ledger", "run", "schedule", "statistics", "tuning"]),
    (
        "cli",
        &[
            "check",
            "engine",
            "failure",
            "game",
            "ledger",
            "output",
            "plan",
            "queue",
            "run",
            "schedule",
            "statistics",
            "tuning",
        ],
    ),
];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn imports_go_one_way() {
    let source = root().join("tournament/src");
    let allowed: BTreeMap<&str, &[&str]> = EDGES.iter().copied().collect();
    for path in rust_files(&source) {
        let inside = path.strip_prefix(&source).unwrap();
        let module = inside.iter().next().unwrap().to_string_lossy();
        let module = module.trim_end_matches(".rs");
        let Some(allowed) = allowed.get(module) else {
            assert!(["lib", "main"].contains(&module), "{module} is missing from EDGES");
            continue;
        };
        let text = fs::read_to_string(&path).unwrap();
        for rest in text.split("crate::").skip(1) {
            let used: String = rest.chars().take_while(|c| c.is_ascii_lowercase() || *c == '_').collect();
            assert!(used == module || allowed.contains(&used.as_str()), "{} uses {used}", inside.display());
        }
    }
}

#[test]
fn the_page_of_each_module_says_what_it_uses() {
    let source = root().join("tournament/src");
    for (module, allowed) in EDGES {
        let Ok(text) = fs::read_to_string(source.join(module).join("mod.rs")) else { continue };
        let page: String = text.lines().map_while(|line| line.strip_prefix("//!")).collect();
        let (_, uses) =
            page.split_once(" Uses: ").unwrap_or_else(|| panic!("{module} does not say what it uses"));
        let said: BTreeSet<&str> = uses.split_once('.').unwrap().0.split('`').skip(1).step_by(2).collect();
        let allowed: BTreeSet<&str> = allowed.iter().copied().collect();
        assert_eq!(said, allowed, "{module}");
    }
}

/// Games are read as texts, and written only from games that were played: no program of the referee edits a document.
#[test]
fn the_referee_edits_no_document() {
    let source = root().join("tournament/src");
    let writer = source.join("output/ogn.rs");
    for path in rust_files(&source).into_iter().filter(|path| *path != writer) {
        let text = fs::read_to_string(&path).unwrap();
        for edits in
            ["ogn::GameRecord", "FileText", ".set_tag(", ".play_as(", "ogn::parse", "ogn::open", "ogn::save"]
        {
            assert!(!text.contains(edits), "{} has {edits}", path.display());
        }
    }
    let text = fs::read_to_string(&writer).unwrap();
    assert!(text.contains("ogn::GameRecord::new(played.game.clone())") && !text.contains("Reader"));
}
