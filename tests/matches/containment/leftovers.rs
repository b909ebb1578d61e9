//! Nothing is left behind, whatever ends the referee.

use kroo_referee::engine::control_groups;
use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::process::Child;
use std::thread;
use std::time::Instant;
use support::PATIENCE;
use support::programs::referee_path;
use support::scene::{Scene, await_that, signal, words};
use support::tools::has;

/// A referee whose engines all hang at their first `go`, under a limit that will not end it, with children of two kinds.
fn hanging(scene: &Scene) -> Child {
    let limits = ["depth=9", "watchdog=1000"];
    let engines = [scene.engine("hanging-parent", &limits), scene.engine("hanging-escaping", &limits)];
    let referee = scene.command(&[engines.concat(), words("--rounds 5 --concurrency 2")]).spawn().unwrap();
    // Two games at a time, of two engines each, with a child each.
    assert!(scene.await_processes(8), "{} processes", scene.processes());
    referee
}

/// The cleanup processes of a referee.
fn cleanup_processes(referee: u32) -> usize {
    let mark = format!("{referee}-");
    let is_cleanup = |line: Vec<u8>| {
        let mut words = line.split(|&byte| byte == 0);
        words.next() == Some(referee_path().as_bytes())
            && words.next() == Some(b"--cleanup")
            && words.next().is_some_and(|word| word.starts_with(mark.as_bytes()))
    };
    let processes = fs::read_dir("/proc").unwrap().flatten();
    processes
        .filter(|process| is_cleanup(fs::read(process.path().join("cmdline")).unwrap_or_default()))
        .count()
}

/// Whether a child of the process is suspended.
fn has_stopped_child(process: u32) -> bool {
    let stats = fs::read_dir("/proc").unwrap().flatten().map(|entry| entry.path().join("stat"));
    let is_stopped = |stat: &str| stat.rsplit(") ").next().unwrap().starts_with(&format!("T {process} "));
    stats.filter_map(|stat| fs::read_to_string(stat).ok()).any(|stat| is_stopped(&stat))
}

#[test]
fn after_sigkill() {
    let scene = Scene::new();
    let mut referee = hanging(&scene);
    assert_eq!(cleanup_processes(referee.id()), 1);
    signal(&referee, "KILL");
    referee.wait().unwrap();
    assert!(scene.await_processes(0), "{} processes", scene.processes());
    assert!(await_that(|| cleanup_processes(referee.id()) == 0));
    let files = fs::read_dir(scene.dir.path()).unwrap().map(|file| file.unwrap().file_name());
    assert_eq!(files.collect::<Vec<_>>(), ["games.ogn"], "no temporary file is left");
}

/// A temporary file is known to the cleanup process before there is one, whenever the referee is killed.
#[test]
fn no_temporary_file_is_left_by_a_referee_that_is_killed_early() {
    let mut killed = 0;
    for steps in 0..8 {
        let scene = Scene::new();
        let engines = [scene.engine("honest", &[]), scene.engine("last", &[])].concat();
        let html = ["--html", &scene.path("games.html").display().to_string()].map(str::to_owned).to_vec();
        let mut referee = scene.command(&[engines, words("--rounds 1 --max-moves 8"), html]);
        let output = referee.env("KROO_TEST_STEPS", steps.to_string()).output().unwrap();
        killed += usize::from(output.status.code().is_none());
        let left = || {
            let files = fs::read_dir(scene.dir.path()).unwrap().map(|file| file.unwrap().file_name());
            files.filter(|name| name.to_string_lossy().ends_with(".tmp")).count()
        };
        assert!(await_that(|| left() == 0), "{left} files after {steps} steps", left = left());
    }
    // Builds without failpoints kill none.
    assert!(killed > 3 || !cfg!(debug_assertions), "{killed}");
}

#[test]
fn after_sigterm() {
    let scene = Scene::new();
    let referee = hanging(&scene);
    let id = referee.id();
    signal(&referee, "TERM");
    let report = scene.report(referee.wait_with_output().unwrap());
    assert_eq!(report.status, 143);
    assert_eq!(scene.processes(), 0);
    assert_eq!(cleanup_processes(id), 0);
    assert_eq!(report.json["result"]["interrupted"], true);
    assert_eq!(report.finished(), 0);
}

