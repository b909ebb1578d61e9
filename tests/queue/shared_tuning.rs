//! A tuning run through a queue: its games, and so its values, are those of one machine; foreign settings in the queue are
//! refused.

use crate::stage::Stage;
use support::scene::{await_that, built, words};

fn arguments(options: &str) -> Vec<Vec<String>> {
    let engine = built("examples/tunable", &["-p", "kroo-referee", "--example", "tunable"]);
    let engine =
        ["tune", "--engine", &format!("cmd={}", engine.display()), "depth=1"].map(str::to_owned).to_vec();
    let parameters = "--param Aim,20,0,200,12,0.03 --param Nerve,float,0.9,0,1,0.08,0.03";
    vec![engine, words(parameters), words("--max-moves 30"), words(options)]
}

/// The table of values at the end of what was printed.
fn results(output: &str) -> String {
    let begin = output.find("\nResults").unwrap_or_else(|| panic!("{output}"));
    output[begin..].split("\nEnded").next().unwrap().to_owned()
}

#[test]
fn values_are_the_same_with_any_number_of_workers() {
    let Some(stage) = Stage::new() else { return };
    for (options, batch, workers) in [
        ("--iterations 12 --pairs 3 --lag 2 --random-plies 4", "--batch 1", &["--concurrency 2"][..]),
        ("--iterations 12 --pairs 3 --lag 2 --random-plies 4", "--batch 2", &["", "--concurrency 3"]),
    ] {
        let name = |kind: &str| format!("{kind}{}", batch.trim_start_matches("--batch "));
        let alone = stage.alone(&name("alone"), &arguments(options));
        assert!(alone.status.success(), "{}", String::from_utf8_lossy(&alone.stderr));
        let printed = results(&String::from_utf8(alone.stdout).unwrap());
        let journal = name("queue");
        let mut workers: Vec<_> = workers.iter().map(|options| stage.worker(options)).collect();
        let mut coordinator = stage.coordinator(&journal, &arguments(&format!("{options} {batch}")));
        assert_eq!(coordinator.wait(), 0, "{}", coordinator.errors());
        stage.assert_same(&journal, &name("alone"));
        assert_eq!(results(&coordinator.output()), printed);
        for worker in &mut workers {
            assert_eq!(worker.wait(), 0, "{}", worker.errors());
        }
    }
}

#[test]
fn a_killed_coordinator_goes_on_with_the_same_values() {
    let Some(stage) = Stage::new() else { return };
    let options = "--iterations 30 --pairs 3 --lag 2 --random-plies 4 --lease 1";
    assert!(stage.alone("alone", &arguments(&options.replace(" --lease 1", ""))).status.success());
    let _workers = [stage.worker(""), stage.worker("--concurrency 2")];
    let mut coordinator = stage.coordinator("queue", &arguments(options));
    stage.await_games("queue", 40);
    coordinator.kill();
    // The next one need not wait for the lease.
    stage.ask("DEL kroo:{test}:lock").unwrap();
    let mut coordinator = stage.coordinator("queue", &arguments(&format!("{options} --resume")));
    assert_eq!(coordinator.wait(), 0, "{}", coordinator.errors());
    stage.assert_same("queue", "alone");
}

/// A game as it is written into the queue, with these settings.
fn batch(settings: &str) -> String {
    format!(r#"{{"games":[{{"number":1,"round":1,"engines":[0,1],"opening":""{settings}}}]}}"#)
}

#[test]
fn settings_that_are_none_are_refused() {
    let Some(stage) = Stage::new() else { return };
    let options = "--iterations 3 --pairs 2 --lag 1 --random-plies 0 --lease 1";
    assert!(stage.alone("alone", &arguments(&options.replace(" --lease 1", ""))).status.success());
    let mut coordinator = stage.coordinator("queue", &arguments(options));
    assert!(await_that(|| stage.number("XLEN kroo:{test}:batches") > 0));
    coordinator.kill();
    stage.ask("DEL kroo:{test}:lock").unwrap();
    // Only foreign entries are left.
    stage.ask("XTRIM kroo:{test}:batches MAXLEN 0").unwrap();
    let hostile = [
        "",
        r#","settings":[]"#,
        r#","settings":[["20","0.90000"]]"#,
        r#","settings":[["20"],["20"]]"#,
        r#","settings":[["20","0.90000"],["201","0.90000"]]"#,
        r#","settings":[["20","0.90000"],["20","1e-9999"]]"#,
        r#","settings":[["20","NaN"],["20","0.90000"]]"#,
        r#","settings":[["20","0.5 quit"],["20","0.90000"]]"#,
        r#","settings":[[20,0.9],[20,0.9]]"#,
        r#","settings":{"Hash":"1"}"#,
    ];
    // The last one could be played, but was not requested.
    let forged = r#","settings":[["20","0.90000"],["20","0.90000"]]"#;
    for settings in hostile.into_iter().chain([forged]) {
        let quoted = batch(settings).replace('"', "\\\"");
        stage.ask(&format!("XADD kroo:{{test}}:batches * games \"{quoted}\"")).unwrap();
    }
    let mut deceived = stage.worker("");
    assert!(await_that(|| stage.number("XLEN kroo:{test}:results") > 0), "{}", deceived.errors());
    assert_eq!(stage.number("XLEN kroo:{test}:notes"), hostile.len() as i64, "each is removed, with a note");
    let _honest = stage.worker("");
    let mut coordinator = stage.coordinator("queue", &arguments(&format!("{options} --resume")));
    assert_eq!(coordinator.wait(), 0, "{}", coordinator.errors());
    let errors = coordinator.errors();
    assert!(errors.contains("it was played with other settings than were asked for"), "{errors}");
    assert!(errors.contains("removed an invalid batch from the queue"), "{errors}");
    assert!(errors.contains("`201` is no value of `Aim` from 0 to 200"), "{errors}");
    assert_eq!(deceived.wait(), 1, "{}", deceived.errors());
    stage.assert_same("queue", "alone");
}
