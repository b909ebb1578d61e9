//! Work on the other side's time, by an engine that does not ponder, is measured and told.

use kroo_referee::record::JournalReader;
use support::scene::{Report, Scene, words};

/// A match against an engine that takes its time, and sleeps meanwhile.
fn against_a_sleeper(scene: &Scene, manner: &str, own: &[&str]) -> Report {
    let engines = [scene.engine(manner, own), scene.engine("overspending", &["st=5"])].concat();
    let journal = format!("--rounds 1 --max-moves 24 --journal {}", scene.path("journal").display());
    let report = scene.run(&[engines, words(&journal)]);
    report.assert_played(2);
    report
}

#[test]
fn threads_and_processes_that_work_on_the_rival_s_time_are_told_of() {
    for manner in ["burning", "burning-child"] {
        let scene = Scene::new();
        let report = against_a_sleeper(&scene, manner, &["st=5"]);
        let warning = format!(
            "referee: warning: {manner}: it works while the other side is to move although it does not ponder: so far "
        );
        assert_eq!(report.stderr.matches(&warning).count(), 1, "{}", report.stderr);
        assert!(
            report.stdout.contains(&format!("Work on the other side's time: {manner}, ")),
            "{}",
            report.stdout
        );
        let engines = &report.json["result"]["engines"];
        let number = |engine: usize, key: &str| engines[engine][key].as_f64().unwrap();
        assert!(number(0, "idle_watched") > 0.5 && number(0, "idle_worked") >= 0.1, "{engines}");
        assert!(number(1, "idle_worked") < 0.1, "{engines}");
        // The journal knows it, too.
        let mut reader = JournalReader::open(&scene.path("journal")).unwrap().unwrap();
        let mut worked = 0.0;
        while let Some(game) = reader.next_game().unwrap() {
            let side = usize::from(game.scheduled.players[0] != 0);
            worked += game.played.idle_work[side].worked.as_secs_f64();
        }
        assert!((worked - number(0, "idle_worked")).abs() < 1e-3, "{worked} of {engines}");
    }
}

#[test]
fn whoever_waits_or_ponders_is_not_blamed() {
    for (manner, own) in [("honest", ["st=5", "ponder=off"]), ("burning", ["st=5", "ponder=on"])] {
        let scene = Scene::new();
        let report = against_a_sleeper(&scene, manner, &own);
        assert_eq!(report.stderr, "", "{manner}");
        assert!(!report.stdout.contains("Work on the other side's time"), "{}", report.stdout);
    }
}
