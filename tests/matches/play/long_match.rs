//! The memory of a long match, with engines that answer at once. `tests/bench/speed.rs` measures what a move costs.

use std::fs;
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use support::programs::referee_path;
use support::scene::{Scene, built};

/// A match of two instant engines.
fn command(words: &[&str], options: &[&str]) -> Command {
    let engine = built("examples/instant", &["-p", "kroo-referee", "--example", "instant"]);
    let mut command = Command::new(referee_path());
    for name in ["name=a", "name=b"] {
        command.arg("--engine").arg(format!("cmd={}", engine.display())).args([name, "nodes=1"]).args(words);
    }
    command.args(options).stdin(Stdio::null()).stdout(Stdio::null());
    command
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
