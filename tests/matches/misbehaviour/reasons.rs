//! Every way to misbehave has its own reason, costs that game only, and leaves no process.

use std::thread;
use support::programs;
use support::scene::{Scene, words};

/// Limits under which an engine misbehaves, and which of the two reasons below holds then. Only those that are silent feel how
/// short they are; the others have time for what they do, however busy the machine is.
const TIMED: [&str; 2] = ["st=0.1 timemargin=100", "st=2"];
const CLOCK: [&str; 2] = ["tc=0.1+0.02 timemargin=100", "tc=2+2"];
const UNTIMED: [&str; 2] = ["depth=1 watchdog=0.2", "depth=1 watchdog=2"];
const NODES: [&str; 2] = ["nodes=1 watchdog=0.2", "nodes=1 watchdog=2"];

/// Those that do not get ready, and those that do not answer in time.
const UNREADY: [&str; 3] = ["silent-at-uci", "unready", "deaf"];
const SILENT: [&str; 8] = [
    "silent-at-go",
    "deaf-at-go",
    "deserting",
    "flood",
    "hanging-parent",
    "hanging-escaping",
    "hanging-hermits",
    "late",
];

/// A manner, the reasons it loses for under a limit of time and under others, and what the detail says.
const FAULTS: &[(&str, &str, &str, &str)] = &[
    ("illegal", "illegal move", "illegal move", ", but the pit is empty"),
    ("other-side", "illegal move", "illegal move", ", but it is "),
    ("no-move", "no move", "no move", "answered `bestmove (none)`"),
    ("null-move", "no move", "no move", "answered `bestmove 0000`"),
    ("non-move", "no move", "no move", "answered `bestmove e2e4`"),
    ("crash-at-start", "failed to start", "failed to start", "ended with exit status 3 before `uciok`"),
    ("silent-at-uci", "failed to start", "failed to start", "gave no `uciok` within 0.500 s"),
    ("unready", "failed to start", "failed to start", "gave no `readyok` within 0.500 s"),
    ("deaf", "failed to start", "failed to start", "gave no `readyok` within 0.500 s"),
    ("abort-at-go", "crash", "crash", "was killed by signal 6 (SIGABRT)"),
    ("exit-at-go", "crash", "crash", "ended with exit status 3"),
    ("orphaning", "crash", "crash", "ended with exit status 5"),
    ("unfinished", "crash", "crash", "ended with exit status 0"),
    ("silent-at-go", "no answer", "no answer", "gave no `bestmove` within "),
    ("deaf-at-go", "no answer", "no answer", "gave no `bestmove` within "),
    ("deserting", "no answer", "no answer", "gave no `bestmove` within "),
    ("flood", "no answer", "no answer", "gave no `bestmove` within "),
    ("hanging-parent", "no answer", "no answer", "gave no `bestmove` within "),
    ("hanging-escaping", "no answer", "no answer", "gave no `bestmove` within "),
    ("hanging-hermits", "no answer", "no answer", "gave no `bestmove` within "),
    ("late", "time forfeit", "no answer", ""),
    ("garbage", "garbage", "garbage", "2 lines, the last `that \\u{1}\\u{2} I should move something`"),
    ("endless-line", "garbage", "garbage", "a line without an end"),
];

/// Those that show that a clock limits time, and that depth and nodes do not.
const FEW: [&str; 6] = ["illegal", "abort-at-go", "silent-at-go", "deaf-at-go", "late", "garbage"];

/// A match of two games against an honest engine, both of them lost in the same way.
fn loses(manner: &str, [short, long]: [&str; 2], reason: &str, detail: &str) {
    let scene = Scene::new();
    let mut limits: Vec<&str> = if SILENT.contains(&manner) { short } else { long }.split(' ').collect();
    limits.push(if UNREADY.contains(&manner) { "startup=0.5" } else { "startup=60" });
    let honest = scene.engine("honest", &["st=10"]);
    let report = scene.run(&[honest, scene.engine(manner, &limits), words("--rounds 1 --recover")]);
    report.assert_played(2);
    for game in report.game_results() {
        assert_eq!(game["termination"], reason, "{manner}: {game}");
        assert_eq!(game["fault"], manner, "{game}");
        assert!(game["detail"].as_str().unwrap().contains(detail), "{manner}: {game}");
        let winner = if game["south"] == manner { "0-1" } else { "1-0" };
        assert_eq!(game["result"], winner, "{manner}: {game}");
    }
    assert_eq!(report.json["result"]["terminations"][reason], 2, "{manner}");
    report.says("Wins: 2, Losses: 0, Draws: 0, Points: 2 (100.00 %)");
    report.says("Ptnml(0-2): [0, 0, 0, 0, 1]");
    assert!(report.stdout.contains(&format!("Ended: {reason} 2\nFaults: {manner} {reason} 2\n")));
    assert_eq!(scene.processes(), 0, "{manner} leaves a process");
}

