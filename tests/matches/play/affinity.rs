//! Processor affinity of engines and workers.

use std::fs;
use std::thread::available_parallelism;
use support::scene::{Scene, words};
use support::tools::has;

/// The processors that programs of a match may use, as they tell it. They are no engines, and are started again for each game.
fn allowed(engine: &str, options: &str) -> Vec<String> {
    let scene = Scene::new();
    let file = scene.path("allowed.txt");
    let shell = |name: &str| {
        let asked = "args=-c 'grep Cpus_allowed_list /proc/self/status >&2'".to_owned();
        let stderr = format!("stderr={}", file.display());
        let own = ["--engine", "cmd=/bin/sh", name].map(str::to_owned).into_iter().chain([asked, stderr]);
        own.chain(words(engine)).collect()
    };
    let report =
        scene.run(&[shell("name=one"), shell("name=other"), words("--rounds 1 --recover"), words(options)]);
    report.assert_played(2);
    let allowed = fs::read_to_string(file).unwrap();
    let lists: Vec<String> =
        allowed.lines().filter_map(|line| line.split_whitespace().nth(1).map(str::to_owned)).collect();
    assert!(lists.len() >= 4, "{allowed}");
    lists
}

/// Engines that answer at once share a processor, unless that is not wanted or would do harm.
#[test]
fn each_game_stays_on_a_processor_of_its_own_if_that_helps() {
    let true = has("processors") else { return };
    let many = format!("--concurrency {}", available_parallelism().unwrap().get() + 1);
    for (engine, options, kept) in [
        ("", "--affinity", true),
        ("st=1", "--affinity on", true),
        ("nodes=1", "", true),
        ("nodes=1000", "", true),
        ("nodes=1", "--affinity off", false),
        ("nodes=1 ponder=on", "", false),
        ("nodes=1001", "", false),
        ("st=1", "", false),
        ("nodes=1", &many, false),
    ] {
        let lists = allowed(engine, options);
        let one = |list: &String| list.parse::<u32>().is_ok();
        assert!(lists.iter().all(|list| one(list) == kept), "{engine} {options}: {lists:?}");
    }
}
