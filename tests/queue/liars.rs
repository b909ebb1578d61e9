//! Workers that lie: their records are refused with a reason, and so are their users, whatever names their processes use.

use crate::guarded::Guarded;
use crate::stage::Started;
use serde_json::{Value, json};
use std::fs;
use support::scene::{await_that, words};

const OPTIONS: &str = "--rounds 6 --max-moves 24 --random-plies 2 --seed 4 --lease 1";

/// A match whose coordinator waits for workers, and its games as they are played.
struct Deceived {
    guarded: Guarded,
    coordinator: Started,
    /// The number of the job.
    job: String,
    games: Vec<Value>,
}

impl Deceived {
    fn new(workers: &[&str], options: &str) -> Option<Deceived> {
        let guarded = Guarded::new(workers)?;
        let alone = options.replace(" --lease 1", "");
        let played = guarded.stage.alone("alone", &[guarded.engines(), words(&alone)]);
        assert!(played.status.success(), "{}", String::from_utf8_lossy(&played.stderr));
        let text = fs::read_to_string(guarded.stage.scene.path("alone")).unwrap();
        let games = text.lines().skip(1).map(|line| serde_json::from_str(&line[9..]).unwrap()).collect();
        let coordinator = guarded.coordinator(options);
        let state = || guarded.ask("viewer", &["GET", "kroo:{test}:state"]);
        assert!(await_that(|| state().contains("running")), "{}", coordinator.errors());
        let job = state().split(' ').next().unwrap().trim_matches('"').to_owned();
        Some(Deceived { guarded, coordinator, job, games })
    }

    /// The record of a game by a user, with changes.
    fn record(&self, user: &str, game: usize, changes: &[(&str, Value)]) -> String {
        let mut record = self.games[game].clone();
        record["worker"] = json!({
            "worker": user, "host": "h", "processor": "p", "cores": 1, "nps": 1000, "time_factor": 1.0
        });
        for (place, value) in changes {
            *record.pointer_mut(place).unwrap_or_else(|| panic!("{place}")) = value.clone();
        }
        let json = record.to_string();
        format!("{:08x} {json}\n", crc32fast::hash(json.as_bytes()))
    }

    /// Has a user bring a result for a job, as a worker does, but without ringing the bell.
    fn bring(&self, user: &str, job: &str, games: &str) {
        let key = format!("kroo:{{test}}:results:{user}");
        let words = ["XADD", &key, "*", "job", job, "worker", "whatever:1:2", "games"];
        let answer = self.guarded.tell(user, &words, Some(games.as_bytes()));
        assert!(answer.contains('-') && !answer.contains("ERR"), "{answer}");
    }

    fn await_refusal(&self, user: &str, reason: &str) {
        let begin = format!("worker {user} has brought an invalid result, and is refused: ");
        let told = || {
            let errors = self.coordinator.errors();
            errors.lines().any(|line| line.contains(&begin) && line.contains(reason))
        };
        assert!(await_that(told), "{user}: {reason}: {}", self.coordinator.errors());
    }

    /// The honest worker plays the match.
    fn end(mut self, honest: &str) {
        let mut worker = self.guarded.start(honest, &["worker"]);
        assert_eq!(self.coordinator.wait(), 0, "{}", self.coordinator.errors());
        assert_eq!(worker.wait(), 0, "{}", worker.errors());
        self.guarded.stage.assert_same("queue", "alone");
        let journal = fs::read_to_string(self.guarded.stage.scene.path("queue")).unwrap();
        let author = format!("\"worker\":\"{honest}\"");
        assert!(journal.lines().skip(1).all(|line| line.contains(&author)), "{journal}");
    }
}

