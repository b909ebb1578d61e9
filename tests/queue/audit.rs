//! The games of each worker.

use crate::stage::Stage;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::process::Command;
use support::programs::{self, referee_path};
use support::scene::{built, words};

fn audit(stage: &Stage, options: &[&str]) -> Result<String, String> {
    let output = Command::new(referee_path())
        .arg("audit")
        .arg(stage.scene.path("queue"))
        .args(options)
        .output()
        .unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    if output.status.success() { Ok(text(output.stdout)) } else { Err(text(output.stderr)) }
}

/// An engine that is another one where the variable `SICK` says so.
fn moody(stage: &Stage, well: &str, sick: &str) -> String {
    let unruly = built("examples/unruly", &["-p", "kroo-referee", "--example", "unruly"]);
    let text = format!(
        "#!/bin/sh\nif [ -n \"$SICK\" ]; then sleep 0.1; exec '{0}' {sick}; fi\nexec '{0}' {well}\n",
        unruly.display()
    );
    programs::script(stage.scene.path("moody"), &text)
}

/// The games of each worker in the journal.
fn games_by_worker(stage: &Stage) -> BTreeMap<String, u64> {
    let journal = fs::read_to_string(stage.scene.path("queue")).unwrap();
    let mut games = BTreeMap::new();
    for line in journal.lines().skip(1) {
        let game: Value = serde_json::from_str(&line[9..]).unwrap();
        *games.entry(game["worker"]["worker"].as_str().unwrap().to_owned()).or_default() += 1;
    }
    games
}

#[test]
fn a_worker_whose_engines_die_has_the_faults() {
    let Some(stage) = Stage::new() else { return };
    let moody = moody(&stage, "unhurried-last", "dies-as-south");
    let mut engines = words(&format!("--engine cmd={moody} name=moody depth=1 env.SICK="));
    engines.extend(stage.scene.engine("unhurried-last", &["depth=1"]));
    let options = words("--rounds 60 --max-moves 30 --random-plies 5 --recover");
    let worker = format!("{} --allow-env SICK", stage.allow_unruly());
    let _workers = [stage.worker(&worker), stage.worker_with(&worker, &[("SICK", "yes")])];
    let mut coordinator = stage.coordinator("queue", &[engines, options]);
    assert_eq!(coordinator.wait(), 0, "{}", coordinator.errors());
    let games = games_by_worker(&stage);
    assert_eq!(games.len(), 2, "{games:?}");
    let seen: Value = serde_json::from_str(&audit(&stage, &["--json"]).unwrap()).unwrap();
    let workers = seen["workers"].as_array().unwrap();
    for worker in workers {
        assert_eq!(
            worker["games"].as_u64(),
            games.get(worker["worker"].as_str().unwrap()).copied(),
            "{seen}"
        );
        assert_eq!(worker["host"], hostname().as_str());
    }
    let sick: Vec<&Value> = workers.iter().filter(|worker| worker["faults"] != 0).collect();
    let [sick] = sick.as_slice() else { panic!("{seen}") };
    assert!(sick["score"].as_f64() < Some(0.5), "{seen}");
    assert_eq!(seen["all"]["games"], 120);
    let text = audit(&stage, &[]).unwrap();
    assert!(
        text.contains("Games    Score  Faults\n") && text.contains("\nAll games: 120 games, moody "),
        "{text}"
    );
    let name = sick["worker"].as_str().unwrap();
    let row: Vec<&str> =
        text.lines().find(|line| line.starts_with(name)).unwrap().split_whitespace().collect();
    assert_eq!((row[2], row[4]), (&*sick["games"].to_string(), &*sick["faults"].to_string()), "{text}");
    // The end of the match shows the same table.
    assert!(
        coordinator.output().contains(text.split_once("\nAll games").unwrap().0),
        "{}",
        coordinator.output()
    );
}

fn hostname() -> String {
    fs::read_to_string("/proc/sys/kernel/hostname").unwrap().trim().to_owned()
}

#[test]
fn a_match_of_one_machine_has_no_workers() {
    let Some(stage) = Stage::new() else { return };
    let engines = ["honest", "last"].map(|kind| stage.scene.engine(kind, &["depth=1"])).concat();
    stage.alone("queue", &[engines, words("--rounds 2 --max-moves 10 --random-plies 2")]);
    let error = audit(&stage, &[]).unwrap_err();
    assert!(error.contains("there are no workers to list"), "{error}");
}
