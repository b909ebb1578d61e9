//! The structure of the project: allowed imports, documented items, and the completeness of protocol.md.

use kroo::protocol::COMMANDS;
use kroo::protocol::options::OPTIONS;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use support::source::{Crate, assert_imports_have_no_cycle, read, rust_files};

/// The modules of its own package that each module of the engine may use, comments included. Cargo enforces the edges between
/// packages.
const EDGES: &[(&str, &[&str])] = &[
    ("bench", &[]),
    ("build", &[]),
    ("cli", &["bench", "plan", "play", "progress", "review", "signals", "solve", "tuning", "web"]),
    ("descriptors", &[]),
    ("learn", &[]),
    ("plan", &["players"]),
    ("play", &["plan", "players", "review", "signals"]),
    ("players", &["learn"]),
    ("plot", &[]),
    ("progress", &[]),
    ("review", &[]),
    ("session", &["bench", "learn", "plan", "players", "review", "solve"]),
    ("signals", &[]),
    ("solve", &["plan"]),
    ("stdio", &[]),
    ("tuning", &["bench", "progress"]),
    ("web", &["signals"]),
];

/// The same in `src/core`.
const CORE_EDGES: &[(&str, &[&str])] = &[
    ("endgames", &["files", "game", "prefetch", "printable", "thread_pool", "time", "value"]),
    ("evaluate", &["files", "game", "value"]),
    ("files", &["printable"]),
    ("game", &["printable"]),
    ("prefetch", &[]),
    ("printable", &[]),
    ("search", &["endgames", "evaluate", "game", "prefetch", "time", "value"]),
    ("thread_pool", &[]),
    ("time", &[]),
    ("value", &["game"]),
];

/// The same of the modules of `src/core/endgames`: a search probes without any code that builds.
const ENDGAME_MODULES: &[(&str, &[&str])] = &[("building", &["probe"]), ("probe", &[])];

/// The same of the modules of `src/endgames`.
const ENDGAME_FILE_MODULES: &[(&str, &[&str])] = &[
    ("building", &["writer"]),
    ("check", &[]),
    ("mpi", &[]),
    ("pack", &["building", "writer"]),
    ("writer", &[]),
];

/// The modules that the library `kroo` re-exports from other packages, and a macro.
const PASSED_ON: &[&str] = &[
    "endgame_files",
    "endgames",
    "evaluate",
    "files",
    "game",
    "level",
    "ogn",
    "printable",
    "protocol",
    "roster",
    "search",
    "thread_pool",
    "time",
    "under",
    "value",
];

/// The macros of `src/core` that every module may use.
const CORE_MACROS: &[&str] = &["rule_sets", "under"];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The module of a file: the name of its folder or its own under the package's sources.
fn module(path: &Path, sources: &Path) -> String {
    let inside = path.strip_prefix(sources).expect("a file of the sources");
    let first = inside.iter().next().expect("a name").to_string_lossy();
    first.trim_end_matches(".rs").to_owned()
}

/// The modules in a text after a prefix, single or in braces.
fn used(text: &str, prefix: &str) -> Vec<String> {
    let mut found = Vec::new();
    for rest in text.split(prefix).skip(1) {
        let names = match rest.strip_prefix('{') {
            Some(list) => list.split('}').next().expect("a list"),
            None => rest,
        };
        for name in names.split(',').take(if rest.starts_with('{') { usize::MAX } else { 1 }) {
            let name = name.trim();
            let end = name.find(|c: char| !c.is_ascii_lowercase() && c != '_').unwrap_or(name.len());
            // A macro's argument is no name.
            if !name.starts_with('$') {
                found.push(name[..end].to_owned());
            }
        }
    }
    found
}

#[test]
fn imports_go_one_way() {
    assert_imports_go_one_way("src", "crate::", EDGES, PASSED_ON);
    assert_imports_go_one_way("src/core", "crate::", CORE_EDGES, CORE_MACROS);
    assert_imports_go_one_way("src/core/endgames", "crate::endgames::", ENDGAME_MODULES, &[]);
    assert_imports_go_one_way("src/endgames", "crate::", ENDGAME_FILE_MODULES, &[]);
}

fn assert_imports_go_one_way(sources: &str, prefix: &str, edges: &[(&str, &[&str])], always: &[&str]) {
    let edges: BTreeMap<&str, &[&str]> = edges.iter().copied().collect();
    for path in rust_files(&root().join(sources)) {
        let module = module(&path, &root().join(sources));
        if ["lib", "main", "mod"].contains(&module.as_str()) {
            continue;
        }
        let allowed = edges.get(module.as_str()).unwrap_or_else(|| panic!("{module} is missing from EDGES"));
        for name in used(&read(&path), prefix) {
            let fine = name == module || [*allowed, always].concat().contains(&name.as_str());
            assert!(fine, "{} uses {name}, but {module} may only use {allowed:?}", path.display());
        }
    }
}

#[test]
fn imports_are_found_in_a_text() {
    let found = used(
        "use crate::game::Pit;\nuse crate::{search, value::Score};\nlet x = crate::protocol::A;",
        "crate::",
    );
    assert_eq!(found, ["game", "search", "value", "protocol"]);
}

/// The referee uses the engine's rules, grammar and game files, and the page's board for its report, but not the search.
#[test]
fn the_referee_does_not_use_the_search() {
    for path in rust_files(&root().join("tournament/src")) {
        for rest in read(&path).split("kroo::").skip(1) {
            let end = rest.find(|c: char| !c.is_ascii_lowercase()).unwrap_or(rest.len());
            let name = &rest[..end];
            let known = [
                // It compares the machines of a queue.
                "bench",
                "cli",
                "endgames",
                "files",
                "game",
                "ogn",
                "plot",
                "printable",
                "progress",
                "protocol",
                "stdio",
                "web",
            ];
            let fine = known.contains(&name) || rest.starts_with('{');
            assert!(fine, "{} uses kroo::{name}", path.display());
        }
    }
}