#[test]
fn records_that_the_rules_contradict_are_refused_with_their_users() {
    let users =
        ["result", "draw", "reason", "illegal", "stores", "fault", "other", "job", "long", "none", "honest"];
    let Some(deceived) = Deceived::new(&users, OPTIONS) else { return };
    let first = &deceived.games[0];
    assert_eq!(first["termination"], "move_limit", "{first}");
    let won = if first["result"] == "1-0" { "0-1" } else { "1-0" };
    let moves = first["moves"].as_str().unwrap();
    let illegal = if moves.starts_with(char::is_uppercase) { 'a' } else { 'A' };
    let drawn = if first["result"] == "1/2-1/2" { "*" } else { "1/2-1/2" };
    for (user, changes, reason) in [
        ("result", vec![("/result", json!(won))], "game 1: its result is "),
        ("draw", vec![("/result", json!(drawn))], "game 1: its result is "),
        (
            "reason",
            vec![("/termination", json!("rules"))],
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
        deceived.bring(user, &deceived.job, &deceived.record(user, 0, &changes));
        deceived.await_refusal(user, reason);
    }
    deceived.bring("job", "0123456789abcdef", &deceived.record("job", 0, &[]));
    deceived.await_refusal("job", "job: it is for another match");
    deceived.bring("long", &deceived.job, &"x".repeat(9 << 20));
    deceived.await_refusal("long", "it has 9437");
    deceived.bring("none", &deceived.job, "");
    deceived.await_refusal("none", "it has 0 games, expected 1 to 2");
    deceived.end("honest");
}

#[test]
fn an_end_by_scores_that_a_record_does_not_have_is_refused() {
    // No game of these engines is resigned.
    let options = format!("{OPTIONS} --resign moves=3 score=48 --draw moves=3 score=0 from=300");
    let Some(deceived) = Deceived::new(&["resigns", "agrees", "honest"], &options) else { return };
    let scores = deceived.games[0]["scores"].as_array().unwrap().len();
    for (user, termination, result, reason) in [
        ("resigns", "resignation", "1-0", "it has ended by another reason than it says: move limit"),
        ("agrees", "agreement", "1/2-1/2", "it has ended by another reason than it says: move limit"),
    ] {
        let changes = [
            ("/termination", json!(termination)),
            ("/result", json!(result)),
            ("/scores", json!(vec![100; scores])),
        ];
        deceived.bring(user, &deceived.job, &deceived.record(user, 0, &changes));
        deceived.await_refusal(user, reason);
    }
    deceived.end("honest");
}

#[test]
fn a_refused_user_brings_nothing_under_any_name() {
    let Some(deceived) = Deceived::new(&["liar", "honest"], OPTIONS) else { return };
    deceived.bring("liar", &deceived.job, "x\n");
    deceived.await_refusal("liar", "it is too short");
    // Its correct results are refused too, and leave the queue.
    deceived.bring("liar", &deceived.job, &deceived.record("liar", 0, &[]));
    let left = || deceived.guarded.ask("coordinator", &["EXISTS", "kroo:{test}:results:liar"]);
    assert!(await_that(|| left().trim() == "0"));
    // A process with another name is no other worker.
    let mut again = deceived.guarded.start("liar", &["worker"]);
    assert_eq!(again.wait(), 1, "{}", again.errors());
    assert!(again.errors().contains("the coordinator has refused this worker"), "{}", again.errors());
    deceived.end("honest");
}

#[test]
fn a_coordinator_that_goes_on_knows_who_is_refused() {
    let Some(mut deceived) = Deceived::new(&["liar", "honest"], OPTIONS) else { return };
    deceived.bring("liar", &deceived.job, "x\n");
    deceived.await_refusal("liar", "it is too short");
    deceived.coordinator.kill();
    deceived.guarded.ask("coordinator", &["DEL", "kroo:{test}:lock"]);
    deceived.bring("liar", &deceived.job, &deceived.record("liar", 0, &[]));
    deceived.coordinator = deceived.guarded.coordinator(&format!("{OPTIONS} --resume"));
    deceived.end("honest");
}

#[test]
fn a_flood_of_records_is_read_in_parts() {
    let Some(deceived) = Deceived::new(&["flood", "honest"], OPTIONS) else { return };
    // More than is read at once, by number and by bytes.
    let script = "for place = 1, 5000 do redis.call('XADD', KEYS[1], '*', 'note', 'x') end \
                  for place = 1, 8 do redis.call('XADD', KEYS[2], '*', 'games', string.rep('x', 8000000)) end \
                  return 'done'";
    let keyless = script
        .replace("KEYS[1]", "'kroo:{test}:notes:flood'")
        .replace("KEYS[2]", "'kroo:{test}:results:flood'");
    assert_eq!(deceived.guarded.run("flood", &keyless).trim(), "done");
    let refused = || deceived.guarded.ask("viewer", &["HKEYS", "kroo:{test}:refused"]).contains("flood");
    assert!(await_that(refused), "{}", deceived.coordinator.errors());
    let peak = fs::read_to_string(format!("/proc/{}/status", deceived.coordinator.child.id())).unwrap();
    let peak = peak.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap().trim().to_owned();
    let kib: u64 = peak.trim_end_matches(" kB").parse().unwrap();
    assert!(kib < 256 << 10, "{peak}");
    deceived.end("honest");
}
