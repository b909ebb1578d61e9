//! Effects of the machine and the shell on a match: limits, ignored signals, suspension.

use std::fs;
use std::process::{Command, Stdio};
use std::thread::{self, sleep};
use std::time::Duration;
use support::programs::referee_path;
use support::scene::{Report, Scene, await_that, signal, words};
use support::tools::has;

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
    report.complains("games.ogn: File too large");
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
    report.says("Wins: 0, Losses: 2,");
    // Three times each, unless the machine really was busy when the referee looked: then it is a plain overrun.
    let again = report
        .stderr
        .lines()
        .filter(|line| line.contains("was not scheduled") && line.contains("; game"))
        .count();
    assert!((1..=6).contains(&again), "{}", report.stderr);
    assert!(again == 6 || report.stdout.contains("time forfeit"), "{}", report.stdout);
    assert_eq!(report.json["result"]["replays"], again);
    let said = format!("Games replayed after machine stalls or disturbances: {again}\n");
    report.says(&said);
}

/// A match in which a game was disturbed twice: nothing of it counts, and both engines are named.
fn has_no_verdict(report: &Report, disturbed: &str, other: &str, detail: &str) {
    assert_eq!(report.status, 12, "{}{}", report.stdout, report.stderr);
    let again = format!("{disturbed}: {detail}");
    let warned = report.stderr.lines().filter(|line| line.contains(&again)).count();
    assert_eq!(warned, 1, "{}", report.stderr);
    report.complains(" is played again; the second time the match ends");
    let broken = report.json["result"]["broken"].as_str().unwrap_or_default();
    assert!(broken.contains(&format!("is the second that was disturbed: {disturbed} {detail}")), "{broken}");
    let names = format!("; {disturbed} or {other} has done that, and which cannot be known");
    assert!(broken.ends_with(&names), "{broken}");
    assert!(report.game_results().iter().all(|game| game["termination"] != "disturbed"), "{}", report.json);
}

#[test]
fn who_has_suspended_an_engine_without_a_sandbox_cannot_be_known() {
    let detail = "gave no `bestmove` within 0.650 s, as its process was suspended (SIGSTOP)";
    let scene = Scene::new();
    let engines = [scene.engine("rival-stopping", &["st=5"]), scene.engine("honest", &["st=0.6"])].concat();
    let report = scene.run(&[engines, words("--rounds 3 --max-moves 7")]);
    has_no_verdict(&report, "honest", "rival-stopping", detail);
    let scene = Scene::new();
    let engines = [scene.engine("self-stopping", &["st=0.6"]), scene.engine("honest", &["st=5"])].concat();
    let report = scene.run(&[engines, words("--rounds 3 --max-moves 7")]);
    has_no_verdict(&report, "self-stopping", "honest", detail);
}

/// In a sandbox an engine reaches no other: whoever is suspended has done that itself. So it is, too, if its rival alone has one.
#[test]
fn an_engine_that_nobody_else_can_have_suspended_is_late() {
    if !has("bwrap") {
        return;
    }
    for sandboxed in [&["sandbox=on"][..], &[]] {
        let scene = Scene::new();
        let own = [&["st=0.6", "startup=60"], sandboxed].concat();
        let rival = ["st=60", "startup=60", "sandbox=on"];
        let engines = [scene.engine("self-stopping", &own), scene.engine("honest", &rival)].concat();
        let report = scene.run(&[engines, words("--rounds 1 --max-moves 9")]);
        report.assert_played(2);
        let late = "time forfeit: self-stopping gave no `bestmove` within 0.650 s, as it has suspended itself (SIGSTOP)";
        assert_eq!(report.games.matches(late).count(), 2, "{}{}", report.games, report.stderr);
        assert_eq!(report.json["result"]["replays"], 0, "{}", report.stderr);
    }
}

/// A rival can do it before the first move, too.
#[test]
fn an_engine_that_is_suspended_while_it_gets_ready_is_not_to_blame() {
    let detail = "gave no `uciok` within 0.700 s, as its process was suspended (SIGSTOP)";
    let scene = Scene::new();
    let rival = scene.engine("rival-stopping-early", &["startup=60"]);
    let engines = [rival, scene.engine("honest", &["startup=0.7"])].concat();
    let report = scene.run(&[engines, words("--rounds 3 --max-moves 7 --recover")]);
    has_no_verdict(&report, "honest", "rival-stopping-early", detail);
}