/// They mostly wait, so several at a time do not slow each other down.
fn all_lose(
    limits: [&str; 2],
    manners: impl Fn(&str) -> bool,
    reason: impl Fn(&(&'static str, &'static str, &'static str, &'static str)) -> &'static str,
) {
    let chosen: Vec<_> = FAULTS.iter().filter(|fault| manners(fault.0)).collect();
    for faults in chosen.chunks(5) {
        thread::scope(|scope| {
            for &fault in faults {
                let (&(manner, _, _, detail), reason) = (fault, reason(fault));
                scope.spawn(move || loses(manner, limits, reason, detail));
            }
        });
    }
}

#[test]
fn every_fault_has_its_reason_under_a_limit_of_time() {
    all_lose(TIMED, |_| true, |fault| fault.1);
}

#[test]
fn every_fault_has_its_reason_under_a_limit_of_depth() {
    all_lose(UNTIMED, |manner| FEW.contains(&manner), |fault| fault.2);
}

#[test]
fn every_fault_has_its_reason_on_a_clock() {
    all_lose(CLOCK, |manner| FEW.contains(&manner), |fault| fault.1);
}

#[test]
fn every_fault_has_its_reason_under_a_limit_of_nodes() {
    all_lose(NODES, |manner| FEW.contains(&manner), |fault| fault.2);
}

#[test]
fn bad_manners_that_break_no_rule_cost_nothing() {
    let manners = [
        "flood-and-move",
        "long-lines",
        "twice",
        "stubborn",
        "parent",
        "escaping",
        "hermits",
        "optionless",
        "depthless",
        "banner",
        "thoughtful",
    ];
    thread::scope(|scope| {
        for manner in manners {
            scope.spawn(move || {
                let scene = Scene::new();
                let engines = [scene.engine("last", &["st=10"]), scene.engine(manner, &["st=10"])];
                let report = scene.run(&[engines.concat(), words("--rounds 1 --max-moves 40")]);
                report.assert_played(2);
                assert_eq!(report.json["result"]["faults"].as_array().unwrap().len(), 0, "{}", report.stdout);
                let slow = "referee: warning: stubborn: it had not exited 1 s after `quit`, and was killed; quit=SECONDS gives it \
                            more time\n";
                assert_eq!(report.stderr, if manner == "stubborn" { slow } else { "" }, "{manner}");
                assert_eq!(scene.processes(), 0, "{manner} leaves a process");
            });
        }
    });
}

#[test]
fn an_engine_that_dies_between_two_games_is_started_again() {
    let scene = Scene::new();
    let report =
        scene.run(&[scene.engine("last", &[]), scene.engine("dies-between", &[]), words("--max-moves 30")]);
    report.assert_played(8);
    assert_eq!(report.json["result"]["faults"].as_array().unwrap().len(), 0);
    let warning = "warning: dies-between: ended with exit status 0 before `readyok` between two games";
    report.complains(warning);
}

#[test]
fn programs_that_do_not_exist_lose_their_games_and_nobody_else_s() {
    let scene = Scene::new();
    let ghost = words("--engine cmd=/nowhere/ghost");
    let spectre = words("--engine cmd=/nowhere/spectre");
    let report = scene.run(&[ghost, spectre, scene.engine("honest", &[]), words("--rounds 1 --recover")]);
    report.assert_played(6);
    let terminations = &report.json["result"]["terminations"];
    assert_eq!((&terminations["failed to start"], &terminations["neither started"]), (&4.into(), &2.into()));
    assert!(report.stdout.contains(
        "Faults: ghost failed to start 2, ghost neither started 2, spectre failed to start 2, spectre neither \
         started 2\n"
    ));
    let neither = &report.game_results()[0];
    assert_eq!(neither["faults"], serde_json::json!([true, true]));
    assert_eq!((&neither["fault"], &neither["result"]), (&serde_json::Value::Null, &"*".into()));
    let honest = &report.json["result"]["engines"][2];
    assert_eq!((&honest["name"], &honest["points"]), (&"honest".into(), &4.0.into()));
    assert!(
        report
            .stdout
            .contains("failed to start: ghost could not be started: program not found: /nowhere/ghost")
    );
}

