//! The cost of a move in a match of engines that answer at once, compared with a bare loop that sends the same lines to the
//! same engine: `cargo bench -p bench --bench speed`.
//!
//! Wall time is the median of several runs, alternating with the bare loop, because other programs disturb it. The referee's
//! own processor time is the system's count.

#![expect(clippy::print_stdout, reason = "a bench prints its table")]

use bench::program;
use kroo::game::{Game, Position, Variant};
use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
use std::fs;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::LazyLock;
use std::time::{Duration, Instant};

/// Limits of a move in microseconds: wall time, and the referee's processor time.
const MOST_WALL: f64 = 20.0;
const MOST_PROCESSOR: f64 = 10.0;
/// Runs of each kind.
const RUNS: usize = 9;
/// Games in a run of the referee at each concurrency.
const ROUNDS: u64 = 100;
/// Games in a run of the bare loop.
const GAMES: usize = 100;

fn main() {
    let engine = program("kroo-referee", "--example", "instant");
    println!("{:<52}{:>12}{:>16}{:>14}", "", "wall a move", "referee's CPU", "games a s");
    let lines = lines_of_a_game();
    let moves = moves_of_a_run(&engine);
    let limits = [
        ("nodes=1", "on", 1),
        ("nodes=1", "on", 2),
        ("nodes=1", "off", 1),
        ("nodes=1", "off", 2),
        ("st=1", "off", 1),
        ("tc=60+1", "off", 1),
    ];
    let (mut bare, mut played) = (Vec::new(), vec![Vec::new(); limits.len()]);
    for _ in 0..RUNS {
        bare.push(bare_loop(&engine, &lines));
        for (limit, runs) in limits.iter().zip(&mut played) {
            let options = ["--rounds", &ROUNDS.to_string(), "--affinity", limit.1];
            runs.push(referee(&engine, &[limit.0], &options, limit.2));
        }
    }
    let asked = (GAMES * lines.len()) as f64;
    println!("{:<52}{:>9.1} us", "bare loop, one engine", micros(median(&mut bare)) / asked);
    println!("{:<52}{MOST_WALL:>9.1} us{MOST_PROCESSOR:>13.1} us", "asked for, at concurrency 1: at most");
    let mut kept = true;
    for ((limit, affinity, concurrency), runs) in limits.iter().zip(&mut played) {
        let (mut walls, mut processor): (Vec<_>, Vec<_>) = runs.iter().copied().unzip();
        let wall = median(&mut walls);
        let (each, own) = (micros(wall) / moves, micros(median(&mut processor)) / moves);
        let is_default = *affinity == "on" || *limit != "nodes=1";
        let default = if is_default { " (default)" } else { "" };
        println!(
            "{:<52}{each:>9.1} us{own:>13.1} us{:>14.0}",
            format!("{limit}, concurrency {concurrency}, affinity {affinity}{default}"),
            2.0 * ROUNDS as f64 / wall.as_secs_f64()
        );
        kept &= *affinity != "on" || each <= MOST_WALL && own <= MOST_PROCESSOR;
    }
    println!("the default is {} what is asked for", if kept { "within" } else { "NOT within" });
    let mut few: Vec<_> =
        (0..RUNS).map(|_| referee(&engine, &["nodes=1"], &["--rounds", "2"], 1).0).collect();
    println!("a match of four games, from start to exit: {:.1} ms", micros(median(&mut few)) / 1e3);
    restarts(&engine);
}

/// Measures restarts of an engine for each game, and the engine's own start and end.
fn restarts(engine: &Path) {
    let games = ["--rounds", "50", "--max-moves", "6"];
    let run = |words: &[&str]| {
        let mut runs: Vec<_> = (0..RUNS).map(|_| referee(engine, words, &games, 1).0).collect();
        micros(median(&mut runs))
    };
    let (kept, restarted) = (run(&["nodes=1"]), run(&["nodes=1", "restart=on"]));
    let mut alone: Vec<_> = (0..200)
        .map(|_| {
            let start = Instant::now();
            let mut process = start_engine(engine);
            let mut output = process.stdout.take().expect("piped");
            process.stdin.take().expect("piped").write_all(b"uci\nisready\nquit\n").expect("it reads");
            output.read_to_end(&mut Vec::new()).expect("it writes");
            process.wait().expect("it ends");
            start.elapsed()
        })
        .collect();
    println!(
        "a restart: {:.2} ms, of which the engine's own start and end {:.2} ms",
        (restarted - kept) / 200.0 / 1e3,
        micros(median(&mut alone)) / 1e3
    );
}

