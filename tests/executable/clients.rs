//! The small clients in other languages, which a stranger would copy: what they play is a legal game.

use kroo::game::{Game, Position, Variant};
use std::path::Path;
use std::process::Command;
use std::sync::OnceLock;
use std::{env, fs};
use support::client::{moves, result};
use support::programs::kroo_path;
use support::tools::has;
use tempfile::TempDir;

/// Plies after which the clients stop.
const PLIES: usize = 60;

#[test]
fn python() {
    plays_in_every_variant("python3", "drive.py");
}

#[test]
fn node() {
    plays_in_every_variant("node", "drive.mjs");
}

/// Python with the package in reach and its caches out of the tree; none if there is no Python. On Linux the package has its
/// compiled module; elsewhere linking it needs maturin, and the tests of the wheel are the ones that use it.
fn python_with_package() -> Option<Command> {
    static PACKAGE: OnceLock<TempDir> = OnceLock::new();
    if !has("python") {
        return None;
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("clients/python");
    let mut command = Command::new("python3");
    command.env("PYTHONDONTWRITEBYTECODE", "1").env("KROO", kroo_path()).current_dir(&folder);
    if cfg!(target_os = "linux") {
        let package = PACKAGE.get_or_init(|| compiled_package(&folder));
        command.env("PYTHONPATH", package.path()).env("KROO_WHEEL", "1");
    } else {
        command.env("PYTHONPATH", folder.join("src"));
    }
    Some(command)
}

/// A folder with the package and its compiled module.
fn compiled_package(folder: &Path) -> TempDir {
    let own = env::current_exe().expect("a path");
    let target = own.ancestors().nth(3).expect("target/debug/deps");
    let mut cargo = Command::new(env::var_os("CARGO").expect("the tests are run by cargo"));
    cargo.args(["build", "--locked", "--package", "kroo-python", "--target-dir"]).arg(target);
    let output = cargo.current_dir(folder).output().expect("it starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let package = tempfile::tempdir().expect("a folder");
    let place = package.path().join("kroo");
    fs::create_dir(&place).expect("a folder");
    for file in fs::read_dir(folder.join("src/kroo")).expect("a folder") {
        let file = file.expect("an entry").path();
        let name = file.file_name().expect("a name").to_string_lossy().into_owned();
        if file.is_file() && !name.starts_with("_rules.") || name == "_rules.pyi" {
            fs::copy(&file, place.join(name)).expect("a copy");
        }
    }
    fs::copy(target.join("debug/lib_rules.so"), place.join("_rules.abi3.so")).expect("a copy");
    package
}

#[test]
fn python_package() {
    let Some(mut command) = python_with_package() else { return };
    let output =
        command.args(["-W", "error", "-m", "unittest", "discover", "-s", "tests"]).output().expect("it runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// The examples of README.md and of the package's own page, with the executable of the tests.
#[test]
fn python_examples() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for page in ["README.md", "clients/python/README.md"] {
        let text = fs::read_to_string(root.join(page)).expect("a page");
        let example = text.split("```python\n").nth(1).and_then(|rest| rest.split("```").next());
        let example = example.expect("an example").replace("target/release/kroo", kroo_path());
        let Some(mut command) = python_with_package() else { return };
        let output = command.args(["-c", &example]).output().expect("it runs");
        let printed = String::from_utf8(output.stdout).expect("text");
        assert!(output.status.success(), "{page}: {}", String::from_utf8_lossy(&output.stderr));
        assert!(printed.trim().starts_with(|c: char| c.is_ascii_uppercase()), "{page}: {printed}");
    }
}

/// The examples of the reference, in their order, are one program.
#[test]
fn python_reference() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("clients/python/reference.md");
    let text = fs::read_to_string(page).expect("a page");
    let examples = text.split("```python\n").skip(1).filter_map(|rest| rest.split("```").next());
    let program = examples.collect::<String>().replace("target/release/kroo", kroo_path());
    let Some(mut command) = python_with_package() else { return };
    let output = command.args(["-W", "error", "-c", &program]).output().expect("it runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

fn plays_in_every_variant(interpreter: &str, script: &str) {
    if !has(interpreter.trim_end_matches('3')) {
        return;
    }
    for &variant in Variant::ALL {
        check(interpreter, script, variant);
    }
    let output = run(interpreter, script, "chess");
    assert!(!output.0, "a variant that the engine does not know: {}", output.1);
}

/// Whether the client ended well, and what it printed.
fn run(interpreter: &str, script: &str, variant: &str) -> (bool, String) {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/clients").join(script);
    let output = Command::new(interpreter)
        .arg(script)
        .args([kroo_path(), "--variant", variant])
        .output()
        .expect("it starts");
    let printed = [output.stdout, output.stderr].concat();
    (output.status.success(), String::from_utf8(printed).expect("text"))
}

fn check(interpreter: &str, script: &str, variant: Variant) {
    let (well, printed) = run(interpreter, script, variant.name());
    assert!(well, "{script} {variant}: {printed}");
    let lines: Vec<&str> = printed.lines().collect();
    let [list, fen, last] = lines[..] else { panic!("{script} {variant}: {printed}") };
    let mut game = Game::new(Position::start(variant));
    for mv in moves(list) {
        game.play(mv).unwrap_or_else(|error| panic!("{script} {variant}: {list}: {mv}: {error}"));
    }
    let plies = game.moves().len();
    assert!(plies == PLIES || plies < PLIES && game.position().verdict().is_some(), "{variant}: {printed}");
    assert_eq!(fen, format!("Fen: {}", game.position()), "{script} {variant}");
    assert_eq!(last, format!("Result: {}", result(game.position())), "{script} {variant}");
}