#[test]
fn a_program_without_its_interpreter_is_said_to_be_there() {
    let scene = Scene::new();
    let script = programs::script(scene.path("script"), "#!/nowhere/interpreter\n");
    let engines = [words("--engine name=script"), vec![format!("cmd={script}")], scene.engine("honest", &[])];
    let report = scene.run(&[engines.concat(), words("--rounds 1 --max-moves 8 --recover")]);
    report.assert_played(2);
    let expected = format!("{script} exists, but not the interpreter or loader that it asks for");
    report.says(&expected);
}

#[test]
fn a_flood_does_not_fill_the_memory() {
    let scene = Scene::new();
    let flood = scene.engine("flood", &["depth=1", "watchdog=2"]);
    let endless = scene.engine("endless-line", &["depth=1", "watchdog=2"]);
    let referee = scene.command(&[flood, endless, words("--rounds 1 --concurrency 2")]).spawn().unwrap();
    let status = format!("/proc/{}/status", referee.id());
    let mut most = 0;
    let watched = support::scene::await_that(|| {
        let text = std::fs::read_to_string(&status).unwrap_or_default();
        let peak = text
            .lines()
            .find_map(|line| line.strip_prefix("VmHWM:")?.split_whitespace().next()?.parse().ok());
        most = most.max(peak.unwrap_or(0));
        peak.is_none()
    });
    let report = scene.report(referee.wait_with_output().unwrap());
    assert!(watched);
    report.assert_played(2);
    assert!((1..64 * 1024).contains(&most), "{most} KiB");
}

/// An engine that needs 0.3 s to exit, with these words and options: how many of its processes have played, how many of them
/// have saved something, and what was said.
fn slow_to_quit(word: &str, options: &str) -> (usize, usize, String) {
    let scene = Scene::new();
    let file = scene.path("saved.txt");
    let errors = format!("stderr={}", file.display());
    let engines = [scene.engine("gloomy", &[]), scene.engine("slow-to-quit", &[word, &errors])].concat();
    let report = scene.run(&[engines, words(options), words("--resign moves=1 score=40")]);
    assert_eq!(scene.processes(), 0);
    let told = std::fs::read_to_string(file).unwrap();
    let count = |line: &str| told.lines().filter(|found| *found == line).count();
    (count("began"), count("saved"), report.stderr)
}

#[test]
fn quit_leaves_time_to_save() {
    assert_eq!(slow_to_quit("quit=5", "--rounds 1"), (1, 1, String::new()));
    // So it is after the end of a test, also for the engines of games that are broken off. How many there are depends on how
    // soon it is decided.
    let test = "--sprt elo0=-100 elo1=0 --concurrency 2 --max-moves 20";
    let (began, saved, said) = slow_to_quit("quit=5", test);
    assert!((1..=2).contains(&began) && saved >= began, "{began} have played, {saved} have saved something");
    assert_eq!(said, "");
    // On a busy machine it may have saved something before it is killed.
    let (began, _, said) = slow_to_quit("quit=0.05", "--rounds 1");
    assert!(said.contains("slow-to-quit: it had not exited 0.05 s after `quit`, and was killed"), "{said}");
    assert_eq!(began, 1);
}

/// Both have the same time from `quit` on: one that takes all of it takes none of the other's.
#[test]
fn an_engine_that_ignores_quit_is_the_only_one_that_is_late() {
    for order in [["slow-to-quit", "honest"], ["honest", "slow-to-quit"]] {
        let scene = Scene::new();
        let engines = order.map(|manner| scene.engine(manner, &["quit=0.25"])).concat();
        let report = scene.run(&[engines, words("--rounds 1 --max-moves 12")]);
        assert_eq!(report.status, 0, "{}", report.stderr);
        assert_eq!(report.stderr.matches("had not exited").count(), 1, "{}", report.stderr);
        report.complains("slow-to-quit: it had not exited 0.25 s");
    }
}

/// An engine that still runs, and no longer reads, has closed its input.
#[test]
fn an_engine_that_closes_its_input_has_not_closed_its_output() {
    let scene = Scene::new();
    let text =
        "while read -r line; do case \"$line\" in uci) exec 0<&-; echo uciok; exec sleep 60;; esac; done\n";
    let script = scene.file("deaf.sh", text);
    let deaf = words(&format!("--engine cmd=/bin/sh args={script} name=deaf startup=20"));
    let report = scene.run(&[scene.engine("honest", &[]), deaf, words("--rounds 1 --recover")]);
    report.assert_played(2);
    for game in report.game_results() {
        let detail = game["detail"].as_str().unwrap();
        assert!(detail.contains("closed its input before `readyok`"), "{game}");
    }
}