/// Texts reach standard output through `printable`, so that nothing that they quote controls a terminal.
#[test]
fn standard_output_has_few_writers() {
    let writers = [
        // Escapes texts.
        "src/core/printable.rs",
        // Escapes lines; the session's are escaped by the session.
        "src/stdio.rs",
        // The board on a terminal has colours.
        "src/play/",
        // Whether there is a terminal, and a reader.
        "src/main.rs",
        "src/session/threads.rs",
        // For cargo.
        "src/build/main.rs",
        "src/endgames/mpi/build.rs",
    ];
    for package in packages().iter().filter(|package| !package.starts_with(root().join("tests"))) {
        for path in rust_files(&sources(package)) {
            let text = read(&path);
            let mut code = text.lines().map(str::trim).filter(|line| !line.starts_with("//"));
            let prints = code.any(|line| {
                ["io::stdout()", " println!(", " print!("]
                    .iter()
                    .any(|print| format!(" {line}").contains(print))
            });
            let place = path.strip_prefix(root()).expect("a file of the project").display().to_string();
            let known = writers.iter().any(|known| place.starts_with(known));
            assert!(!prints || known, "{place} prints: use `printable::to_stdout`");
        }
    }
}

/// The packages of the workspace, by their folders.
fn packages() -> Vec<PathBuf> {
    let workspace = read(&root().join("Cargo.toml"));
    let list = workspace.split("\nmembers = [").nth(1).and_then(|rest| rest.split(']').next());
    let members = list.expect("a list of packages").split(',').map(|member| member.trim().trim_matches('"'));
    members.map(|member| root().join(member)).collect()
}

/// The sources of a package.
fn sources(package: &Path) -> PathBuf {
    let sources = package.join("src");
    if sources.is_dir() { sources } else { package.to_owned() }
}

#[test]
fn imports_have_no_cycle() {
    let outside = |package: &&PathBuf| !package.starts_with(root().join("tests"));
    for sources in packages().iter().filter(outside).map(|package| sources(package)) {
        assert!(!rust_files(&sources).is_empty(), "{} has no sources", sources.display());
        assert_imports_have_no_cycle(&sources);
    }
}

#[test]
fn uses_and_cycles_are_found_in_a_small_crate() {
    let folder = tempfile::tempdir().expect("a folder");
    let files = [
        ("lib.rs", "mod a; mod b; pub mod c;"),
        ("a.rs", "//! crate::c::Unused\nuse crate::b::{self, Thing as It}; /* crate::c */ struct Mine;"),
        ("b.rs", "pub struct Thing; fn f() { let text = \"crate::c::X\"; super::c::deep(crate::a::Mine) }"),
        ("c/mod.rs", "mod d; mod e; pub use d::deep; use e::*; fn g() { e::h() }"),
        ("c/d.rs", "pub fn deep() {}\n#[cfg(test)]\nmod tests { use super::super::e::Large; }"),
        (
            "c/e.rs",
            "pub struct Large; mod inside { use super::super::d::deep; } fn h() { g!(crate::a::Mine) }",
        ),
    ];
    fs::create_dir(folder.path().join("c")).expect("a folder");
    for (name, text) in files {
        fs::write(folder.path().join(name), text).expect("a file");
    }
    let read = Crate::read(folder.path());
    let edges: Vec<String> = read.edges().iter().map(|(one, two)| format!("{one} {two}")).collect();
    let expected =
        ["a.rs b.rs", "b.rs a.rs", "b.rs c/d.rs", "c/e.rs a.rs", "c/e.rs c/d.rs", "c/mod.rs c/e.rs"];
    assert_eq!(edges, expected);
    // `b` uses `c` only, and `c/e.rs` closes the cycle.
    assert_eq!(read.cycles().into_iter().collect::<Vec<_>>(), [": a, b, c"]);
}

/// The libraries are built with `test = false`: a test in one would never run.
#[test]
fn sources_contain_no_tests() {
    for folder in ["src", "tournament"] {
        for path in rust_files(&root().join(folder)) {
            let text = read(&path);
            let mut attributes = text.lines().map(str::trim_start).filter(|line| line.starts_with("#["));
            let of_tests = attributes.find(|line| {
                let is_cfg = line.starts_with("#[cfg");
                *line == "#[test]"
                    || is_cfg && line.split(|c: char| !c.is_alphanumeric()).any(|word| word == "test")
            });
            assert_eq!(of_tests, None, "{}: move its tests to tests/", path.display());
        }
    }
}

/// The compiler checks the documentation of public items; this test checks that its lint is on in every package.
#[test]
fn every_package_warns_of_missing_documentation() {
    let workspace = read(&root().join("Cargo.toml"));
    assert!(
        workspace.contains("\nmissing_docs = \"warn\"\n"),
        "the workspace does not ask for documentation"
    );
    for package in packages() {
        let asks = read(&package.join("Cargo.toml")).contains("\n[lints]\nworkspace = true\n");
        assert!(asks, "{} does not take the lints of the workspace", package.display());
        // The referee is a program: its modules are public to its tests only.
        if package.starts_with(root().join("tests")) || package == root().join("tournament") {
            continue;
        }
        for path in rust_files(&sources(&package)) {
            assert!(!read(&path).contains("allow(missing_docs"), "{} hides what is missing", path.display());
        }
    }
}

#[test]
fn protocol_md_has_every_command_and_option() {
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
