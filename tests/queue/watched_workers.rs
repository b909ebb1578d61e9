//! `--watch` with a queue: the page shows the workers and their state.

use crate::stage::{PASSWORD, Stage};
use serde_json::{Value, json};
use support::browser::Browser;
use support::scene::{Scene, signal, words};
use support::spectator::Match;
use support::tools::chromium;

/// A match through the queue of a stage that can be watched.
fn watched(stage: &Stage, options: &str) -> Match {
    let engines = ["unhurried", "unhurried-last"].map(|kind| stage.scene.engine(kind, &["depth=1"])).concat();
    let scene = Scene::new();
    let mut command = scene.command(&[engines, words(options), vec!["--queue".to_owned(), stage.url()]]);
    command.env(PASSWORD.0, PASSWORD.1);
    Match::run_by(scene, command)
}

#[test]
fn workers_and_their_health_are_told_as_they_change() {
    let Some(stage) = Stage::new() else { return };
    let mut played = watched(&stage, "--rounds 100000 --max-moves 30 --random-plies 4 --lease 1");
    let worker = stage.worker("--concurrency 2");
    let one = |now: &Value, name: &str| now["workers"]["workers"][0][name].clone();
    let there = played.until(|now| one(now, "games").as_u64().is_some_and(|games| games >= 4));
    let at_once = &there["workers"]["at_once"];
    assert_eq!(
        (at_once, one(&there, "threads"), one(&there, "health")),
        (&json!(2), json!(2), json!("there"))
    );
    assert!(one(&there, "bench")["nps"].as_u64().unwrap() > 1_000, "{there}");
    assert!(!there.to_string().contains("sesame"), "{there}");
    signal(&worker.child, "STOP");
    let silent = played.until(|now| one(now, "health") == "silent");
    assert!(one(&silent, "silent").as_u64().unwrap() >= 1 && silent["workers"]["at_once"] == 0, "{silent}");
    signal(&worker.child, "CONT");
    played.until(|now| one(now, "health") == "there");
    played.terminate();
}

#[test]
fn a_browser_sees_the_workers() {
    let Some(stage) = Stage::new() else { return };
    let Some(program) = chromium() else { return };
    let mut played = watched(&stage, "--rounds 100000 --max-moves 30 --random-plies 4");
    let _workers = [stage.worker(""), stage.worker("--concurrency 2")];
    for width in [1280, 390] {
        let folder = stage.scene.path(&width.to_string());
        std::fs::create_dir(&folder).unwrap();
        let mut browser = Browser::open(&program, &folder, (width, 900), &played.page);
        browser.until("document.querySelectorAll('#workers tr').length === 3");
        browser.until("/^3 games at once, [0-9]+ games a minute; batches: /.test(document.querySelector('#workers-about').textContent)");
        browser.until("[...document.querySelectorAll('#workers tr td:last-child')].every((cell) => cell.textContent === 'there')");
        browser.until("document.documentElement.scrollWidth <= innerWidth");
        browser.until("document.querySelector('#running-card').hidden");
    }
    played.terminate();
}