#[test]
fn after_an_abort() {
    let scene = Scene::new();
    let mut referee = hanging(&scene);
    signal(&referee, "ABRT");
    referee.wait().unwrap();
    assert!(scene.await_processes(0), "{} processes", scene.processes());
}

#[test]
fn after_sigkill_of_a_referee_whose_engines_hide_their_children() {
    // In sessions of their own and with an empty environment; and with shims that cannot do their work.
    for manner in ["hanging-hermits", "shim-stopping"] {
        let scene = Scene::new();
        let limits = ["depth=9", "watchdog=1000"];
        let engines = [scene.engine(manner, &limits), scene.engine("hanging-parent", &limits)];
        let mut referee = scene.command(&[engines.concat(), words("--rounds 5")]).spawn().unwrap();
        assert!(scene.await_processes(4), "{} processes", scene.processes());
        assert!(await_that(|| manner != "shim-stopping" || has_stopped_child(referee.id())));
        signal(&referee, "KILL");
        referee.wait().unwrap();
        assert!(scene.await_processes(0), "{manner}: {} processes", scene.processes());
        assert!(await_that(|| cleanup_processes(referee.id()) == 0));
    }
}

#[test]
fn an_engine_that_kills_or_suspends_its_shim_loses_and_leaves_nothing() {
    for manner in ["shim-killing", "shim-stopping"] {
        // Without a sandbox the rival could have killed it.
        let sandbox = manner == "shim-killing";
        if sandbox && !has("bwrap") {
            continue;
        }
        let scene = Scene::new();
        let rival = if sandbox { &["st=60", "startup=60", "sandbox=on"][..] } else { &["st=5"] };
        let engines = [scene.engine(manner, &["st=0.2"]), scene.engine("honest", rival)];
        let report = scene.run(&[engines.concat(), words("--rounds 1 --max-moves 6")]);
        report.assert_played(2);
        for game in report.game_results() {
            assert_eq!(game["fault"], manner, "{game}");
        }
        assert_eq!(scene.processes(), 0, "{manner}");
    }
}

#[test]
fn a_suspended_cleanup_process_does_not_hold_up_the_end() {
    let scene = Scene::new();
    let engines = [scene.engine("cleanup-stopping", &["st=5"]), scene.engine("honest", &["st=5"])];
    let start = Instant::now();
    scene.run(&[engines.concat(), words("--rounds 1 --max-moves 6")]).assert_played(2);
    assert!(start.elapsed() < PATIENCE, "{:?}", start.elapsed());
}

#[test]
fn chains_of_processes_are_ended_and_so_is_the_match() {
    let scene = Scene::new();
    let limits = ["st=0.2"];
    let engines = [scene.engine("chaining", &limits), scene.engine("honest", &["st=5"])];
    let start = Instant::now();
    let report = scene.run(&[engines.concat(), words("--rounds 1 --max-moves 6")]);
    report.assert_played(2);
    assert!(start.elapsed() < PATIENCE, "{:?}", start.elapsed());
    assert_eq!(scene.processes(), 0, "{}", report.stderr);
}

#[test]
fn the_first_sigterm_ends_a_match_with_chains_of_processes() {
    let scene = Scene::new();
    let told = scene.path("told.txt");
    let limits = ["depth=9", "watchdog=1000", &format!("stderr={}", told.display())];
    let engines = [scene.engine("chaining", &limits), scene.engine("honest", &["st=5"])];
    let referee = scene.command(&[engines.concat(), words("--rounds 5")]).spawn().unwrap();
    assert!(await_that(|| fs::read_to_string(&told).is_ok_and(|text| text.contains("chains"))));
    signal(&referee, "TERM");
    let start = Instant::now();
    let report = scene.report(referee.wait_with_output().unwrap());
    assert_eq!(report.status, 143);
    assert!(start.elapsed() < PATIENCE, "{:?}", start.elapsed());
    assert!(scene.await_processes(0), "{}", report.stderr);
}

