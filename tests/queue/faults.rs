//! Whatever happens to workers, coordinators and the broker: every game is there once, in its order, and none is another.

use crate::stage::Stage;
use serde_json::Value;
use std::process::Command;
use std::thread::sleep;
use std::time::Duration;
use support::programs::referee_path;
use support::scene::{await_that, signal, words};

const OPTIONS: &str = "--rounds 30 --max-moves 60 --random-plies 4 --seed 3 --lease 1";
/// Longer than anything may take here: no batch is taken over because the machine is slow.
const PATIENT: &str = "--lease 60";
pub const GAMES: usize = 60;

/// A match that takes some seconds, and its journal when nothing happens.
pub fn arguments(stage: &Stage) -> Vec<Vec<String>> {
    let engines =
        ["unhurried", "unhurried-last"].map(|engine| stage.scene.engine(engine, &["depth=1"])).concat();
    let arguments = vec![engines, words(OPTIONS)];
    let undisturbed: Vec<Vec<String>> =
        vec![arguments[0].clone(), words(OPTIONS.split(" --lease").next().unwrap())];
    let played = stage.alone("alone", &undisturbed);
    assert!(played.status.success(), "{}", String::from_utf8_lossy(&played.stderr));
    arguments
}

/// The same, with workers that keep their batches.
fn patient(stage: &Stage) -> Vec<Vec<String>> {
    let mut arguments = arguments(stage);
    arguments[1] = words(&OPTIONS.replace("--lease 1", PATIENT));
    arguments
}

fn assert_undisturbed(stage: &Stage) {
    assert_eq!(stage.games("queue"), GAMES);
    stage.assert_same("queue", "alone");
}

#[test]
#[ignore = "some seconds each: .ci/long has them"]
fn the_games_of_a_worker_that_is_killed_are_played_by_others() {
    let Some(stage) = Stage::new() else { return };
    let arguments = arguments(&stage);
    let mut coordinator = stage.coordinator("queue", &arguments);
    for games in [4, 16, 28] {
        let mut victim = stage.worker("--concurrency 2");
        stage.await_games("queue", games);
        victim.kill();
    }
    let mut last = stage.worker("--concurrency 2");
    assert_eq!((coordinator.wait(), last.wait()), (0, 0), "{}{}", coordinator.errors(), last.errors());
    assert_undisturbed(&stage);
    assert!(stage.scene.await_processes(0));
}

#[test]
#[ignore = "some seconds each: .ci/long has them"]
fn a_worker_that_is_suspended_loses_its_batch_and_comes_too_late() {
    let Some(stage) = Stage::new() else { return };
    let arguments = arguments(&stage);
    let mut coordinator = stage.coordinator("queue", &arguments);
    let mut sleeper = stage.worker("");
    stage.await_games("queue", 6);
    signal(&sleeper.child, "STOP");
    let mut other = stage.worker("");
    // More games than were ready: its batch has been played by the other one.
    stage.await_games("queue", 40);
    signal(&sleeper.child, "CONT");
    assert_eq!(coordinator.wait(), 0, "{}", coordinator.errors());
    assert_eq!((sleeper.wait(), other.wait()), (0, 0), "{}{}", sleeper.errors(), other.errors());
    assert!(sleeper.output().contains("batches too late: 1"), "{}", sleeper.output());
    assert_undisturbed(&stage);
}

#[test]
#[ignore = "some seconds each: .ci/long has them"]
fn a_coordinator_that_is_killed_goes_on_from_its_journal() {
    let Some(stage) = Stage::new() else { return };
    let mut arguments = arguments(&stage);
    arguments.push(words("--resume"));
    let mut workers = [stage.worker("--concurrency 2"), stage.worker("")];
    for games in [5, 20] {
        let mut coordinator = stage.coordinator("queue", &arguments);
        stage.await_games("queue", games);
        coordinator.kill();
        // The workers go on meanwhile with what is ready for them.
        sleep(Duration::from_millis(300));
        // Instead of waiting until its lock is forgotten.
        stage.ask("DEL kroo:{test}:lock").unwrap();
    }
    let mut coordinator = stage.coordinator("queue", &arguments);
    assert_eq!(coordinator.wait(), 0, "{}", coordinator.errors());
    assert!(coordinator.output().contains("Resumed: "), "{}", coordinator.output());
    for worker in &mut workers {
        assert_eq!(worker.wait(), 0, "{}", worker.errors());
        assert!(worker.output().contains("batches too late: 0"), "{}", worker.output());
    }
    assert_undisturbed(&stage);
}

