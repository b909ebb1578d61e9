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
    assert!(once.stdout.contains("\nDistinct games: 4 of 4\n"), "{}", once.stdout);
    let said = "\nDistinct games: 4 of 24; 10 pairs repeated another one move by move, and did not count as evidence\n";
    assert!(again.stdout.contains(said), "{}", again.stdout);
    assert!(again.games.contains("24 games were played, 4 of them distinct."));
    assert_eq!(once.stderr, "");
    assert!(
        again.stderr.contains("warning: 12 pairs of games are played from 2 different openings"),
        "{}",
        again.stderr
    );
}

#[test]
fn no_test_is_decided_by_repeated_games() {
    for model in ["normalized", "logistic", "bayesian", "classical"] {
        let test = format!("--rounds 20 --concurrency 2 --sprt elo0=0 elo1=60 model={model}");
        let report = two_openings(["honest", "illegal"], &test);
        assert_eq!(
            (report.status, report.finished()),
            (11, 40),
            "{model}: {}{}",
            report.stdout,
            report.stderr
        );
        // Each opening once by default.
        let test = format!("--sprt elo0=0 elo1=60 model={model}");
        let report = two_openings(["honest", "illegal"], &test);
        assert_eq!(
            (report.status, report.finished()),
            (11, 4),
            "{model}: {}{}",
            report.stdout,
            report.stderr
        );
    }
}

#[test]
fn four_random_plies_of_awari_lead_to_1014_positions() {
    use kroo::game::{Position, Variant};
    use std::collections::BTreeSet;
    let mut level = BTreeSet::from([Position::start(Variant::Awari).to_string()]);
    for _ in 0..4 {
        let positions = level.iter().map(|text| Position::parse(Variant::Awari, text).unwrap());
        level = positions
            .flat_map(|position| {
                position.moves().into_iter().map(move |mv| position.play(mv).unwrap().to_string())
            })
            .collect();
    }
    assert_eq!(level.len(), 1014);
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
    assert!(report.stderr.contains(said), "{}", report.stderr);
    assert!(report.stderr.contains("the test ends undecided when no new one comes"), "{}", report.stderr);
    let why = "\nEnded before its last round: the last 20 pairs repeated earlier ones move by move: 6 openings and ";
    assert!(report.stdout.contains(why), "{}", report.stdout);
    assert!(!report.stdout.contains("Interrupted"), "{}", report.stdout);
    assert!(report.json["result"]["exhausted"].as_str().unwrap().starts_with("the last 20 pairs"));
    assert_eq!(report.json["result"]["interrupted"], false);
    // By default each opening is played once.
    let report = scene.run(&[engines, words("--random-plies 1 --max-moves 20 --sprt elo0=0 elo1=1")]);
    assert_eq!((report.status, report.finished()), (11, 12), "{}", report.stdout);
}
