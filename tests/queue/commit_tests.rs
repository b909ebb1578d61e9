//! `referee test` through a queue: the same row and the same games as on one machine.

use crate::stage::{PASSWORD, Stage};
use std::fs;
use support::workshop::{Workshop, rows};

#[test]
fn a_change_is_tested_by_workers() {
    let Some(stage) = Stage::new() else { return };
    let shop = Workshop::with(("gloomy", 1), ("honest", 2));
    let options = "--sprt elo0=0 elo1=100 --random-plies 4 --max-moves 60";
    let alone = shop.test("HEAD~1..HEAD", options);
    assert_eq!(alone.status, 0, "{}", alone.stderr);
    let mut workers =
        ["--concurrency 2", ""].map(|options| stage.worker(&format!("{options} {}", stage.allow_unruly())));
    let mut command = shop.command("HEAD~1..HEAD", &format!("{options} --queue {}", stage.url()));
    let queued = shop.scene.report(command.env(PASSWORD.0, PASSWORD.1).output().unwrap());
    assert_eq!(queued.status, 0, "{}", queued.stderr);
    assert_eq!(queued.stdout, alone.stdout);
    assert_eq!(rows(&queued).len(), 1);
    for worker in &mut workers {
        assert_eq!(worker.wait(), 0, "{}", worker.errors());
    }
    // The test is the same wherever it is played, and its history does not tell the password.
    let records = shop.records();
    let key = |which: usize| records[which]["id"].as_str().unwrap().split('-').next().unwrap().to_owned();
    assert_eq!(key(0), key(1));
    for entry in fs::read_dir(shop.folder(&records[1])).unwrap().flatten() {
        let text = fs::read_to_string(entry.path()).unwrap();
        assert!(!text.contains("sesame"), "{}", entry.path().display());
    }
    assert!(!records[1].to_string().contains("sesame"));
}