#[test]
#[ignore = "some seconds each: .ci/long has them"]
fn a_broker_that_is_killed_and_started_again_loses_nothing() {
    let Some(mut stage) = Stage::new() else { return };
    let arguments = patient(&stage);
    let mut coordinator = stage.coordinator("queue", &arguments);
    let mut workers = [stage.worker("--concurrency 2"), stage.worker("")];
    for games in [8, 24] {
        stage.await_games("queue", games);
        stage.kill_broker();
        sleep(Duration::from_millis(500));
        stage.start_broker();
    }
    assert_eq!(coordinator.wait(), 0, "{}", coordinator.errors());
    assert!(coordinator.errors().contains("the broker is back"), "{}", coordinator.errors());
    for worker in &mut workers {
        assert_eq!(worker.wait(), 0, "{}", worker.errors());
        // Each result that was acknowledged to a worker was there afterwards.
        assert!(worker.output().contains("batches too late: 0"), "{}", worker.output());
    }
    assert_undisturbed(&stage);
}

#[test]
#[ignore = "some seconds each: .ci/long has them"]
fn a_broker_that_forgets_everything_is_told_again() {
    let Some(stage) = Stage::new() else { return };
    let arguments = arguments(&stage);
    let mut coordinator = stage.coordinator("queue", &arguments);
    let _workers = [stage.worker("--concurrency 2"), stage.worker("")];
    stage.await_games("queue", 10);
    stage.ask("FLUSHALL").unwrap();
    assert_eq!(coordinator.wait(), 0, "{}", coordinator.errors());
    assert_undisturbed(&stage);
}

#[test]
#[ignore = "some seconds each: .ci/long has them"]
fn cut_connections_are_made_again() {
    let Some(stage) = Stage::new() else { return };
    let arguments = arguments(&stage);
    let mut coordinator = stage.coordinator("queue", &arguments);
    let mut workers = [stage.worker("--concurrency 2"), stage.worker("")];
    for games in [4, 12, 20, 28] {
        stage.await_games("queue", games);
        stage.cut_connections();
    }
    assert_eq!(coordinator.wait(), 0, "{}", coordinator.errors());
    for worker in &mut workers {
        assert_eq!(worker.wait(), 0, "{}", worker.errors());
    }
    assert_undisturbed(&stage);
}

#[test]
#[ignore = "some seconds each: .ci/long has them"]
fn a_worker_leaves_as_it_is_asked_to() {
    let Some(stage) = Stage::new() else { return };
    let arguments = arguments(&stage);
    let mut coordinator = stage.coordinator("queue", &arguments);
    for (options, status, given_back) in
        [("--on-signal finish", 0, "given back: 0"), ("--on-signal give-back", 143, "given back: 1")]
    {
        let mut worker = stage.worker(options);
        let before = stage.games("queue");
        stage.await_games("queue", before + 4);
        signal(&worker.child, "TERM");
        assert_eq!(worker.wait(), status, "{}", worker.errors());
        assert!(worker.output().contains(given_back), "{}", worker.output());
    }
    let mut last = stage.worker("");
    assert_eq!((coordinator.wait(), last.wait()), (0, 0), "{}", coordinator.errors());
    assert_undisturbed(&stage);
}

#[test]
#[ignore = "some seconds each: .ci/long has them"]
fn an_interrupted_coordinator_leaves_its_match_to_the_next_one() {
    let Some(stage) = Stage::new() else { return };
    let mut arguments = arguments(&stage);
    arguments.push(words("--resume"));
    let mut worker = stage.worker("");
    let mut coordinator = stage.coordinator("queue", &arguments);
    stage.await_games("queue", 6);
    signal(&coordinator.child, "INT");
    assert_eq!(coordinator.wait(), 130);
    let mut coordinator = stage.coordinator("queue", &arguments);
    assert_eq!((coordinator.wait(), worker.wait()), (0, 0), "{}{}", coordinator.errors(), worker.errors());
    assert_undisturbed(&stage);
}

#[test]
#[ignore = "some seconds each: .ci/long has them"]
fn a_match_whose_coordinator_was_killed_after_the_last_game_is_ended_by_the_next_one() {
    let Some(stage) = Stage::new() else { return };
    let engines = ["honest", "last"].map(|engine| stage.scene.engine(engine, &["depth=1"])).concat();
    let mut arguments = vec![engines, words("--rounds 3 --max-moves 20")];
    let mut coordinator = stage.coordinator("queue", &arguments);
    let there = || stage.ask("EXISTS kroo:{test}:state").unwrap().starts_with(":1");
    assert!(await_that(there));
    // As it was before the end.
    for key in ["job", "state"] {
        stage.ask(&format!("COPY kroo:{{test}}:{key} {key}")).unwrap();
    }
    let mut worker = stage.worker("");
    assert_eq!((coordinator.wait(), worker.wait()), (0, 0), "{}", coordinator.errors());
    for key in ["job", "state"] {
        stage.ask(&format!("COPY {key} kroo:{{test}}:{key} REPLACE")).unwrap();
    }
    arguments.push(words("--resume"));
    assert_eq!(stage.coordinator("queue", &arguments).wait(), 0);
    assert!(stage.ask("GET kroo:{test}:state").unwrap().contains("stopped"));
}