/// Its shim is the referee's: one that ends is no fault of an engine that others can reach.
#[test]
fn who_has_ended_a_shim_without_a_sandbox_cannot_be_known() {
    let scene = Scene::new();
    let engines = [scene.engine("shim-killing", &["st=5"]), scene.engine("honest", &["st=5"])].concat();
    let report = scene.run(&[engines, words("--rounds 3 --max-moves 7")]);
    has_no_verdict(&report, "shim-killing", "honest", "lost its shim, the process that watches over it");
    assert_eq!(scene.processes(), 0);
}

/// Forty children on the machine's processors, while the rival is to move, who needs one.
#[test]
fn an_engine_that_takes_all_processors_wins_nothing() {
    let scene = Scene::new();
    let engines = [scene.engine("hogging", &[]), scene.engine("diligent", &["st=0.2"])].concat();
    let report = scene.run(&[engines, words("--rounds 6 --max-moves 9")]);
    has_no_verdict(&report, "diligent", "hogging", "was late: in ");
    report.complains(" s for a processor and ran ");
    assert_eq!(scene.processes(), 0);
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
    report.says("Time overruns within the margin: overspending ");
    for game in report.game_results().iter().filter(|game| game["termination"] == "time forfeit") {
        let side = usize::from(game["south"] != "overspending");
        assert!(game["used"][side].as_u64().unwrap() < 900_000, "{game}");
    }
    let engine = &report.json["result"]["engines"][0];
    assert!((1..=22).contains(&engine["overruns"].as_u64().unwrap()), "{engine}");
    assert!((0.0..0.6).contains(&engine["longest_overrun"].as_f64().unwrap()), "{engine}");
}

#[test]
fn an_engine_does_not_lose_while_the_referee_is_suspended() {
    for_each_limit(|limit| suspended(limit, |referee| vec![referee]));
}

/// As a debugger, a container or a frozen machine does it: whether the engines go on before or after the referee.
#[test]
fn an_engine_does_not_lose_while_the_whole_group_is_suspended() {
    for_each_limit(|limit| suspended(limit, |referee| [children(referee), vec![referee]].concat()));
    for_each_limit(|limit| suspended(limit, |referee| [vec![referee], children(referee)].concat()));
}

/// The processes below one.
fn children(process: u32) -> Vec<u32> {
    let list = fs::read_to_string(format!("/proc/{process}/task/{process}/children")).unwrap_or_default();
    let own: Vec<u32> = list.split_whitespace().map(|number| number.parse().unwrap()).collect();
    own.iter().flat_map(|&child| [vec![child], children(child)].concat()).collect()
}

fn for_each_limit(suspended: impl Fn(&str) + Sync) {
    thread::scope(|scope| {
        for limit in ["st=1.4", "tc=1.4+0.5", "watchdog=1.4"] {
            let suspended = &suspended;
            scope.spawn(move || suspended(limit));
        }
    });
}

/// A match in which processes of the referee's are suspended in the middle of a move, in their order, and go on in the same.
fn suspended(limit: &str, processes: impl Fn(u32) -> Vec<u32>) {
    // `late` takes 0.25 s a move, and has 1.5 s at the most.
    let send = |name: &str, processes: &[u32]| {
        for process in processes {
            // One may have been killed by a referee that goes on first.
            Command::new("kill").args([name, &process.to_string()]).stderr(Stdio::null()).status().unwrap();
        }
    };
    let scene = Scene::new();
    let told = scene.path("told");
    let limits = [limit, "depth=1", "timemargin=100", &format!("stderr={}", told.display())];
    let named = [scene.engine("late", &limits), scene.engine("late", &limits)].concat();
    let engines: Vec<String> = named.into_iter().filter(|word| word != "name=late").collect();
    let referee = scene.command(&[engines, words("--rounds 1 --max-moves 7")]).spawn().unwrap();
    let thinks = || fs::read_to_string(&told).is_ok_and(|text| text.contains("thinks"));
    assert!(await_that(thinks), "{limit}");
    let processes = processes(referee.id());
    send("-STOP", &processes);
    sleep(Duration::from_secs(2));
    send("-CONT", &processes);
    let report = scene.report(referee.wait_with_output().unwrap());
    report.assert_played(2);
    assert_eq!(report.json["result"]["faults"].as_array().unwrap().len(), 0, "{}", report.stdout);
    assert!(!report.stderr.contains("the second time the match ends"), "{}", report.stderr);
}
