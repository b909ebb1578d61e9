//! An engine's environment and limits, and its sandbox.

use std::fs;
use std::net::TcpListener;
use support::scene::{Report, Scene, words};
use support::tools::has;

/// A match of an engine that reports its limits.
fn inspected(scene: &Scene, engine_words: &[&str], options: &str) -> (Report, String) {
    let file = scene.path("told.txt");
    let stderr = format!("stderr={}", file.display());
    let home = scene.path("home");
    fs::create_dir(&home).unwrap();
    let dir = format!("dir={}", home.display());
    let engine = scene.engine("inspecting", &[&["st=5", &stderr, &dir], engine_words].concat());
    let engines = [engine, scene.engine("honest", &["st=5"])].concat();
    let mut command = scene.command(&[engines, words(&format!("--rounds 1 --max-moves 8 {options}"))]);
    let output = command.env("KROO_SECRET", "1").env("LC_TEST", "2").env("PASSED", "3").output().unwrap();
    (scene.report(output), fs::read_to_string(file).unwrap_or_default())
}

#[test]
fn an_engine_gets_few_variables_and_files() {
    let scene = Scene::new();
    let (report, told) = inspected(&scene, &["env.OWN=a b", "env.env.X=4", "env.PASSED=", "files=50"], "");
    report.assert_played(2);
    assert!(!told.contains("KROO_SECRET"), "{told}");
    for line in
        ["variable LC_TEST=2", "variable OWN=a b", "variable env.X=4", "variable PASSED=3", "others true"]
    {
        assert!(told.lines().any(|found| found == line), "no `{line}`: {told}");
    }
    let files = told.lines().find_map(|line| line.strip_prefix("files ")).unwrap();
    assert!((20..50).contains(&files.parse::<u32>().unwrap()), "{told}");
}

#[test]
fn files_and_processes_have_limits_of_the_system() {
    let scene = Scene::new();
    let (report, told) = inspected(&scene, &["filesize=1", "processes=10"], "");
    report.assert_played(2);
    let limits = told.lines().find_map(|line| line.strip_prefix("limits ")).unwrap();
    let limit = |name: &str| {
        let line = limits.split("; ").find_map(|line| line.strip_prefix(name)).unwrap();
        let both: Vec<u64> =
            line.split_whitespace().take(2).map(|limit| limit.parse().unwrap_or(u64::MAX)).collect();
        assert_eq!(both[0], both[1], "{name} can be raised again: {limits}");
        both[0]
    };
    assert_eq!(limit("Max file size"), 1 << 20);
    // Those of others count as well, and threads.
    assert!((640..10_000_000).contains(&limit("Max processes")), "{limits}");
    assert!(told.lines().any(|line| line == "zeros 1048576"), "{told}");
}

#[test]
fn memory_and_processes_have_limits() {
    for (manner, limit, expected) in [
        ("greedy", "memory=64", "was killed by signal 6 (SIGABRT)"),
        ("multiplying", "processes=10", " processes and was killed"),
    ] {
        let scene = Scene::new();
        let engines = [scene.engine(manner, &["st=2", limit]), scene.engine("honest", &["st=5"])].concat();
        let report = scene.run(&[engines, words("--rounds 1 --max-moves 8")]);
        report.assert_played(2);
        for game in report.game_results() {
            assert_eq!((&game["termination"], &game["fault"]), (&"crash".into(), &manner.into()), "{game}");
            assert!(game["detail"].as_str().unwrap().contains(expected), "{game}");
        }
        assert_eq!(scene.processes(), 0);
    }
}

#[test]
fn of_the_standard_error_both_ends_are_kept() {
    let scene = Scene::new();
    let file = scene.path("told.txt");
    let stderr = format!("stderr={}", file.display());
    let noisy = scene.engine("noisy", &["st=5", &stderr, "stderrlimit=16"]);
    let report = scene.run(&[noisy, scene.engine("honest", &["st=5"]), words("--rounds 1 --max-moves 8")]);
    report.assert_played(2);
    let text = fs::read_to_string(file).unwrap();
    assert!(text.len() < 33 * 1024, "{} bytes", text.len());
    assert!(text.starts_with("the same noise again\n") && text.ends_with("the end\n"));
    assert!(text.contains("\n(the referee has dropped "));
}

#[test]
fn nobody_writes_into_the_pipes_of_a_rival() {
    let scene = Scene::new();
    let file = scene.path("told.txt");
    let writing = scene.engine("pipe-writing", &["st=5", &format!("stderr={}", file.display())]);
    let report = scene.run(&[writing, scene.engine("honest", &["st=5"]), words("--rounds 1 --max-moves 12")]);
    report.assert_played(2);
    assert_eq!(report.json["result"]["faults"].as_array().unwrap().len(), 0, "{}", report.stdout);
    let told = fs::read_to_string(file).unwrap();
    assert!(told.lines().count() >= 4 && told.lines().all(|line| line == "written 0"), "{told}");
}

#[test]
fn in_a_sandbox_there_is_nobody_else() {
    if !has("bwrap") {
        return;
    }
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = format!("env.PORT={}", listener.local_addr().unwrap().port());
    let scene = Scene::new();
    let (report, told) = inspected(&scene, &[&port], "");
    report.assert_played(2);
    for line in ["passwords true", "others true", "network true"] {
        assert!(told.lines().any(|found| found == line), "no `{line}`: {told}");
    }
    let scene = Scene::new();
    let (report, told) = inspected(&scene, &[&port], "--sandbox");
    report.assert_played(2);
    assert_eq!(report.json["result"]["faults"].as_array().unwrap().len(), 0, "{}", report.stdout);
    for line in ["passwords false", "others false", "network false", "written true"] {
        assert!(told.lines().any(|found| found == line), "no `{line}`: {told}");
    }
    for line in ["room /tmp 268435456", "room /dev/shm 268435456"] {
        assert!(told.lines().any(|found| found == line), "no `{line}`: {told}");
    }
    assert_eq!(fs::read_to_string(scene.path("home").join("inspected")).unwrap(), "here");
    assert_eq!(scene.processes(), 0);
}

/// Files that are named with `read=` can be read in a sandbox, and are not changed.
#[test]
fn other_files_are_bound_to_be_read() {
    if !has("bwrap") {
        return;
    }
    for files in [true, false] {
        let scene = Scene::new();
        let bound = scene.file("weights", "weights");
        let named = if files { format!("read={bound}") } else { "files=100".to_owned() };
        let (report, told) = inspected(&scene, &[&format!("env.BOUND={bound}"), &named], "--sandbox");
        report.assert_played(2);
        let line = told.lines().find(|line| line.starts_with("bound ")).unwrap();
        assert_eq!(line == "bound weights false", files, "{told}");
        assert_eq!(line.contains("weights"), files, "{told}");
        assert_eq!(fs::read_to_string(&bound).unwrap(), "weights");
    }
}
