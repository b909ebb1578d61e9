//! The examples for bots that read a board and print a pit, with the Python package: a match of two bots, Kroo as a bot, and
//! bots that answer nonsense.

use std::os::unix::fs::symlink;
use std::process::Command;
use support::programs::{referee_path, root, script};
use support::python::python_with_package;
use support::scene::{Scene, built};

/// The variables of Python with the package; none if there is no Python.
fn python() -> Option<Vec<(String, String)>> {
    let command = python_with_package()?;
    let all = command.get_envs().filter_map(|(name, value)| Some((name, value?)));
    Some(
        all.map(|(name, value)| [name, value].map(|text| text.to_str().unwrap().to_owned()).into()).collect(),
    )
}

/// Words for an engine that is a bot, patiently awaited.
fn bot(name: &str, form: &str, words: &str) -> Vec<String> {
    let adapter = root().join("examples/adapters/pits.py");
    let words = format!("args={} --patience 3600 {form} {words}", adapter.display());
    ["--engine", "cmd=python3", &words, &format!("name={name}"), "env.PYTHONPATH="]
        .map(str::to_owned)
        .to_vec()
}

fn sample(name: &str) -> String {
    format!("python3 {}", root().join("examples/adapters/bots").join(name).display())
}

#[test]
fn a_match_of_two_sample_bots_is_decided() {
    let Some(variables) = python() else { return };
    // Paths count from the user's folder.
    let folder = tempfile::tempdir().unwrap();
    symlink(referee_path(), folder.path().join("referee")).unwrap();
    let mut command = Command::new(root().join("examples/adapters/match"));
    command.current_dir(folder.path()).envs(variables).env("REFEREE", "./referee").env("PATIENCE", "3600");
    let output = command.args(["--concurrency", "2"]).output().unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(0), "{said}{}", String::from_utf8_lossy(&output.stderr));
    assert!(said.contains("SPRT: 0 or 100 nElo, alpha 0.05, beta 0.05: accepted"), "{said}");
    assert!(said.contains("Ended: by the rules "), "{said}");
}

/// In each format Kroo wins as a bot, also without the stores that one of them leaves out.
#[test]
fn kroo_plays_as_a_bot() {
    let Some(variables) = python() else { return };
    let scene = Scene::new();
    let kroo = built("kroo", &["-p", "kroo", "--bin", "kroo"]).display().to_string();
    let adapter = root().join("examples/adapters/pits.py").display().to_string();
    for (form, variant) in [("codingame", "oware"), ("fourteen", "kalah"), ("fourteen-fixed", "kalah")] {
        let words = format!("python3 {adapter} --patience 0.05 --kroo {kroo} {form}");
        let opponent = ["--engine", &format!("cmd={kroo}"), "name=random", "option.Player=random", "nodes=1"];
        let mut command = scene.command(&[
            bot("bot", form, &words),
            opponent.map(str::to_owned).to_vec(),
            ["--each", "st=3600", "--variant", variant, "--rounds", "2"].map(str::to_owned).to_vec(),
        ]);
        let report = scene.report(command.envs(variables.clone()).output().unwrap());
        assert_eq!(report.status, 0, "{form}: {}{}", report.stdout, report.stderr);
        assert!(report.stdout.contains("Wins: 4, Losses: 0, Draws: 0"), "{form}: {}", report.stdout);
        assert!(report.stdout.contains("Ended: by the rules 4"), "{form}: {}", report.stdout);
    }
}

#[test]
fn kroo_as_a_bot_says_what_is_wrong_with_a_board() {
    let Some(variables) = python() else { return };
    let scene = Scene::new();
    let kroo = built("kroo", &["-p", "kroo", "--bin", "kroo"]).display().to_string();
    for (path, board, error) in [
        (&*kroo, "1 2 3", "1 2 3: a board is 12 numbers, not 3"),
        (&kroo, "4 4 4 4 4 x 4 4 4 4 4 4", "invalid literal for int() with base 10: 'x'"),
        (&kroo, "9 4 4 4 4 4 4 4 4 4 4 4", "field 14 (North's store)"),
        (&kroo, "0 0 0 0 0 0 0 0 0 0 0 0", "the game is over"),
        ("missing", "4 4 4 4 4 4 4 4 4 4 4 4", "missing: [Errno 2] No such file"),
    ] {
        let input = scene.path("board");
        std::fs::write(&input, format!("{board}\n")).unwrap();
        let mut command = Command::new("python3");
        command.arg(root().join("examples/adapters/pits.py")).args(["--kroo", path, "codingame"]);
        let output =
            command.envs(variables.clone()).stdin(std::fs::File::open(&input).unwrap()).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(said.contains(error) && !said.contains("Traceback"), "{board}: {said}");
        assert!(output.status.code() == Some(1) && output.stdout.is_empty(), "{board}");
    }
}

/// Each loses its games by the rules of the referee, and the reason is on record.
#[test]
fn nonsense_loses_the_game() {
    let Some(variables) = python() else { return };
    let scene = Scene::new();
    let folder = scene.path("bots");
    std::fs::create_dir(&folder).unwrap();
    for (name, answer, end, reason) in [
        ("words", "echo sow the first", "no move", "which is no pit"),
        ("outside", "echo 6", "no move", "which is no pit"),
        ("negative", "echo -1", "no move", "which is no pit"),
        ("nothing", "echo", "no move", "which is no pit"),
        ("ended", "exit 3", "crash", "the bot has ended"),
        ("late", "sleep 60", "time forfeit", "the bot is late"),
    ] {
        let file = script(folder.join(name), &format!("#!/bin/sh\nwhile read -r board; do {answer}; done\n"));
        refused(&scene, &variables, &file, end, reason);
    }
    let missing = folder.join("missing").display().to_string();
    refused(&scene, &variables, &missing, "crash", "the bot does not start");
    // Its first house is empty after the first turn.
    let file = script(folder.join("empty"), "#!/bin/sh\nwhile read -r board; do echo 0; done\n");
    refused(&scene, &variables, &file, "illegal move", "bestmove");
}

/// A bot that loses its games, with an end and a reason.
fn refused(scene: &Scene, variables: &[(String, String)], bot_path: &str, end: &str, reason: &str) {
    let log = scene.path("said.log");
    let mut bad = bot("bad", "codingame", bot_path);
    if end == "time forfeit" {
        bad = bad.iter().map(|word| word.replace("--patience 3600", "--patience 1")).collect();
        bad.push("st=2".to_owned());
    }
    let mut command = scene.command(&[
        bad,
        bot("good", "codingame", &sample("feeding.py")),
        ["--each", "st=3600", "--variant", "oware", "--rounds", "1", "--random-plies", "0", "--recover"]
            .map(str::to_owned)
            .to_vec(),
    ]);
    command.envs(variables.iter().cloned()).arg("--log").arg(&log);
    let report = scene.report(command.output().unwrap());
    assert_eq!(report.status, 0, "{bot_path}: {}{}", report.stdout, report.stderr);
    assert!(report.stdout.contains(&format!("Faults: bad {end} 2")), "{bot_path}: {}", report.stdout);
    assert!(report.stdout.contains("Wins: 0, Losses: 2, Draws: 0"), "{bot_path}: {}", report.stdout);
    let said = std::fs::read_to_string(&log).unwrap();
    assert!(said.contains(reason) && !said.contains("Traceback"), "{bot_path}: {said}");
}
