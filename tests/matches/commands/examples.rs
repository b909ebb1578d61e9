//! The examples that need no package: the engine in Python passes every check, and the match and the tournament end with a
//! verdict and a table.

use std::process::Command;
use support::programs::{referee_path, root};
use support::scene::{Scene, built, words};
use support::tools::has;

/// The status and the output of a command at the root of the repository.
fn run(command: &mut Command) -> (Option<i32>, String) {
    let output = command.current_dir(root()).output().unwrap();
    let said = [output.stdout, output.stderr].map(|said| String::from_utf8(said).unwrap()).concat();
    (output.status.code(), said)
}

/// A script of the examples, with the programs under test.
fn example(name: &str) -> Command {
    let mut command = Command::new(root().join("examples").join(name));
    command.env("KROO", built("kroo", &["-p", "kroo", "--bin", "kroo"])).env("REFEREE", referee_path());
    command
}

#[test]
fn the_engine_passes_every_check() {
    if !has("python") {
        return;
    }
    let mut check = Command::new(referee_path());
    check.args(["check", "python3", "args=examples/engine.py"]);
    let (status, said) =
        run(check.args(words("startup=60 --games 1 --max-moves 40 --margin 20000 --answer-timeout 60000")));
    assert_eq!(status, Some(0), "{said}");
    for line in ["legality, oware", "legality, awari", "ponder", "Result: 0 faults in 22 checks"] {
        assert!(said.contains(line), "no `{line}`: {said}");
    }
}

#[test]
fn the_match_has_a_verdict() {
    if !has("python") {
        return;
    }
    let (status, said) = run(&mut example("match"));
    assert_eq!(status, Some(0), "{said}");
    assert!(said.contains("SPRT: 0 or 100 nElo, alpha 0.05, beta 0.05: accepted"), "{said}");
    assert!(!said.contains("Faults"), "{said}");
}

#[test]
fn the_tournament_has_a_table_and_is_resumed() {
    if !has("python") {
        return;
    }
    let scene = Scene::new();
    let folder = scene.path("tournament");
    let [first, second] = [0, 1].map(|_| {
        let (status, said) = run(example("tournament").arg(&folder));
        assert_eq!(status, Some(0), "{said}");
        let (_, table) = said.split_once("\nStandings ").expect("a table");
        // On a busy machine an engine may take long to exit, which is told after the table.
        let is_told = |line: &&str| !line.starts_with("referee: warning: ") || !line.contains("after `quit`");
        table.lines().filter(is_told).map(|line| format!("{line}\n")).collect::<String>()
    });
    assert_eq!(first, second);
    assert!(first.contains("Games: 60\n") && !first.contains("Faults"), "{first}");
    assert!(folder.join("report.html").exists() && folder.join("games.ogn").exists());
}
