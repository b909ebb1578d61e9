//! Each worker's games, and their display during the match.

use crate::stage::Stage;
use serde_json::Value;
use std::fs;
use std::process::Command;
use support::programs::referee_path;
use support::scene::{await_that, words};

fn status(stage: &Stage, options: &[&str]) -> String {
    let output = stage.referee().args(["status", &stage.url()]).args(options).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn the_journal_names_programs_and_machines() {
    let Some(stage) = Stage::new() else { return };
    let engines = ["honest", "last"].map(|kind| stage.scene.engine(kind, &["depth=1"])).concat();
    let arguments = [engines, words("--rounds 6 --max-moves 20 --random-plies 2")];
    let mut coordinator = stage.coordinator("queue", &arguments);
    let mut workers = [stage.worker(""), stage.worker("")];
    assert_eq!(coordinator.wait(), 0, "{}", coordinator.errors());
    for worker in &mut workers {
        assert_eq!(worker.wait(), 0, "{}", worker.errors());
    }
    let text = fs::read_to_string(stage.scene.path("queue")).unwrap();
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(&line[9..]).unwrap()).collect();
    let contents = lines[0]["programs"].as_array().unwrap();
    assert_eq!(contents.len(), 2);
    assert_eq!((contents[0]["sha256"].as_str().unwrap().len(), &contents[0]), (64, &contents[1]));
    for game in &lines[1..] {
        let worker = &game["worker"];
        assert!(!worker["worker"].as_str().unwrap().is_empty() && worker["host"].is_string(), "{game}");
        assert!(worker["cores"].as_u64().unwrap() > 0 && worker["nps"].as_u64().unwrap() > 1_000, "{game}");
        assert_eq!((worker["time_factor"].as_f64(), &game["id_names"][0]), (Some(1.0), &"Unruly".into()));
    }
    // Contradictions are refused, like others in a journal.
    for (place, value, reason) in [
        ("/1/worker/cores", Value::from(0), "its worker: it has 1 to 2^20 cores"),
        ("/1/worker/time_factor", Value::from(1e9), "its worker: times are multiplied by 0.05 to 20"),
        ("/1/worker/host", Value::from("\u{1b}[2J"), "its worker: names have at most 200 printable"),
        (
            "/0/programs/0/sha256",
            Value::from("x"),
            "the content of the executable of engine 1: sha256: expected 64",
        ),
    ] {
        let mut forged = Value::from(lines.clone());
        *forged.pointer_mut(place).unwrap() = value;
        let line = |value: &Value| {
            let json = value.to_string();
            format!("{:08x} {json}\n", crc32fast::hash(json.as_bytes()))
        };
        let forged =
            stage.scene.file("forged", &forged.as_array().unwrap().iter().map(line).collect::<String>());
        let output = Command::new(referee_path()).args(["merge", &forged]).output().unwrap();
        let errors = String::from_utf8(output.stderr).unwrap();
        assert!(!output.status.success() && errors.contains(reason), "{reason}: {errors}");
    }
}

#[test]
fn a_queue_can_be_looked_at() {
    let Some(stage) = Stage::new() else { return };
    assert!(status(&stage, &[]).contains("#test: no match\n"));
    let engines = ["unhurried", "unhurried-last"].map(|kind| stage.scene.engine(kind, &["depth=1"])).concat();
    let options = words("--sprt elo0=0 elo1=2 --rounds 30 --max-moves 40 --random-plies 3");
    let mut coordinator = stage.coordinator("queue", &[engines, options]);
    let mut worker = stage.worker("--concurrency 2");
    stage.await_games("queue", 8);
    let look = || serde_json::from_str::<Value>(&status(&stage, &["--json"])).unwrap();
    assert!(await_that(|| look()["progress"]["games"].as_u64().is_some_and(|games| games >= 8)));
    let seen = look();
    assert_eq!((&seen["state"], &seen["coordinated"]), (&"running".into(), &true.into()), "{seen}");
    assert_eq!((&seen["workers"][0]["threads"], &seen["workers"][0]["health"]), (&2.into(), &"there".into()));
    assert!(seen["progress"]["llr"][2].as_f64().unwrap() > 2.9 && seen["progress"]["of"] == 60, "{seen}");
    assert!(!seen.to_string().contains("sesame"), "{seen}");
    let text = status(&stage, &[]);
    assert!(text.contains("unhurried vs unhurried-last is being played\nGames: "), "{text}");
    assert!(text.contains("\nWorkers: 1, which plays 2 games at once\n"), "{text}");
    let _ = (coordinator.wait(), worker.wait());
    assert!(status(&stage, &[]).contains("#test: the match is over\nGames: "), "{}", status(&stage, &[]));
}

#[test]
fn clocks_run_longer_on_slower_machines() {
    let Some(stage) = Stage::new() else { return };
    // As long as it takes: what is measured is how the times are multiplied.
    let engines = ["honest", "last"].map(|kind| stage.scene.engine(kind, &["st=5"])).concat();
    for (options, scaled) in [("", true), ("--scale-clocks off", false)] {
        let journal = if scaled { "scaled" } else { "same" };
        let rest = words(&format!("--rounds 1 --max-moves 20 --random-plies 2 {options}"));
        let mut coordinator = stage.coordinator(journal, &[engines.clone(), rest]);
        let there = || stage.ask("GET kroo:{test}:state").is_some_and(|state| state.contains(" running"));
        assert!(await_that(there));
        let job = stage.ask("GET kroo:{test}:job").unwrap().lines().nth(1).unwrap().to_owned();
        // A coordinator of which every worker is far slower.
        let (start, rest) = job.split_once("\"nps\":").unwrap();
        let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap();
        let faster = format!("{start}\"nps\":1000000000{}", &rest[digits..]).replace('"', "\\\"");
        stage.ask(&format!("SET kroo:{{test}}:job \"{faster}\"")).unwrap();
        let mut worker = stage.worker("");
        assert_eq!((coordinator.wait(), worker.wait()), (0, 0), "{}", coordinator.errors());
        let text = fs::read_to_string(stage.scene.path(journal)).unwrap();
        let game: Value = serde_json::from_str(&text.lines().nth(1).unwrap()[9..]).unwrap();
        let factor = game["worker"]["time_factor"].as_f64().unwrap();
        assert!(if scaled { factor == 20.0 } else { factor == 1.0 }, "{factor}");
    }
}

#[test]
fn workers_play_on_with_an_engine_that_does_not_start() {
    let Some(stage) = Stage::new() else { return };
    let engines = ["honest", "crash-at-start"].map(|kind| stage.scene.engine(kind, &["depth=1"])).concat();
    let arguments = [engines, words("--rounds 2 --max-moves 20 --recover --affinity on")];
    let mut coordinator = stage.coordinator("queue", &arguments);
    let mut worker = stage.worker("");
    assert_eq!((coordinator.wait(), worker.wait()), (0, 0), "{}{}", coordinator.errors(), worker.errors());
    let output = coordinator.output();
    assert!(output.contains("Faults: crash-at-start failed to start 4"), "{output}");
}
