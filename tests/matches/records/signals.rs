//! A match that is stopped: what is finished counts, once, everywhere.

use crate::records::ogn_reader;
use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Stdio};
use support::scene::{Report, Scene, await_that, signal, words};

/// A match whose standard output nobody reads, long after it has filled the pipe.
fn unread(scene: &Scene) -> Child {
    let engines = [scene.engine("honest", &[]), scene.engine("last", &[])].concat();
    let mut referee = scene.command(&[engines, words("--rounds 1000000 --max-moves 8")]);
    let referee = referee.stderr(Stdio::null()).spawn().unwrap();
    // A small pipe is full after some games.
    rustix::pipe::fcntl_setpipe_size(referee.stdout.as_ref().unwrap(), 4096).unwrap();
    let games =
        || fs::read_to_string(scene.path("games.ogn")).unwrap_or_default().matches("[Variant ").count();
    assert!(await_that(|| games() > 200), "{} games", games());
    referee
}

/// Whether this process, and so its children, ignore SIGHUP, as under `nohup`.
fn is_hangup_ignored() -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:")).unwrap();
    u64::from_str_radix(ignored.trim(), 16).unwrap() & 1 == 1
}

#[test]
fn a_signal_is_obeyed_although_nobody_reads() {
    let cases = [&["INT"][..], &["TERM"], &["HUP"], &["TERM", "INT"]];
    // What began the tests may have them ignore a hangup, and then a referee ignores it too.
    for names in cases.into_iter().filter(|names| names != &["HUP"] || !is_hangup_ignored()) {
        let scene = Scene::in_memory();
        let mut referee = unread(&scene);
        names.iter().for_each(|name| signal(&referee, name));
        // Its standard output stays open until then.
        let mut status = None;
        if !await_that(|| {
            status = referee.try_wait().unwrap();
            status.is_some()
        }) {
            referee.kill().unwrap();
            panic!("{names:?}: it goes on");
        }
        let status = status.unwrap();
        // Of signals that wait together, the system delivers the one with the lowest number first.
        let number =
            |name: &&str| [("INT", 130), ("TERM", 143), ("HUP", 129)].iter().find(|one| one.0 == *name);
        let of_signals: Vec<_> = names.iter().map(|name| number(name).map(|one| one.1)).collect();
        assert!(of_signals.contains(&status.code()), "{names:?}: {status}");
        let json = fs::read_to_string(scene.path("games.json")).unwrap();
        let json: serde_json::Value = serde_json::from_str(&json).unwrap();
        assert_eq!(json["result"]["interrupted"], true);
        assert!(json["games"].as_array().unwrap().len() > 200);
        assert!(scene.await_processes(0));
    }
}

/// Sends a signal after some games of an endless match.
fn stopped_by(name: &str) -> Report {
    let scene = Scene::in_memory();
    let engines = [scene.engine("honest", &[]), scene.engine("last", &[])].concat();
    let mut referee = scene.command(&[engines, words("--rounds 1000000 --concurrency 2")]);
    let mut referee = referee.stderr(Stdio::null()).spawn().unwrap();
    let mut output = BufReader::new(referee.stdout.take().unwrap());
    let mut stdout = String::new();
    while !stdout.contains("Finished game 7 ") {
        assert_ne!(output.read_line(&mut stdout).unwrap(), 0, "{stdout}");
    }
    signal(&referee, name);
    output.read_to_string(&mut stdout).unwrap();
    let mut report = scene.report(referee.wait_with_output().unwrap());
    report.stdout = stdout;
    assert_eq!(scene.processes(), 0);
    report
}

fn all_agree(report: &Report) {
    let games = report.finished();
    assert_eq!(report.game_results().len(), games);
    assert_eq!(report.json["result"]["games"], games);
    assert_eq!(report.json["result"]["interrupted"], true);
    assert_eq!(ogn_reader::read(&report.games).len(), games);
    report.says(&format!("Interrupted after {games} of 2000000 games."));
    report.says(&format!("\nGames: {games}, Wins: "));
    let numbers: Vec<u64> =
        report.game_results().iter().map(|game| game["number"].as_u64().unwrap()).collect();
    assert!(numbers.is_sorted_by(|one, other| one < other), "{numbers:?}");
}

#[test]
fn sigterm_completes_the_files() {
    let report = stopped_by("TERM");
    assert_eq!(report.status, 143);
    all_agree(&report);
}

#[test]
fn sigint_completes_the_files() {
    let report = stopped_by("INT");
    assert_eq!(report.status, 130);
    all_agree(&report);
}
