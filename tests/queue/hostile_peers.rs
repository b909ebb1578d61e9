//! A queue with entries that do not belong there: they are refused, and passwords stay secret.

use crate::stage::Stage;
use std::fs;
use std::process::Command;
use support::programs::{self, referee_path};
use support::scene::words;

fn arguments(stage: &Stage) -> Vec<Vec<String>> {
    let engines = ["honest", "last"].map(|engine| stage.scene.engine(engine, &["depth=1"])).concat();
    vec![engines, words("--rounds 10 --max-moves 30 --random-plies 2 --lease 1")]
}

fn refused(arguments: &[&str], password: &str) -> (i32, String) {
    let output =
        Command::new(referee_path()).args(arguments).env("KROO_QUEUE_PASSWORD", password).output().unwrap();
    (output.status.code().unwrap(), String::from_utf8(output.stderr).unwrap())
}

#[test]
fn what_does_not_belong_on_a_queue_is_removed() {
    let Some(stage) = Stage::new() else { return };
    let mut coordinator = stage.coordinator("queue", &arguments(&stage));
    let seen = || stage.number("XLEN kroo:{test}:batches") > 0;
    assert!(support::scene::await_that(seen));
    for batch in [
        "x",
        "{}",
        "{\"games\":[]}",
        "{\"games\":[{\"number\":0,\"round\":1,\"engines\":[0,1],\"opening\":\"\"}]}",
        "{\"games\":[{\"number\":1,\"round\":1,\"engines\":[0,7],\"opening\":\"\"}]}",
        "{\"games\":[{\"number\":1,\"round\":1,\"engines\":[0,1],\"opening\":\"zz\"}]}",
        "{\"games\":[{\"number\":1,\"round\":0,\"engines\":[0,1],\"opening\":\"\"}]}",
    ] {
        let quoted = batch.replace('"', "\\\"");
        stage.ask(&format!("XADD kroo:{{test}}:batches * games \"{quoted}\"")).unwrap();
    }
    stage.ask("XADD kroo:{test}:batches * nothing 1").unwrap();
    for games in ["x", "", "00000000 {}"] {
        stage.ask(&format!("XADD kroo:{{test}}:results * worker evil games \"{games}\\n\"")).unwrap();
    }
    stage.ask("XADD kroo:{test}:results * worker evil").unwrap();
    stage
        .ask("HSET kroo:{test}:workers evil \"99999999999 {\\\"threads\\\":18446744073709551615}\"")
        .unwrap();
    stage.ask("XADD kroo:{test}:notes * worker \"\\x1b[2J\" note \"\\x1b]0;owned\\x07\"").unwrap();
    let refused = || stage.number("HEXISTS kroo:{test}:refused evil") == 1;
    assert!(support::scene::await_that(refused), "{}", coordinator.errors());
    let mut worker = stage.worker("");
    assert_eq!((coordinator.wait(), worker.wait()), (0, 0), "{}{}", coordinator.errors(), worker.errors());
    assert_eq!(stage.games("queue"), 20);
    let errors = coordinator.errors();
    assert!(errors.contains("worker evil has brought an invalid result, and is refused: "), "{errors}");
    assert!(!errors.contains('\x1b'), "{errors:?}");
}

#[test]
fn a_job_that_asks_for_too_much_is_refused() {
    let Some(stage) = Stage::new() else { return };
    let mut coordinator = stage.coordinator("queue", &arguments(&stage));
    let there = || stage.ask("GET kroo:{test}:state").is_some_and(|state| state.contains(" running"));
    assert!(support::scene::await_that(there));
    let job = stage.ask("GET kroo:{test}:job").unwrap();
    let job = job.lines().nth(1).unwrap().to_owned();
    coordinator.kill();
    for (from, to, reason) in [
        ("\"kroo-queue\":3", "\"kroo-queue\":1", "it has version 1, but this referee reads version 3"),
        ("\"batch\":1", "\"batch\":0", "batch: 0, expected a number from 1 to 1000"),
        ("\"lease\":1", "\"lease\":99999999", "lease: 99999999, expected a number from 1 to 86400"),
        ("\"rounds\":10", "\"rounds\":0", "plan: rounds: 0, expected"),
        ("\"max_moves\":30", "\"max_moves\":18446744073709551615", "max-moves: 18446744073709551615"),
        ("\"depth\":1", "\"depth\":4000000000", "the depth of a search is from 1 to 127"),
        ("\"watchdog\":{\"secs\":60", "\"watchdog\":{\"secs\":18446744073709551615", "a time is longer"),
        ("\"sha256\":\"", "\"sha256\":\"X", "sha256: expected 64 hexadecimal digits"),
        ("\"name\":\"honest\"", "\"name\":\"\\u001b\"", "a name has no control characters"),
        ("\"kroo-queue\":3", "\"other\":1", "it has no field `kroo-queue`"),
        ("\"nps\":", "\"nps\":9999999999", "nps: "),
        ("{", "[", "it cannot be read"),
    ] {
        assert!(job.contains(from), "{from} in {job}");
        let forged = job.replacen(from, to, 1).replace('\\', "\\\\").replace('"', "\\\"");
        stage.ask(&format!("SET kroo:{{test}}:job \"{forged}\"")).unwrap();
        let mut worker = stage.worker("--wait 1");
        assert_eq!(worker.wait(), 1, "{to}");
        let errors = worker.errors();
        assert!(
            errors.contains("the match there is refused") && errors.contains(reason),
            "{reason}: {errors}"
        );
    }
    // A machine whose search is another one does not play.
    let (_, bench) = job.split_once("\"bench\":{\"nodes\":").expect("the job tells the bench");
    let digits: String = bench.chars().take_while(char::is_ascii_digit).collect();
    let nodes: u64 = digits.parse().expect("a number");
    let field = |nodes: u64| format!("\"nodes\":{nodes}");
    let forged = job.replacen(&field(nodes), &field(nodes + 1), 1).replace('"', "\\\"");
    assert_ne!(forged.len(), job.len());
    stage.ask(&format!("SET kroo:{{test}}:job \"{forged}\"")).unwrap();
    let mut worker = stage.worker("--wait 1");
    assert_eq!(worker.wait(), 12);
    let expected = format!("its bench visits {nodes} nodes, and that of the coordinator {}", nodes + 1);
    assert!(worker.errors().contains(&expected), "{}", worker.errors());
    // Another program than the coordinator's is never started.
    let (start, rest) = job.split_once("\"sha256\":\"").unwrap();
    let forged = format!("{start}\"sha256\":\"{}{}", "0".repeat(64), &rest[64..]).replace('"', "\\\"");
    stage.ask(&format!("SET kroo:{{test}}:job \"{forged}\"")).unwrap();
    let mut worker = stage.worker("--wait 1");
    assert_eq!(worker.wait(), 12);
    assert!(worker.errors().contains("no executable with sha256 0000"), "{}", worker.errors());
}

