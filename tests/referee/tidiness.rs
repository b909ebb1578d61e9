//! The shape of the referee's source.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// What each module may use. Nothing else.
const EDGES: &[(&str, &[&str])] = &[
    ("engine", &[]),
    ("files", &[]),
    ("evolution", &["files"]),
    ("schedule", &[]),
    ("statistics", &[]),
    ("game", &["engine", "schedule"]),
    ("plan", &["engine", "schedule", "game", "statistics"]),
    ("tally", &["game", "plan", "statistics"]),
    ("journal", &["files", "game", "plan", "schedule"]),
    ("run", &["engine", "schedule", "game", "journal", "plan", "tally"]),
    ("gamefile", &["game"]),
    ("opening_set", &["files", "schedule"]),
    ("check", &["engine"]),
    ("stats", &["game", "gamefile", "output", "statistics"]),
    ("output", &["files", "game", "plan", "tally", "run", "schedule", "statistics"]),
    ("merge", &["journal", "output", "plan", "run", "schedule", "tally"]),
    (
        "arguments",
        &[
            "opening_set",
            "check",
            "engine",
            "files",
            "game",
            "gamefile",
            "merge",
            "plan",
            "schedule",
            "statistics",
            "stats",
        ],
    ),
];

/// A file of more lines wants to be two.
const LONGEST_FILE: usize = 400;

fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let (folders, files): (Vec<PathBuf>, Vec<PathBuf>) = entries.partition(|path| path.is_dir());
    let rust = files.into_iter().filter(|path| path.extension().is_some_and(|extension| extension == "rs"));
    rust.chain(folders.iter().flat_map(|folder| rust_files(folder))).collect()
}

#[test]
fn imports_go_one_way() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let allowed: BTreeMap<&str, &[&str]> = EDGES.iter().copied().collect();
    for path in rust_files(&source) {
        let inside = path.strip_prefix(&source).unwrap();
        let module = inside.iter().next().unwrap().to_string_lossy();
        let module = module.trim_end_matches(".rs");
        let Some(allowed) = allowed.get(module) else {
            assert!(["lib", "main", "evolve"].contains(&module), "{module} has no list of edges");
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
fn no_file_is_too_long() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for folder in ["src", "../tests/referee", "../tests/engines"] {
        for path in rust_files(&root.join(folder)) {
            let lines = fs::read_to_string(&path).unwrap().lines().count();
            assert!(lines <= LONGEST_FILE, "{}: {lines} lines", path.display());
        }
    }
}