#[test]
fn an_engine_and_what_it_starts_are_in_a_control_group_of_their_own() {
    let true = has("cgroup") else { return };
    let home = control_groups().expect("the referee can use them, too");
    let scene = Scene::new();
    let mut referee = hanging(&scene);
    let beginning = format!("kroo-referee-{}-", referee.id());
    let groups = || {
        let groups = fs::read_dir(&home).unwrap().flatten();
        let own = groups.filter(|group| group.file_name().to_string_lossy().starts_with(&beginning));
        own.map(|group| fs::read_to_string(group.path().join("cgroup.procs")).unwrap()).collect::<Vec<_>>()
    };
    // Four engines with a child each; their shims are outside, to tell how they have ended.
    let pairs = || groups().iter().map(|processes| processes.lines().count()).collect::<Vec<_>>() == [2; 4];
    assert!(await_that(pairs), "{:?}", groups());
    signal(&referee, "KILL");
    referee.wait().unwrap();
    assert!(scene.await_processes(0), "{} processes", scene.processes());
    assert!(await_that(|| groups().is_empty()), "{:?}", groups());
    // A match that comes to its end leaves none either.
    let scene = Scene::new();
    let engines = [scene.engine("parent", &["st=5"]), scene.engine("honest", &["st=5"])];
    let referee = scene.command(&[engines.concat(), words("--rounds 1 --max-moves 6")]).spawn().unwrap();
    let beginning = format!("kroo-referee-{}-", referee.id());
    scene.report(referee.wait_with_output().unwrap()).assert_played(2);
    let left = fs::read_dir(&home).unwrap().flatten();
    assert_eq!(left.filter(|group| group.file_name().to_string_lossy().starts_with(&beginning)).count(), 0);
}

/// Children of a process and of its children that have ended, but are not reaped.
fn zombies(referee: u32) -> usize {
    let children = fs::read_to_string(format!("/proc/{referee}/task/{referee}/children")).unwrap_or_default();
    let shims = children.split_whitespace().filter_map(|child| child.parse().ok());
    shims.chain([referee]).map(own_zombies).sum()
}

fn own_zombies(parent: u32) -> usize {
    let is_zombie = |stat: String| {
        let fields = stat.rsplit(')').next().unwrap_or_default().to_owned();
        let mut fields = fields.split_whitespace();
        fields.next() == Some("Z") && fields.next() == Some(&parent.to_string())
    };
    let processes = fs::read_dir("/proc").unwrap().flatten();
    processes.filter(|process| fs::read_to_string(process.path().join("stat")).is_ok_and(is_zombie)).count()
}

/// Late in a match that goes on, there are at some moment no more processes of the test, and no more dead ones, than these.
fn late_in_a_match(manner: &str, limits: &[&str], [alive, dead]: [usize; 2]) {
    let scene = Scene::new();
    let engines = [scene.engine(manner, limits), scene.engine("honest", limits)].concat();
    let mut referee =
        scene.command(&[engines, words("--rounds 10000 --max-moves 12 --recover")]).spawn().unwrap();
    let mut output = BufReader::new(referee.stdout.take().unwrap());
    let mut text = String::new();
    while !text.contains("Finished game 15 ") {
        assert_ne!(output.read_line(&mut text).unwrap(), 0, "{text}");
    }
    thread::scope(|scope| {
        let rest = scope.spawn(move || output.read_to_string(&mut text));
        let few = await_that(|| scene.processes() <= alive && zombies(referee.id()) <= dead);
        assert!(few, "{} processes, {} zombies", scene.processes(), zombies(referee.id()));
        assert!(referee.try_wait().unwrap().is_none(), "the match goes on");
        signal(&referee, "TERM");
        rest.join().unwrap().unwrap();
    });
    assert_eq!(referee.wait().unwrap().code(), Some(143));
    assert_eq!(scene.processes(), 0);
}

#[test]
fn children_without_group_session_or_environment_go_with_their_engine() {
    late_in_a_match("hanging-hermits", &["depth=9", "watchdog=0.02"], [4, 4]);
}

#[test]
fn orphans_that_have_ended_are_reaped_while_their_engine_goes_on() {
    // Four moves a game, and an orphan each.
    late_in_a_match("littering", &["st=5"], [usize::MAX, 16]);
}
