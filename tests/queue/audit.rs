//! Whose results are not those of the others.

use crate::stage::Stage;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::Command;
use support::programs::referee_path;
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
    let path = stage.scene.path("moody");
    fs::write(&path, text).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    path.display().to_string()
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

/// Plays a match with two workers whose engine is the one that it should be, and one whose engine is `sick`.
fn play(stage: &Stage, sick: &str) -> (Value, BTreeMap<String, u64>) {
    let moody = moody(stage, "unhurried-last", sick);
    let mut engines = words(&format!("--engine cmd={moody} name=moody depth=1 env.SICK="));
    engines.extend(stage.scene.engine("unhurried-last", &["depth=1"]));
    let options = words(
        "--rounds 150 --max-moves 30 --random-plies 5 --recover --sprt elo0=0 elo1=1 alpha=0.0001 beta=0.0001",
    );
    let worker = format!("{} --allow-env SICK", stage.allow_unruly());
    let _workers =
        [stage.worker(&worker), stage.worker(&worker), stage.worker_with(&worker, &[("SICK", "yes")])];
    let mut coordinator = stage.coordinator("queue", &[engines, options]);
    coordinator.wait();
    let games = games_by_worker(stage);
    assert_eq!(games.len(), 3, "{games:?}");
    let seen: Value = serde_json::from_str(&audit(stage, &["--by", "worker", "--json"]).unwrap()).unwrap();
    for group in seen["groups"].as_array().unwrap() {
        assert_eq!(group["games"].as_u64(), games.get(group["name"].as_str().unwrap()).copied(), "{seen}");
    }
    (seen, games)
}

fn outlier(seen: &Value) -> &Value {
    let groups = seen["groups"].as_array().unwrap();
    let outliers: Vec<&Value> = groups.iter().filter(|group| group["outlier"] == true).collect();
    let [sick] = outliers.as_slice() else { panic!("{seen}") };
    sick
}

#[test]
fn a_worker_whose_engines_die_is_found_and_can_be_left_out() {
    let Some(stage) = Stage::new() else { return };
    let (seen, games) = play(&stage, "dies-as-south");
    let sick = outlier(&seen);
    assert!(sick["faults"].as_u64().unwrap() > 0 && sick["faults_p"].as_f64().unwrap() < 0.01, "{seen}");
    assert_eq!((&seen["excluded"], &seen["rest"]), (&Value::Array(Vec::new()), &Value::Null), "{seen}");

    let without = audit(&stage, &["--by", "worker", "--exclude-outliers", "--json"]).unwrap();
    let without: Value = serde_json::from_str(&without).unwrap();
    let out = &without["excluded"][0];
    assert_eq!(
        (&out["name"], &out["why"], &out["games"]),
        (&sick["name"], &"outlier".into(), &sick["games"])
    );
    let [all, rest] = ["all", "rest"].map(|of| without[of]["games"].as_u64().unwrap());
    assert_eq!(all - rest, sick["games"].as_u64().unwrap());
    assert_eq!(all, games.values().sum::<u64>());
    // Among themselves the others' engines are equal; only the sick one was worse.
    let [of_all, of_rest] = ["all", "rest"].map(|of| without[of]["sprt"]["llr"].as_f64().unwrap());
    assert!(of_all < of_rest, "{without}");

    let name = sick["name"].as_str().unwrap();
    let text = audit(&stage, &["--by", "worker", "--exclude", name]).unwrap();
    for expected in [
        format!("Audit: {name}: engines fail there more often than elsewhere: "),
        format!("Audit: {name}: {} games are left out (as asked)\n", sick["games"]),
        format!("All games: {all} games, moody "),
        format!("Without these: {rest} games, moody "),
    ] {
        assert!(text.contains(&expected), "{expected}: {text}");
    }
    let error = audit(&stage, &["--by", "worker", "--exclude", "nobody"]).unwrap_err();
    let expected = "--exclude nobody: no such worker has played; there are ";
    assert!(error.contains(expected) && error.contains(name), "{error}");
    // All have played on this machine.
    let error = audit(&stage, &["--exclude", &hostname()]).unwrap_err();
    assert!(error.contains("nothing would be left"), "{error}");
    let text = audit(&stage, &[]).unwrap();
    assert!(text.contains("Audit: no game is left out\n"), "{text}");
}

#[test]
fn a_worker_whose_engine_plays_otherwise_is_found() {
    let Some(stage) = Stage::new() else { return };
    let (seen, _) = play(&stage, "unhurried");
    let sick = outlier(&seen);
    assert_eq!((&sick["faults"], sick["degrees"].as_u64().is_some()), (&0.into(), true), "{seen}");
    let name = sick["name"].as_str().unwrap();
    let text = audit(&stage, &["--by", "worker"]).unwrap();
    assert!(
        text.contains(&format!("Audit: {name}: its results differ from those of the others (p ")),
        "{text}"
    );
}

fn hostname() -> String {
    fs::read_to_string("/proc/sys/kernel/hostname").unwrap().trim().to_owned()
}

#[test]
fn a_match_of_one_machine_has_nobody_to_tell_apart() {
    let Some(stage) = Stage::new() else { return };
    let engines = ["honest", "last"].map(|kind| stage.scene.engine(kind, &["depth=1"])).concat();
    stage.alone("queue", &[engines, words("--rounds 2 --max-moves 10 --random-plies 2")]);
    let error = audit(&stage, &[]).unwrap_err();
    assert!(error.contains("there is nobody to tell apart"), "{error}");
}
