//! The small clients in other languages, which a stranger would copy: what they play is a legal game.

use kroo::game::{Game, Position, Variant};
use std::fs;
use std::path::Path;
use std::process::Command;
use support::client::{moves, result};
use support::programs::kroo_path;
use support::python::python_with_package;
use support::tools::has;

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

#[test]
fn python_package() {
    let Some(mut command) = python_with_package() else { return };
    if has("openspiel") {
        // What needs it is then not skipped.
        command.env("KROO_OPENSPIEL", "1");
    }
    command.env("KROO", kroo_path()).args(["-W", "error", "-m", "unittest", "discover", "-s", "tests"]);
    let output = command.output().expect("it runs");
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

/// A replay of Kaggle's Game Arena, and one that cannot be played.
#[test]
fn python_grades_a_replay() {
    let folder = tempfile::tempdir().expect("a folder");
    let replay = folder.path().join("replay.json");
    let [played, wrong] = ["[3, 6, 9, 12, 1, 10, 2, 9]", "[3, 7]"].map(|actions| {
        format!("{{\"info\": {{\"actionHistory\": {actions}, \"TeamNames\": [\"Ama\", \"Kofi\"]}}}}")
    });
    let grade = |text: &str| {
        fs::write(&replay, text).expect("it is written");
        let mut command = python_with_package()?;
        command.args(["-W", "error", "../../examples/grade.py", "--engine", kroo_path(), "--nodes", "2000"]);
        let output = command.arg(&replay).output().expect("it runs");
        Some((
            output.status.success(),
            String::from_utf8([output.stdout, output.stderr].concat()).expect("text"),
        ))
    };
    let Some((well, said)) = grade(&played) else { return };
    let lines: Vec<&str> = said.lines().collect();
    assert!(well && lines.len() == 3 && lines[0].ends_with("*, 8 moves"), "{said}");
    for (line, name) in lines[1..].iter().zip(["South, Ama", "North, Kofi"]) {
        let rest =
            line.trim().strip_prefix(name).and_then(|rest| rest.strip_prefix(": ")).expect("the player");
        let (lost, rest) = rest.split_once(' ').expect("a mean");
        let lost: f64 = lost.parse().expect("a number");
        assert!((0.0..10.0).contains(&lost) && rest.starts_with("seeds lost a move in "), "{said}");
    }
    let (well, said) = grade(&wrong).expect("Python is here");
    assert!(
        !well && said.contains("action number 2: action 7 is not legal") && said.lines().count() == 1,
        "{said}"
    );
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
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples").join(script);
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
