//! What the referee itself costs, with engines that answer at once. `tests/bench/speed.rs` measures it; here are bounds
//! that a busy machine and a build for tests keep, too.

use crate::harness::{REFEREE, Scene, built};
use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
use std::fs;
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// A match of two instant engines.
fn command(words: &[&str], options: &[&str]) -> Command {
    let engine = built("examples/instant", &["-p", "tournament", "--example", "instant"]);
    let mut command = Command::new(REFEREE);
    for name in ["name=a", "name=b"] {
        command.arg("--engine").arg(format!("cmd={}", engine.display())).args([name, "nodes=1"]).args(words);
    }
    command.args(options).stdin(Stdio::null()).stdout(Stdio::null());
    command
}

/// How long a run takes.
fn run(words: &[&str], options: &[&str]) -> Duration {
    let start = Instant::now();
    assert!(command(words, options).status().unwrap().success());
    start.elapsed()
}

/// The quickest of some runs.
fn quickest(words: &[&str], options: &[&str]) -> Duration {
    (0..20).map(|_| run(words, options)).min().unwrap()
}

#[test]
fn a_match_of_four_games_is_over_at_once() {
    // Some 20 to 50 ms (the bench `speed` measures it): what this notices is a second that is waited for in vain. Other
    // programs can hold up any run, but not every one.
    let limit = Duration::from_millis(500);
    assert!((0..300).any(|_| run(&[], &["--rounds", "2"]) < limit));
}

#[test]
fn an_engine_is_started_again_at_once() {
    let options = ["--rounds", "10", "--max-moves", "6"];
    let (kept, restarted) = (quickest(&[], &options), quickest(&["restart=on"], &options));
    // Twenty games, two engines each. A start takes some 5 to 15 ms.
    let each = restarted.saturating_sub(kept) / 38;
    assert!(each < Duration::from_millis(100), "{each:?}");
}

#[test]
fn memory_does_not_grow_with_the_games() {
    const GAMES: usize = 8_000;
    let scene = Scene::new();
    let path = |name: &str| scene.path(name).to_string_lossy().into_owned();
    let (games, json, html) = (path("games.ogn"), path("games.json"), path("games.html"));
    let rounds = (GAMES / 2).to_string();
    let mut options = vec!["--rounds", &rounds, "--max-moves", "6", "--concurrency", "2"];
    options.extend(["--games-out", &games, "--json", &json, "--html", &html]);
    let mut process = command(&[], &options).stdout(Stdio::piped()).spawn().unwrap();
    let lines = BufReader::new(process.stdout.take().unwrap()).lines().map_while(Result::ok);
    let finished = lines.filter(|line| line.starts_with("Finished game "));
    let mut resident = Vec::new();
    for (number, _) in finished.enumerate() {
        if number % 1_000 == 999 {
            let status = fs::read_to_string(format!("/proc/{}/status", process.id())).unwrap();
            let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
            resident.extend(line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok()));
        }
    }
    assert!(process.wait().unwrap().success());
    // The last may have been asked for when the process was gone already.
    assert!(resident.len() >= GAMES / 1_000 - 1, "{resident:?}");
    // A kilobyte for each game would be 5,000 of them.
    assert!(resident[6] <= resident[1] + 1_500, "{resident:?} KiB");
}

#[test]
fn a_move_costs_the_referee_little() {
    let scene = Scene::new();
    let json = scene.path("games.json");
    assert!(command(&[], &["--rounds", "60", "--json", &json.to_string_lossy()]).status().unwrap().success());
    let document: serde_json::Value = serde_json::from_str(&fs::read_to_string(json).unwrap()).unwrap();
    let engines = document["result"]["engines"].as_array().unwrap();
    let moves: f64 = engines.iter().map(|engine| engine["moves"].as_f64().unwrap()).sum();
    assert!(moves > 5_000.0, "{moves}");
    let used = || {
        let mut process = command(&[], &["--rounds", "60"]).spawn().unwrap();
        waitid(WaitId::Pid(Pid::from_child(&process)), WaitIdOptions::EXITED | WaitIdOptions::NOWAIT)
            .unwrap();
        // Dead but not reaped, it can still be asked what it has used: ticks of a hundredth of a second.
        let text = fs::read_to_string(format!("/proc/{}/stat", process.id())).unwrap();
        assert!(process.wait().unwrap().success());
        let fields: Vec<&str> = text.rsplit(") ").next().unwrap().split(' ').collect();
        [11, 12].map(|field| fields[field].parse::<f64>().unwrap()).iter().sum::<f64>() / 100.0
    };
    let least = (0..5).map(|_| used()).fold(f64::INFINITY, f64::min);
    let each = 1e6 * least / moves;
    assert!(each < 25.0, "{each:.1} us a move of the referee's own processor time");
}
