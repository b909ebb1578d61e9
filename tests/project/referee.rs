//! The shape of the referee's source.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use support::source::rust_files;

/// The modules that each module may use.
const EDGES: &[(&str, &[&str])] = &[
    ("failure", &[]),
    ("proc_fs", &[]),
    ("engine", &["proc_fs"]),
    ("tuning", &["failure"]),
    ("schedule", &["failure", "files", "tuning"]),
    ("statistics", &[]),
    ("game", &["engine", "schedule"]),
    ("plan", &["failure", "engine", "schedule", "game", "statistics", "tuning"]),
    ("record", &["failure", "engine", "files", "game", "plan", "schedule", "tuning"]),
    ("results", &["game", "plan", "record", "statistics"]),
    ("run", &["failure", "engine", "schedule", "game", "plan", "proc_fs", "record", "results", "tuning"]),
    (
        "queue",
        &[
            "failure",
            "engine",
            "game",
            "plan",
            "proc_fs",
            "record",
            "results",
            "run",
            "schedule",
            "statistics",
        ],
    ),
    ("check", &["failure", "arguments", "engine"]),
    ("accuracy", &["failure", "arguments", "engine", "game", "plan", "statistics"]),
    ("file_results", &["failure", "arguments", "files", "game", "output", "results", "statistics"]),
    (
        "output",
        &["failure", "files", "game", "plan", "record", "results", "run", "schedule", "statistics", "tuning"],
    ),
    ("signals", &["engine", "proc_fs"]),
    ("audit", &["failure", "merge", "output", "plan", "run", "results"]),
    ("commands", &[]),
    ("exit", &["results", "statistics"]),
    ("commit_test", &["arguments", "engine", "exit", "failure", "output", "plan", "statistics", "results"]),
    ("merge", &["failure", "record", "output", "plan", "run", "schedule", "results"]),
    (
        "arguments",
        &["failure", "engine", "files", "game", "plan", "queue", "schedule", "statistics", "tuning"],
    ),
    (
        "cli",
        &[
            "accuracy",
            "arguments",
            "audit",
            "check",
            "commit_test",
            "engine",
            "failure",
            "file_results",
            "merge",
            "queue",
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
