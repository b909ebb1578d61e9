//! The shape of the project: which module may use which, and that the pages name what there is.

use kroo::protocol::COMMANDS;
use kroo::protocol::options::OPTIONS;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// What each module of the engine may use. Nothing else: not even a comment leads round this list.
const EDGES: &[(&str, &[&str])] = &[
    ("game", &[]),
    ("value", &["game"]),
    ("evaluate", &["game", "value"]),
    ("level", &["game"]),
    ("roster", &["game"]),
    ("learn", &["game"]),
    ("endgame", &["game", "value"]),
    ("ogn", &["game"]),
    ("search", &["game", "value", "evaluate", "endgame", "level"]),
    ("book", &["game", "value", "search"]),
    ("play", &["game", "value", "level", "search", "roster", "players", "protocol", "ogn"]),
    ("players", &["game", "value", "level", "search", "roster", "learn"]),
    ("protocol", &["game", "value", "level", "roster"]),
    (
        "tools",
        &[
            "game", "value", "level", "endgame", "book", "search", "roster", "learn", "players", "play",
            "protocol", "tuning",
        ],
    ),
    ("arguments", &["protocol", "tools"]),
    ("tuning", &["game", "value", "evaluate", "search"]),
    (
        "session",
        &[
            "game", "value", "level", "endgame", "evaluate", "search", "book", "roster", "learn", "players",
            "protocol",
        ],
    ),
];

/// A file of more lines wants to be two.
const LONGEST_FILE: usize = 400;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The Rust files under a folder of the project.
fn rust_files(folder: &str) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut folders = vec![root().join(folder)];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                files.push(path);
            }
        }
    }
    files
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The module of the engine that a file belongs to: its folder or its own name under `src`.
fn module(path: &Path) -> String {
    let inside = path.strip_prefix(root().join("src")).expect("a file under src");
    let first = inside.iter().next().expect("a name").to_string_lossy();
    first.trim_end_matches(".rs").to_owned()
}

/// The modules that a text names after `crate::`, one by one or in braces.
fn used(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for rest in text.split("crate::").skip(1) {
        let names = match rest.strip_prefix('{') {
            Some(list) => list.split('}').next().expect("a list"),
            None => rest,
        };
        for name in names.split(',').take(if rest.starts_with('{') { usize::MAX } else { 1 }) {
            let name = name.trim();
            let end = name.find(|c: char| !c.is_ascii_lowercase() && c != '_').unwrap_or(name.len());
            found.push(name[..end].to_owned());
        }
    }
    found
}

#[test]
fn imports_go_one_way() {
    let allowed: BTreeMap<&str, &[&str]> = EDGES.iter().copied().collect();
    for path in rust_files("src") {
        let module = module(&path);
        if module == "lib" || module == "main" {
            continue;
        }
        let allowed = allowed.get(module.as_str()).unwrap_or_else(|| panic!("{module} has no list of edges"));
        for name in used(&read(&path)) {
            let fine = name == module || allowed.contains(&name.as_str());
            assert!(fine, "{} uses {name}, but {module} may only use {allowed:?}", path.display());
        }
    }
}

#[test]
fn the_reader_of_imports_reads_them() {
    let found =
        used("use crate::game::Pit;\nuse crate::{search, value::Score};\nlet x = crate::protocol::A;");
    assert_eq!(found, ["game", "search", "value", "protocol"]);
}

/// The referee trusts no engine about the rules: it has the engine's rules, grammar and game file, not its search.
#[test]
fn the_referee_knows_the_games_and_their_texts_only() {
    let evolution = |path: &PathBuf| path.iter().any(|part| part == "evolution" || part == "evolve.rs");
    for path in rust_files("tournament/src").into_iter().filter(|path| !evolution(path)) {
        for rest in read(&path).split("kroo::").skip(1) {
            let end = rest.find(|c: char| !c.is_ascii_lowercase()).unwrap_or(rest.len());
            let name = &rest[..end];
            // Where games begin is chosen by a search; it has no say in any game.
            let chooses = path.ends_with("opening_set.rs") && name == "search";
            let fine =
                chooses || ["endgame", "game", "ogn", "protocol"].contains(&name) || rest.starts_with('{');
            assert!(fine, "{} uses kroo::{name}", path.display());
        }
    }
}

#[test]
fn files_are_short() {
    for folder in ["src", "tournament/src", "tests/it"] {
        for path in rust_files(folder) {
            let lines = read(&path).lines().count();
            let naive = path.ends_with("naive.rs");
            assert!(naive || lines <= LONGEST_FILE, "{} has {lines} lines", path.display());
        }
    }
}

#[test]
fn every_command_and_option_is_on_the_page() {
    let page = read(&root().join("protocol.md"));
    for (usage, _) in COMMANDS {
        let word = usage.split(' ').next().expect("a word");
        assert!(page.contains(&format!("`{word}")), "protocol.md does not name the command {word}");
        for limit in usage.split(['[', ' ', ']']).filter(|word| word.chars().all(char::is_lowercase)) {
            assert!(limit.is_empty() || page.contains(limit), "protocol.md does not name {limit}");
        }
    }
    for spec in OPTIONS {
        assert!(page.contains(&format!("| `{}` |", spec.name)), "protocol.md does not name {}", spec.name);
    }
}

#[test]
fn the_first_page_has_the_two_commands_that_ci_runs() {
    let (readme, ci) = (read(&root().join("README.md")), read(&root().join(".ci/run")));
    for command in ["cargo build --release && target/release/referee", "cargo test"] {
        assert!(readme.contains(&format!("\n{command}\n")), "README.md lacks `{command}`");
        assert!(ci.contains(command), ".ci/run lacks `{command}`");
    }
}

#[test]
fn the_first_page_shows_the_clients_that_are_tested() {
    let readme = read(&root().join("README.md"));
    for (language, file) in [("python", "drive.py"), ("js", "drive.mjs")] {
        let client = read(&root().join("tests/clients").join(file));
        assert!(readme.contains(&format!("```{language}\n{client}```")), "README.md does not show {file}");
    }
}

#[test]
fn nothing_unfinished_is_left() {
    for folder in ["src", "tournament/src", "tests"] {
        for path in rust_files(folder) {
            let text = read(&path);
            for word in [concat!("TO", "DO"), concat!("FIX", "ME"), concat!("unimple", "mented!")] {
                assert!(!text.contains(word), "{} has a {word}", path.display());
            }
        }
    }
}
