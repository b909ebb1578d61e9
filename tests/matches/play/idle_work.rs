//! Work on the other side's time, by an engine that does not ponder, is measured and told.

use kroo_referee::game::IdleWork;
use kroo_referee::ledger::record::JournalReader;
use std::time::Duration;
use support::scene::{Report, Scene, words};

/// A match against an engine that takes its time, and sleeps meanwhile.
fn against_a_sleeper(scene: &Scene, manner: &str, own: &[&str]) -> Report {
    let engines = [scene.engine(manner, own), scene.engine("overspending", &["st=5"])].concat();
    let journal = format!("--rounds 1 --max-moves 24 --journal {}", scene.path("journal").display());
    let report = scene.run(&[engines, words(&journal)]);
    report.assert_played(2);
    report
}

/// How much an engine works here depends on the machine, so the limit of the warning has its own test in `tests/referee`.
#[test]
fn threads_and_processes_that_work_on_the_rival_s_time_are_measured() {
    for manner in ["burning", "burning-child"] {
        let scene = Scene::new();
        let report = against_a_sleeper(&scene, manner, &["st=5"]);
        let engines = &report.json["result"]["engines"];
        let time = |engine: usize, key: &str| Duration::from_secs_f64(engines[engine][key].as_f64().unwrap());
        let idle = |engine: usize| IdleWork {
            watched: time(engine, "idle_watched"),
            worked: time(engine, "idle_worked"),
        };
        assert!(idle(0).watched > Duration::from_millis(500) && !idle(0).worked.is_zero(), "{engines}");
        assert!(idle(1).worked < idle(0).worked, "{engines}");
        let told = usize::from(idle(0).is_work());
        let warning =
            format!("referee: warning: {manner}: it works while the other side is to move although ");
        assert_eq!(report.stderr.matches(&warning).count(), told, "{engines} {}", report.stderr);
        let line = format!("Work on the other side's time: {manner}, ");
        assert_eq!(report.stdout.matches(&line).count(), told, "{engines} {}", report.stdout);
        // The journal knows it, too.
        let mut reader = JournalReader::open(&scene.path("journal")).unwrap().unwrap();
        let mut worked = Duration::ZERO;
        while let Some(game) = reader.next_game().unwrap() {
            worked += game.played.idle_work[usize::from(game.scheduled.players[0] != 0)].worked;
        }
        assert!(worked.abs_diff(idle(0).worked) < Duration::from_millis(1), "{worked:?} of {engines}");
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