#[test]
fn executables_are_found_by_their_content() {
    let Some(stage) = Stage::new() else { return };
    let engine = stage.scene.engine("honest", &["depth=1"]);
    let original = engine[1].strip_prefix("cmd=").unwrap().to_owned();
    fs::create_dir(stage.scene.path("programs")).unwrap();
    programs::copy(&original, stage.scene.path("mine"));
    programs::copy(&original, stage.scene.path("programs/renamed"));
    fs::write(stage.scene.path("programs/another"), "#!/bin/sh\n").unwrap();
    let mine = format!("cmd={}", stage.scene.path("mine").display());
    let engines: Vec<String> = ["honest", "last"].map(|kind| stage.scene.engine(kind, &["depth=1"])).concat();
    let engines = engines.into_iter().map(|word| if word.starts_with("cmd=") { mine.clone() } else { word });
    let mut coordinator =
        stage.coordinator("queue", &[engines.collect(), words("--rounds 4 --max-moves 20 --random-plies 2")]);
    let there = || stage.ask("GET kroo:{test}:state").is_some_and(|state| state.contains(" running"));
    assert!(support::scene::await_that(there));
    fs::remove_file(stage.scene.path("mine")).unwrap();
    let mut without = stage.worker("");
    assert_eq!(without.wait(), 12);
    assert!(without.errors().contains("no executable with sha256"), "{}", without.errors());
    let mut with = stage.worker(&format!("--engines {}", stage.scene.path("programs").display()));
    assert_eq!((coordinator.wait(), with.wait()), (0, 0), "{}{}", coordinator.errors(), with.errors());
    assert!(coordinator.errors().contains("no executable with sha256"), "{}", coordinator.errors());
}

#[test]
fn errors_about_a_broker_name_it_without_its_password() {
    let Some(stage) = Stage::new() else { return };
    let (status, errors) = refused(&["worker", &stage.url(), "--wait", "0"], "wrong-secret");
    assert_eq!(status, 1);
    assert!(errors.contains(&stage.url()) && !errors.contains("wrong-secret"), "{errors}");
    let nobody = "redis://127.0.0.1:1#test";
    let (status, errors) = refused(&["worker", nobody, "--wait", "0"], "secret");
    assert_eq!(status, 1);
    assert!(errors.contains("the broker cannot be reached") && !errors.contains("secret"), "{errors}");
    let arguments: Vec<String> =
        [arguments(&stage).concat(), vec!["--queue".to_owned(), nobody.to_owned()]].concat();
    let (status, errors) = refused(&arguments.iter().map(String::as_str).collect::<Vec<_>>(), "secret");
    assert_eq!(status, 1);
    assert!(errors.contains("the broker cannot be reached") && !errors.contains("secret"), "{errors}");
    let (status, errors) = refused(&["worker", "http://secret@host"], "");
    assert_eq!(status, 1);
    assert!(errors.contains("the queue's URL: expected redis://") && !errors.contains("secret"), "{errors}");
    // A queue without a match.
    let (status, errors) = refused(&["worker", &stage.url(), "--wait", "0"], "sesame");
    assert_eq!(status, 1);
    assert!(errors.contains("gave up after 0 s (--wait): there is no match on the queue"), "{errors}");
}