fn micros(time: Duration) -> f64 {
    time.as_secs_f64() * 1e6
}

fn median(times: &mut [Duration]) -> Duration {
    times.sort();
    times[times.len() / 2]
}

fn start_engine(engine: &Path) -> std::process::Child {
    Command::new(engine).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("the engine starts")
}

/// The referee's lines of a game, for each move.
fn lines_of_a_game() -> Vec<String> {
    let mut game = Game::new(Position::start(Variant::Awari));
    let (mut lines, mut letters) = (Vec::new(), String::new());
    while let (Some(&mv), true) = (game.position().moves().first(), lines.len() < 250) {
        let moves = if letters.is_empty() { String::new() } else { format!(" moves {letters}") };
        lines.push(format!("position startpos{moves}\ngo nodes 1\n"));
        game.play(mv).expect("it is legal");
        letters.push(mv.letter());
    }
    lines
}

/// Plays by one write and one read for each move.
fn bare_loop(engine: &Path, lines: &[String]) -> Duration {
    let mut process = start_engine(engine);
    let (mut input, mut output) =
        (process.stdin.take().expect("piped"), process.stdout.take().expect("piped"));
    let mut buffer = [0; 4096];
    let start = Instant::now();
    for _ in 0..GAMES {
        for line in lines {
            input.write_all(line.as_bytes()).expect("the engine reads");
            let read = output.read(&mut buffer).expect("the engine writes");
            assert!(buffer[..read].ends_with(b"\n"));
        }
    }
    let elapsed = start.elapsed();
    drop(input);
    process.wait().expect("the engine ends");
    elapsed
}

static REFEREE: LazyLock<PathBuf> = LazyLock::new(|| program("kroo-referee", "--bin", "referee"));

fn command(engine: &Path, words: &[&str], options: &[&str], concurrency: usize) -> Command {
    let mut command = Command::new(&*REFEREE);
    for name in ["name=a", "name=b"] {
        command.arg("--engine").arg(format!("cmd={}", engine.display())).arg(name).args(words);
    }
    command.args(options).args(["--concurrency", &concurrency.to_string()]);
    command.stdin(Stdio::null()).stdout(Stdio::null());
    command
}

/// Moves of a run; its games are always the same.
fn moves_of_a_run(engine: &Path) -> f64 {
    let folder = tempfile::tempdir().expect("a folder");
    let json = folder.path().join("games.json");
    let mut command = command(engine, &["nodes=1"], &["--rounds", &ROUNDS.to_string()], 1);
    assert!(command.arg("--json").arg(&json).status().expect("the referee runs").success());
    let text = fs::read_to_string(json).expect("the referee writes");
    let document: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let engines = document["result"]["engines"].as_array().expect("two engines");
    engines.iter().map(|engine| engine["moves"].as_f64().expect("a number")).sum()
}

/// The wall time and the referee's own processor time of a match.
fn referee(engine: &Path, words: &[&str], options: &[&str], concurrency: usize) -> (Duration, Duration) {
    let start = Instant::now();
    let mut process = command(engine, words, options, concurrency).spawn().expect("the referee starts");
    let wait = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
    waitid(WaitId::Pid(Pid::from_child(&process)), wait).expect("it is a child");
    let elapsed = start.elapsed();
    // The process has ended but is not reaped, so its times can be read: fields 14 and 15.
    let text = fs::read_to_string(format!("/proc/{}/stat", process.id())).expect("the system says");
    let fields: Vec<&str> = text.rsplit(") ").next().unwrap_or_default().split(' ').collect();
    let ticks: u64 = [11, 12].map(|field| fields[field].parse::<u64>().expect("a number")).iter().sum();
    assert!(process.wait().expect("it is a child").success());
    (elapsed, Duration::from_secs_f64(ticks as f64 / rustix::param::clock_ticks_per_second() as f64))
}