#[test]
#[ignore = "some seconds each: .ci/long has them"]
fn two_coordinators_do_not_share_a_queue() {
    let Some(stage) = Stage::new() else { return };
    let arguments = arguments(&stage);
    let first = stage.coordinator("queue", &arguments);
    let is_locked = || stage.ask("EXISTS kroo:{test}:lock").unwrap().starts_with(":1");
    assert!(await_that(is_locked));
    let mut second = stage.coordinator("other", &arguments);
    assert_eq!(second.wait(), 1);
    assert!(second.errors().contains("another referee has this queue"), "{}", second.errors());
    drop(first);
}

/// A connection is cut while a coordinator waits until the lock of the one before it is gone.
#[test]
#[ignore = "some seconds each: .ci/long has them"]
fn a_coordinator_that_waits_for_a_lock_outlives_its_connection() {
    let Some(stage) = Stage::new() else { return };
    let engines = ["honest", "last"].map(|engine| stage.scene.engine(engine, &["depth=1"])).concat();
    let arguments = vec![engines, words("--rounds 2 --max-moves 20")];
    stage.ask("SET kroo:{test}:lock predecessor").unwrap();
    let mut coordinator = stage.coordinator("queue", &arguments);
    // Each look at the lock is a GET.
    let looks = || {
        stage.number(
            "EVAL \"return tonumber(string.match(redis.call('INFO','commandstats'),'cmdstat_get:calls=(%d+)') or 0)\" 0",
        )
    };
    let await_more = |before: i64| assert!(await_that(|| looks() > before), "it looks at the lock");
    await_more(0);
    for _ in 0..3 {
        let before = looks();
        stage.cut_connections();
        await_more(before + 1);
    }
    assert_eq!(stage.number("EXISTS kroo:{test}:job"), 0, "nothing is published without the lock");
    stage.ask("DEL kroo:{test}:lock").unwrap();
    let mut worker = stage.worker("");
    assert_eq!((coordinator.wait(), worker.wait()), (0, 0), "{}{}", coordinator.errors(), worker.errors());
    assert_eq!(stage.games("queue"), 4);
}

