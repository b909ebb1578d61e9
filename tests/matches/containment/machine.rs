//! Effects of the machine and the shell on a match: limits, ignored signals, suspension.

use std::fs;
use std::process::{Command, Stdio};
use std::thread::{self, sleep};
use std::time::Duration;
use support::programs::referee_path;
use support::scene::{Scene, await_that, signal, words};

/// A referee started by a shell that has done something before.
fn after(scene: &Scene, preparation: &str, arguments: &[Vec<String>]) -> Command {
    let mut command = Command::new("sh");
    command
        .args(["-c", &format!("{preparation}; exec \"$0\" \"$@\""), referee_path()])
        .args(arguments.concat());
    command.arg("--games-out").arg(scene.path("games.ogn")).arg("--json").arg(scene.path("games.json"));
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

#[test]
fn a_lack_of_open_files_ends_the_match_and_is_nobody_s_fault() {
    let scene = Scene::new();
    let engines = [scene.engine("honest", &[]), scene.engine("last", &[])].concat();
    let arguments = [engines, words("--rounds 50 --concurrency 20")];
    let report = scene.report(after(&scene, "ulimit -n 40", &arguments).output().unwrap());
    assert_eq!(report.status, 1);
    let expected = "referee: cannot start engines: Too many open files (os error 24)\n";
    assert_eq!(report.stderr, expected);
    assert!(!report.stdout.contains("Faults:") && !report.stdout.contains("start"), "{}", report.stdout);
    assert_eq!(report.json["result"]["interrupted"], true);
    assert_eq!(scene.processes(), 0);
}

#[test]
fn the_soft_limit_of_open_files_is_raised() {
    let scene = Scene::new();
    let engines = [scene.engine("honest", &[]), scene.engine("last", &[])].concat();
    let arguments = [engines, words("--rounds 20 --max-moves 10 --concurrency 20")];
    scene.report(after(&scene, "ulimit -Sn 40", &arguments).output().unwrap()).assert_played(40);
}

#[test]
fn a_file_that_grows_too_large_is_an_error_like_any_other() {
    let scene = Scene::new();
    let engines = [scene.engine("honest", &[]), scene.engine("last", &[])].concat();
    let arguments = [engines, words("--rounds 20")];
    let report = scene.report(after(&scene, "ulimit -f 8", &arguments).output().unwrap());
    assert_eq!((report.status, report.finished()), (1, 40), "{}", report.stderr);
    assert!(report.stderr.contains("games.ogn: File too large"), "{}", report.stderr);
}

#[test]
fn a_hangup_that_is_ignored_stays_ignored() {
    let scene = Scene::new();
    let engines = [scene.engine("late", &["st=5"]), scene.engine("honest", &["st=5"])].concat();
    let arguments = [engines, words("--rounds 1 --max-moves 7")];
    let referee = after(&scene, "trap '' HUP", &arguments).spawn().unwrap();
    assert!(scene.await_processes(2));
    signal(&referee, "HUP");
    scene.report(referee.wait_with_output().unwrap()).assert_played(2);
}

#[test]
fn an_engine_that_says_the_referee_was_resumed_gains_no_time() {
    let scene = Scene::new();
    let engines = [scene.engine("resuming", &["st=0.1"]), scene.engine("honest", &["st=5"])].concat();
    let report = scene.run(&[engines, words("--rounds 1 --max-moves 7")]);
    report.assert_played(2);
    assert!(
        report.stdout.contains("Faults: resuming time forfeit 2\n")
            || report.stdout.contains("Faults: resuming no answer 2\n"),
        "{}",
        report.stdout
    );
}

#[test]
fn an_engine_that_suspends_the_referee_gains_no_game() {
    let scene = Scene::new();
    let engines = [scene.engine("suspending", &["st=0.1"]), scene.engine("honest", &["st=5"])].concat();
    let report = scene.run(&[engines, words("--rounds 1 --max-moves 7")]);
    report.assert_played(2);
    assert!(report.stdout.contains("Wins: 0, Losses: 2,"), "{}", report.stdout);
    // Three times each, unless the machine really was busy when the referee looked: then it is a plain overrun.
    let again = report
        .stderr
        .lines()
        .filter(|line| line.contains("was not scheduled") && line.contains("; game"))
        .count();
    assert!((1..=6).contains(&again), "{}", report.stderr);
    assert!(again == 6 || report.stdout.contains("time forfeit"), "{}", report.stdout);
    assert_eq!(report.json["result"]["replays"], again);
    let said = format!("Games replayed after machine stalls: {again}\n");
    assert!(report.stdout.contains(&said), "{}", report.stdout);
}

#[test]
fn whoever_suspends_its_rival_is_not_believed() {
    let scene = Scene::new();
    let engines = [scene.engine("rival-stopping", &["st=1"]), scene.engine("honest", &["st=0.6"])].concat();
    let report = scene.run(&[engines, words("--rounds 1 --max-moves 7")]);
    report.assert_played(2);
    assert!(!report.stdout.contains("time forfeit"), "{}", report.stdout);
    let warning = "honest: gave no `bestmove` within 0.650 s, as its process was suspended (SIGSTOP); game 1 is played again";
    assert!(report.stderr.contains(warning), "{}", report.stderr);
}

#[test]
fn the_margin_of_a_clock_is_used_once_and_every_use_is_shown() {
    let scene = Scene::new();
    let over = scene.engine("overspending", &["tc=0.3", "timemargin=600"]);
    let report = scene.run(&[over, scene.engine("honest", &["st=5"]), words("--rounds 1 --max-moves 60")]);
    report.assert_played(2);
    // About fourteen moves of 60 ms fit into 900 ms; most of them are overruns. Where the machine holds the referee up, a game
    // has no loser.
    let stalls = report.json["result"]["terminations"]["machine stall"].as_u64().unwrap_or(0);
    let lost = format!("Faults: overspending time forfeit {}\n", 2 - stalls);
    assert!(stalls == 2 || report.stdout.contains(&lost), "{}", report.stdout);
    assert!(report.stdout.contains("Time overruns within the margin: overspending "), "{}", report.stdout);
    for game in report.game_results().iter().filter(|game| game["termination"] == "time forfeit") {
        let side = usize::from(game["south"] != "overspending");
        assert!(game["time"][side].as_f64().unwrap() < 0.9, "{game}");
    }
    let engine = &report.json["result"]["engines"][0];
    assert!((1..=22).contains(&engine["overruns"].as_u64().unwrap()), "{engine}");
    assert!((0.0..0.6).contains(&engine["longest_overrun"].as_f64().unwrap()), "{engine}");
}

#[test]
fn an_engine_does_not_lose_while_the_referee_is_suspended() {
    // `late` takes 0.25 s a move, and has 1.5 s at the most.
    let suspended = |limit: &str| {
        let scene = Scene::new();
        let told = scene.path("told");
        let limits = [limit, "depth=1", "timemargin=100", &format!("stderr={}", told.display())];
        let named = [scene.engine("late", &limits), scene.engine("late", &limits)].concat();
        let engines: Vec<String> = named.into_iter().filter(|word| word != "name=late").collect();
        let referee = scene.command(&[engines, words("--rounds 1 --max-moves 7")]).spawn().unwrap();
        let thinks = || fs::read_to_string(&told).is_ok_and(|text| text.contains("thinks"));
        assert!(await_that(thinks), "{limit}");
        signal(&referee, "STOP");
        sleep(Duration::from_secs(2));
        signal(&referee, "CONT");
        let report = scene.report(referee.wait_with_output().unwrap());
        report.assert_played(2);
        assert_eq!(report.json["result"]["faults"].as_array().unwrap().len(), 0, "{}", report.stdout);
    };
    thread::scope(|scope| {
        for limit in ["st=1.4", "tc=1.4+0.5", "watchdog=1.4"] {
            scope.spawn(move || suspended(limit));
        }
    });
}
