//! Results that an error has made wrong: each is refused with its reason, and the match ends with the right games.

use crate::stage::{Stage, Started};
use serde_json::{Value, json};
use std::fs;
use support::scene::{await_that, words};

const OPTIONS: &str = "--rounds 6 --max-moves 24 --random-plies 2 --seed 4 --lease 1";

/// A match whose coordinator waits for workers, and its games as they are played.
struct Awaited {
    stage: Stage,
    coordinator: Started,
    /// The number of the job.
    job: String,
    games: Vec<Value>,
}

impl Awaited {
    fn new(options: &str) -> Option<Awaited> {
        let stage = Stage::new()?;
        let engines = ["honest", "last"].map(|engine| stage.scene.engine(engine, &["depth=1"])).concat();
        let alone = options.replace(" --lease 1", "");
        let played = stage.alone("alone", &[engines.clone(), words(&alone)]);
        assert!(played.status.success(), "{}", String::from_utf8_lossy(&played.stderr));
        let text = fs::read_to_string(stage.scene.path("alone")).unwrap();
        let games = text.lines().skip(1).map(|line| serde_json::from_str(&line[9..]).unwrap()).collect();
        let coordinator = stage.coordinator("queue", &[engines, words(options)]);
        let state = || stage.ask("GET kroo:{test}:state").unwrap();
        assert!(await_that(|| state().contains(" running")), "{}", coordinator.errors());
        let job = state().lines().nth(1).unwrap().split(' ').next().unwrap().to_owned();
        Some(Awaited { stage, coordinator, job, games })
    }

    /// The record of a game by a worker, with changes.
    fn record(&self, worker: &str, game: usize, changes: &[(&str, Value)]) -> String {
        let mut record = self.games[game].clone();
        record["worker"] = json!({
            "worker": worker, "host": "h", "processor": "p", "cores": 1, "nps": 1000, "time_factor": 1.0
        });
        for (place, value) in changes {
            *record.pointer_mut(place).unwrap_or_else(|| panic!("{place}")) = value.clone();
        }
        let json = record.to_string();
        format!("{:08x} {json}\\n", crc32fast::hash(json.as_bytes()))
    }

    /// Has a worker bring a result for a job.
    fn bring(&self, worker: &str, job: &str, games: &str) {
        let games = games.replace('"', "\\\"");
        let words = format!("XADD kroo:{{test}}:results * job {job} worker {worker} games \"{games}\"");
        assert!(self.stage.ask(&words).unwrap().contains('-'));
    }

    fn await_refusal(&self, worker: &str, reason: &str) {
        let begin = format!("worker {worker} has brought an invalid result, and is refused: ");
        let told = || {
            let errors = self.coordinator.errors();
            errors.lines().any(|line| line.contains(&begin) && line.contains(reason))
        };
        assert!(await_that(told), "{worker}: {reason}: {}", self.coordinator.errors());
        assert_eq!(self.stage.number(&format!("HEXISTS kroo:{{test}}:refused {worker}")), 1);
    }

    /// A worker plays the match.
    fn end(mut self) {
        let mut worker = self.stage.worker("");
        assert_eq!(self.coordinator.wait(), 0, "{}", self.coordinator.errors());
        assert_eq!(worker.wait(), 0, "{}", worker.errors());
        self.stage.assert_same("queue", "alone");
    }
}

#[test]
fn records_that_the_rules_contradict_are_refused() {
    let Some(awaited) = Awaited::new(OPTIONS) else { return };
    let first = &awaited.games[0];
    assert_eq!(first["termination"], "move limit", "{first}");
    let won = if first["result"] == "1-0" { "0-1" } else { "1-0" };
    let moves = first["moves"].as_str().unwrap();
    let illegal = if moves.starts_with(char::is_uppercase) { 'a' } else { 'A' };
    let drawn = if first["result"] == "1/2-1/2" { "*" } else { "1/2-1/2" };
    for (worker, changes, reason) in [
        ("result", vec![("/result", json!(won))], "game 1: its result is "),
        ("draw", vec![("/result", json!(drawn))], "game 1: its result is "),
        (
            "reason",
            vec![("/termination", json!("by the rules"))],
            "game 1: it has ended by another reason than it says: move limit",
        ),
        ("illegal", vec![("/moves", json!(format!("{illegal}{}", &moves[1..])))], "game 1: move "),
        ("stores", vec![("/stores", json!([48, 0]))], "game 1: the stores are "),
        (
            "fault",
            vec![
                ("/termination", json!("crash")),
                ("/faults", json!([true, false])),
                ("/result", json!("0-1")),
            ],
            "game 1: it has ended by another reason than it says: move limit",
        ),
        ("other", vec![("/worker/worker", json!("honest"))], "it does not say which worker has played it"),
    ] {
        awaited.bring(worker, &awaited.job, &awaited.record(worker, 0, &changes));
        awaited.await_refusal(worker, reason);
    }
    awaited.bring("job", "0123456789abcdef", &awaited.record("job", 0, &[]));
    awaited.await_refusal("job", "job: it is for another match");
    awaited.bring("long", &awaited.job, &"x".repeat(32 << 10));
    awaited.await_refusal("long", "it cannot be read: it does not end");
    awaited.bring("none", &awaited.job, "");
    awaited.await_refusal("none", "it has 0 games, expected 1 to 2");
    awaited.end();
}

/// Otherwise it would bring the same wrong result for ever.
#[test]
fn a_worker_that_has_brought_a_wrong_result_leaves() {
    let Some(stage) = Stage::new() else { return };
    let engines = ["unhurried", "unhurried-last"].map(|kind| stage.scene.engine(kind, &["depth=1"])).concat();
    let options = "--rounds 20 --max-moves 30 --random-plies 2 --lease 1";
    let mut coordinator = stage.coordinator("queue", &[engines, words(options)]);
    let mut wrong = stage.worker("");
    stage.await_games("queue", 2);
    let name = stage.ask("EVAL \"return redis.call('HKEYS', 'kroo:{test}:workers')[1]\" 0").unwrap();
    let name = name.lines().nth(1).unwrap();
    stage.ask(&format!("XADD kroo:{{test}}:results * worker {name} games x")).unwrap();
    assert_eq!(wrong.wait(), 1, "{}", coordinator.errors());
    assert!(wrong.errors().contains("the coordinator has refused this worker"), "{}", wrong.errors());
    let mut right = stage.worker("");
    assert_eq!((coordinator.wait(), right.wait()), (0, 0), "{}", coordinator.errors());
    assert_eq!(stage.games("queue"), 40);
}
