//! `--watch` with a queue: the page shows the workers and their state.

use crate::stage::{PASSWORD, Stage};
use serde_json::json;
use std::time::Instant;
use support::PATIENCE;
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
    let mut events = played.listen();
    let mut seen = || {
        let began = Instant::now();
        loop {
            let (name, data) = events.next().unwrap();
            assert!(began.elapsed() < PATIENCE, "{data}");
            if name == "workers" {
                return data;
            }
        }
    };
    let (mut there, mut first) = (seen(), None);
    while there["workers"][0]["games"].as_u64().is_none_or(|games| games < 4) {
        first.get_or_insert(there["games_per_minute"].clone());
        there = seen();
    }
    let one = &there["workers"][0];
    assert_eq!((&there["at_once"], &one["threads"], &one["health"]), (&2.into(), &2.into(), &json!("there")));
    assert!(one["bench"]["nps"].as_u64().unwrap() > 1_000 && one["silent"] == 0, "{there}");
    assert!(!there.to_string().contains("sesame"), "{there}");
    signal(&worker.child, "STOP");
    let mut silent = seen();
    while silent["workers"][0]["health"] != "silent" {
        silent = seen();
    }
    assert!(silent["workers"][0]["silent"].as_u64().unwrap() >= 1 && silent["at_once"] == 0, "{silent}");
    signal(&worker.child, "CONT");
    while seen()["workers"][0]["health"] != "there" {}
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