/// The status after the end of a coordinator is that of its journal, in the order of all outputs; a worker that has
/// left is absent, not silent.
#[test]
#[ignore = "some seconds each: .ci/long has them"]
fn the_status_is_that_of_the_journal() {
    let Some(stage) = Stage::new() else { return };
    let manners = ["unhurried", "unhurried-last", "last"];
    let engines = manners.map(|engine| stage.scene.engine(engine, &["depth=1"])).concat();
    let mut arguments = vec![engines, words("--rounds 6 --max-moves 40 --lease 1")];
    let status = |options: &str| {
        let output = stage.referee().args(["status", &stage.url()]).args(words(options)).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    let mut coordinator = stage.coordinator("queue", &arguments);
    let mut worker = stage.worker("--on-signal finish");
    stage.await_games("queue", 7);
    signal(&worker.child, "TERM");
    assert_eq!(worker.wait(), 0, "{}", worker.errors());
    signal(&coordinator.child, "INT");
    assert_eq!(coordinator.wait(), 130, "{}", coordinator.errors());
    let told = status("");
    assert!(told.contains(&format!("\nGames: {} of 36", stage.games("queue"))), "{told}");
    assert!(told.contains("\nWorkers: 0, ") && !told.contains("silent"), "{told}");
    arguments.push(words("--resume"));
    let json = stage.scene.path("end.json").to_string_lossy().into_owned();
    arguments.push(vec!["--json".to_owned(), json.clone()]);
    let mut coordinator = stage.coordinator("queue", &arguments);
    let mut worker = stage.worker("--concurrency 2");
    assert_eq!((coordinator.wait(), worker.wait()), (0, 0), "{}{}", coordinator.errors(), worker.errors());
    let told = status("");
    assert!(told.contains("\nGames: 36 of 36") && !told.contains("silent"), "{told}");
    let end: Value = serde_json::from_str(&std::fs::read_to_string(json).unwrap()).unwrap();
    let mut ranked = end["result"]["engines"].as_array().unwrap().clone();
    ranked.sort_by_key(|engine| engine["rank"].as_u64());
    let places: Vec<usize> =
        ranked.iter().map(|one| manners.iter().position(|name| one["name"] == *name).unwrap()).collect();
    let found: Value = serde_json::from_str(&status("--json")).unwrap();
    assert_eq!(found["progress"]["order"], serde_json::json!(places));
}

/// The journal says everything but the password of the queue.
#[test]
#[ignore = "some seconds each: .ci/long has them"]
fn a_coordinator_goes_on_from_its_journal_alone() {
    let Some(stage) = Stage::new() else { return };
    let mut worker = stage.worker("");
    let mut coordinator = stage.coordinator("queue", &arguments(&stage));
    stage.await_games("queue", 6);
    signal(&coordinator.child, "INT");
    assert_eq!(coordinator.wait(), 130);
    let journal = stage.scene.path("queue").to_string_lossy().into_owned();
    let errors = coordinator.errors();
    let line = format!(
        ", with the queue's password in KROO_QUEUE_PASSWORD: {} --resume --journal {journal}\n",
        referee_path()
    );
    assert!(errors.contains(&line) && !errors.contains("sesame"), "{errors}");
    assert!(!std::fs::read_to_string(&journal).unwrap().contains("sesame"));
    let mut command = Command::new(referee_path());
    command.args(["--resume", "--journal", &journal]).env("KROO_QUEUE_PASSWORD", "sesame");
    let mut coordinator = stage.start(command);
    assert_eq!((coordinator.wait(), worker.wait()), (0, 0), "{}{}", coordinator.errors(), worker.errors());
    assert_undisturbed(&stage);
}

/// A worker looks at all batches whose lease has run out, not only at the oldest ones in play.
#[test]
fn an_expired_batch_is_taken_over_behind_many_live_ones() {
    let Some(stage) = Stage::new() else { return };
    let engines = ["honest", "last"].map(|engine| stage.scene.engine(engine, &["depth=1"])).concat();
    let arguments = vec![engines, words("--rounds 10 --max-moves 30 --random-plies 2 --lease 1")];
    let mut coordinator = stage.coordinator("queue", &arguments);
    assert!(await_that(|| stage.number("XLEN kroo:{test}:batches") > 0));
    // Games of a batch that is there several times count once.
    let script = |body: &str| {
        let body = body.replace("ALL", "'kroo:{test}:batches'");
        stage.number(&format!("EVAL \"{body}\" 0"))
    };
    script(
        "local first = redis.call('XRANGE', ALL, '-', '+', 'COUNT', 1)[1][2] \
         for _ = 1, 13 do redis.call('XADD', ALL, '*', unpack(first)) end \
         redis.call('XREADGROUP', 'GROUP', 'workers', 'live', 'COUNT', 12, 'STREAMS', ALL, '>') \
         redis.call('XREADGROUP', 'GROUP', 'workers', 'dead', 'COUNT', 1, 'STREAMS', ALL, '>') return 0",
    );
    let of_the_dead = || script("return #redis.call('XPENDING', ALL, 'workers', '-', '+', 99, 'dead')");
    assert_eq!(of_the_dead(), 1);
    let mut worker = stage.worker("");
    let taken_over = || {
        script(
            "for _, held in ipairs(redis.call('XPENDING', ALL, 'workers', '-', '+', 99, 'live')) do \
             redis.call('XCLAIM', ALL, 'workers', 'live', 0, held[1], 'JUSTID') end return 0",
        );
        of_the_dead() == 0
    };
    assert!(await_that(taken_over), "{}", worker.errors());
    assert_eq!((coordinator.wait(), worker.wait()), (0, 0), "{}{}", coordinator.errors(), worker.errors());
    assert_eq!(stage.games("queue"), 20);
}

/// `--wait` is for what is missing: a worker that waits for nothing plays what is there, and a match that has ended is no fault.
#[test]
fn a_worker_that_waits_for_nothing_plays_what_is_there() {
    let Some(stage) = Stage::new() else { return };
    let engines = ["unhurried", "unhurried-last"].map(|kind| stage.scene.engine(kind, &["depth=1"])).concat();
    let mut arguments = vec![engines, words("--rounds 6 --max-moves 30 --random-plies 2"), words("--resume")];
    for wait in ["--wait 0", "--wait 1"] {
        let mut coordinator = stage.coordinator(wait, &arguments);
        assert!(await_that(|| stage.ask("GET kroo:{test}:state").unwrap().contains("running")));
        let mut worker = stage.worker(wait);
        assert_eq!((coordinator.wait(), worker.wait()), (0, 0), "{wait}: {}", worker.errors());
        assert_eq!(stage.games(wait), 12);
    }
    // Without a coordinator only the batches that are ready are played.
    arguments[1] = words("--rounds 60 --max-moves 30 --random-plies 2");
    let mut coordinator = stage.coordinator("queue", &arguments);
    assert!(await_that(|| stage.number("XLEN kroo:{test}:batches") == 4));
    signal(&coordinator.child, "INT");
    assert_eq!(coordinator.wait(), 130);
    let mut worker = stage.worker("--wait 0");
    assert_eq!(worker.wait(), 1);
    assert!(worker.errors().contains("there is no coordinator"), "{}", worker.errors());
    assert_eq!(stage.number("XLEN kroo:{test}:batches"), 0);
}
