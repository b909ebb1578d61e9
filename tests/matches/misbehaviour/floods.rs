//! An engine that writes without end is late when its time is up, whatever waits to be read, and harms no other game.

use std::time::{Duration, Instant};
use support::scene::{Report, Scene, words};

/// A referee that passes a deadline before each read needs about two seconds for any match here. One that reads on as long
/// as there is something to read needs minutes.
const SOON: Duration = Duration::from_secs(30);

/// An engine that speaks the protocol, in `sh`, and writes a line again and again instead of one answer.
fn flooding(scene: &Scene, at: &str, line: &str, words: &[&str]) -> Vec<String> {
    let usual = [("uci", "echo uciok"), ("isready", "echo readyok"), ("quit", "exit")];
    let answers: String = usual
        .iter()
        .filter(|(question, _)| *question != at)
        .map(|(question, answer)| format!("{question}) {answer};; "))
        .collect();
    let text = format!(
        "while read -r line; do case \"$line\" in '{at}'*) exec yes '{line}';; {answers}esac; done\n"
    );
    let script = scene.file(&format!("{at}.sh").replace(' ', "-"), &text);
    let mut all = vec!["--engine".to_owned(), "cmd=/bin/sh".to_owned(), format!("args={script}")];
    all.extend(words.iter().map(|&word| word.to_owned()));
    all
}

fn soon(run: impl FnOnce() -> Report) -> Report {
    let start = Instant::now();
    let report = run();
    assert!(start.elapsed() < SOON, "took {:?}: {}", start.elapsed(), report.stdout);
    report
}

fn assert_lost_by(report: &Report, name: &str, reason: &str, games: usize) {
    report.assert_played(games);
    for game in report.game_results() {
        assert_eq!([&game["fault"], &game["termination"]], [name, reason], "{game}");
    }
}

#[test]
fn an_engine_that_floods_at_go_is_late() {
    for line in ["", "info depth 1 score cp 12 nodes 1 pv A", "x"] {
        let scene = Scene::new();
        let flood = flooding(&scene, "go", line, &["name=flood", "st=0.1"]);
        let options = words("--rounds 1 --recover");
        let report = soon(|| scene.run(&[scene.engine("honest", &["st=10"]), flood, options]));
        let reason = if line == "x" { "garbage" } else { "no answer" };
        assert_lost_by(&report, "flood", reason, 2);
    }
}

#[test]
fn many_floods_at_once_are_late_too() {
    let scene = Scene::new();
    let line = "info depth 1 score cp 12 nodes 1 pv A";
    let flood = flooding(&scene, "go", line, &["name=flood", "st=0.1"]);
    let options = words("--rounds 4 --recover --concurrency 8");
    let report = soon(|| scene.run(&[scene.engine("honest", &["st=10"]), flood, options]));
    assert_eq!(report.finished(), 8, "{}", report.stdout);
    for game in report.game_results() {
        assert!(["no answer", "machine stall"].contains(&game["termination"].as_str().unwrap()), "{game}");
    }
}

#[test]
fn an_engine_that_floods_at_its_start_is_not_ready() {
    for at in ["uci", "isready"] {
        let scene = Scene::new();
        let flood = flooding(&scene, at, "id name flood", &["name=flood", "startup=0.3"]);
        let options = words("--rounds 1 --recover");
        let report = soon(|| scene.run(&[scene.engine("honest", &[]), flood, options]));
        assert_lost_by(&report, "flood", "failed to start", 2);
    }
}

/// The engine to move is silent. It is late, although its opponent writes all the time.
#[test]
fn a_flood_while_pondering_gives_the_opponent_no_time() {
    let scene = Scene::new();
    let flood = scene.engine("ponder-endless", &["st=10", "ponder=on", "startup=3"]);
    let silent = scene.engine("silent-at-go", &["st=0.2", "timemargin=100"]);
    let options = words("--rounds 1 --random-plies 0 --recover");
    let report = soon(|| scene.run(&[flood, silent, options]));
    assert_lost_by(&report, "silent-at-go", "no answer", 2);
}
