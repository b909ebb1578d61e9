//! Repeated games are no evidence.

use support::scene::{Report, Scene, words};

/// Engines that always play the same, from two openings.
fn two_openings(engines: [&str; 2], options: &str) -> Report {
    let scene = Scene::new();
    let file = scene.file("two.txt", "Aa\nBb\n");
    let page = scene.path("page.html");
    let engines = engines.map(|manner| scene.engine(manner, &["nodes=1"])).concat();
    let outputs = vec!["--openings".to_owned(), file, "--html".to_owned(), page.display().to_string()];
    let mut report = scene.run(&[engines, words(options), outputs]);
    report.games = std::fs::read_to_string(page).unwrap();
    report
}

#[test]
fn a_pair_counts_once_however_often_it_is_played() {
    let once = two_openings(["honest", "last"], "--rounds 2");
    once.assert_played(4);
    let again = two_openings(["honest", "last"], "--rounds 12 --concurrency 2");
    again.assert_played(24);
    let [one, other] = [&once, &again].map(|report| report.json["result"].clone());
    assert_eq!((&one["distinct_games"], &one["repeated_pairs"]), (&4.into(), &0.into()));
    assert_eq!((&other["distinct_games"], &other["repeated_pairs"]), (&4.into(), &10.into()));
    for key in ["ptnml", "elo", "elo_low", "elo_high", "los"] {
        assert_eq!(one["head_to_head"][0][key], other["head_to_head"][0][key], "{key}");
    }
    once.says("\nDistinct games: 4 of 4\n");
    let said = "\nDistinct games: 4 of 24; 10 pairs repeated another one move by move, and did not count as evidence\n";
    again.says(said);
    assert!(again.games.contains("24 games were played, 4 of them distinct."));
    assert_eq!(once.stderr, "");
    again.complains("warning: 12 pairs of games are played from 2 different openings");
}

/// Engines that always play alike, and the six openings of one random ply: that is said before, and the test has an end.
#[test]
fn a_test_with_few_openings_ends_with_a_reason() {
    let scene = Scene::new();
    let engines = [scene.engine("honest", &["nodes=1"]), scene.engine("last", &["nodes=1"])].concat();
    let options = words("--random-plies 1 --rounds 5000 --max-moves 20 --sprt elo0=0 elo1=1 --concurrency 2");
    let report = scene.run(&[engines.clone(), options]);
    assert_eq!(report.status, 11, "{}{}", report.stdout, report.stderr);
    assert!(report.finished() <= 2 * (6 + 20), "{}", report.stdout);
    let said = "warning: 5000 pairs of games are played from 6 different openings";
    report.complains(said);
    report.complains("the test ends undecided when no new one comes");
    let why = "\nEnded before its last round: the last 20 pairs repeated earlier ones move by move: 6 openings and ";
    report.says(why);
    assert!(!report.stdout.contains("Interrupted"), "{}", report.stdout);
    assert!(report.json["result"]["exhausted"].as_str().unwrap().starts_with("the last 20 pairs"));
    assert_eq!(report.json["result"]["interrupted"], false);
    // By default each opening is played once.
    let report = scene.run(&[engines, words("--random-plies 1 --max-moves 20 --sprt elo0=0 elo1=1")]);
    assert_eq!((report.status, report.finished()), (11, 12), "{}", report.stdout);
}
