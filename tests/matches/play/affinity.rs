//! Processor affinity of engines and workers.

use std::fs;
use std::thread::available_parallelism;
use support::scene::{Scene, words};
use support::tools::has;

/// The reports of an engine of `tests/fixtures/engines/awakening.rs` in a match, by their first word: the numbers of processors of its
/// threads and its child.
fn told(manner: &str, words_of_it: &str, options: &str) -> Vec<(String, Vec<usize>)> {
    let scene = Scene::new();
    let errors = scene.file("told.txt", "");
    let mut engine = scene.engine(manner, &["watchdog=20", &format!("stderr={errors}")]);
    engine.extend(words(words_of_it));
    let options = words(&format!("--max-moves 100 {options}"));
    let report = scene.run(&[engine, scene.engine("honest", &["nodes=1"]), options]);
    assert_eq!(report.status, 0, "{}{}", report.stdout, report.stderr);
    assert!(report.json["result"]["faults"].as_array().unwrap().is_empty(), "{}", report.stdout);
    let line = |line: &str| {
        let (when, counts) = line.split_once(' ').unwrap();
        (when.to_owned(), counts.split(' ').map(|count| count.parse().unwrap()).collect())
    };
    fs::read_to_string(errors).unwrap().lines().map(line).collect()
}

fn processors() -> usize {
    available_parallelism().unwrap().get()
}

/// The same for a match in which the engine was kept on a processor when its thread and its child reported it. On a busy
/// machine no engine answers at once, and an engine may be free again before its child can look.
fn told_when_kept(manner: &str) -> Vec<(String, Vec<usize>)> {
    for _ in 0..20 {
        let told = told(manner, "nodes=1", "--rounds 250");
        if told.first().is_some_and(|(when, counts)| when == "kept" && *counts == [1; 3]) {
            return told;
        }
    }
    panic!("{manner} is never kept");
}

#[test]
fn engines_that_answer_at_once_share_a_processor_until_one_thinks() {
    let true = has("processors") else { return };
    let all = processors();
    // Two threads and a child: a started process has the processors of its parent.
    let told = told_when_kept("awakening");
    let [_, (thought, thinking), (later, still)] = told.as_slice() else { panic!("{told:?}") };
    assert_eq!([thought, later], ["thought", "later"]);
    assert_eq!(*thinking, [all; 3], "a thought of a tenth of a second");
    assert_eq!(*still, [all; 3], "it has threads");
}

#[test]
fn an_engine_that_starts_threads_is_set_free_however_quick_it_is() {
    let true = has("processors") else { return };
    let all = processors();
    let told = told_when_kept("stirring");
    let [_, (later, still)] = told.as_slice() else { panic!("{told:?}") };
    assert_eq!((later.as_str(), still.as_slice()), ("later", [all; 3].as_slice()));
}

#[test]
fn nobody_is_kept_where_that_is_not_wanted_or_would_do_harm() {
    let many = format!("--rounds 60 --concurrency {}", processors() + 1);
    for (words, options) in
        [("nodes=1", "--rounds 60 --affinity off"), ("nodes=1 ponder=on", "--rounds 60"), ("nodes=1", &many)]
    {
        assert_eq!(told("awakening", words, options), [], "{words} {options}");
    }
}

#[test]
fn an_engine_that_has_chosen_its_processors_keeps_them() {
    let (true, true) = (has("taskset"), has("processors")) else { return };
    let scene = Scene::new();
    let errors = scene.file("told.txt", "");
    let mut engine = scene.engine("awakening", &["nodes=1", &format!("stderr={errors}")]);
    let command = engine[1].strip_prefix("cmd=").unwrap().to_owned();
    engine[1] = "cmd=taskset".to_owned();
    engine[2] = format!("args=-c 0 {command} {}", engine[2].strip_prefix("args=").unwrap());
    let report =
        scene.run(&[engine, scene.engine("honest", &["nodes=1"]), words("--rounds 60 --max-moves 100")]);
    assert_eq!(report.status, 0, "{}", report.stderr);
    assert_eq!(fs::read_to_string(errors).unwrap(), "kept 1 1 1\nthought 1 1 1\nlater 1 1 1\n");
}

#[test]
fn each_game_stays_on_a_processor_of_its_own_if_that_is_wanted() {
    for option in ["--affinity", "--affinity on"] {
        let scene = Scene::new();
        let file = scene.path("allowed.txt");
        // It is no engine, but it says where it may run.
        let shell = |name: &str| {
            let asked = "args=-c 'grep Cpus_allowed_list /proc/self/status >&2'".to_owned();
            let stderr = format!("stderr={}", file.display());
            ["--engine", "cmd=/bin/sh", name].map(str::to_owned).into_iter().chain([asked, stderr]).collect()
        };
        let options = words(&format!("--rounds 1 --recover {option}"));
        let report = scene.run(&[shell("name=one"), shell("name=other"), options]);
        report.assert_played(2);
        let allowed = fs::read_to_string(file).unwrap();
        let lists: Vec<&str> = allowed.lines().filter_map(|line| line.split_whitespace().nth(1)).collect();
        assert!(lists.len() >= 4 && lists.iter().all(|list| list.parse::<u32>().is_ok()), "{allowed}");
    }
}
