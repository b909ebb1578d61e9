//! Matches of the real engine.

use crate::records::ogn_reader;
use kroo::game::{Position, Variant};
use std::process::Command;
use support::naive::Naive;
use support::programs::referee_path;
use support::scene::{Scene, built, words};

#[test]
fn without_engines_the_one_next_to_the_referee_plays_its_evolved_player() {
    built("kroo", &["-p", "kroo", "--bin", "kroo"]);
    let scene = Scene::new();
    let report = scene.run(&[words("--rounds 1 --max-moves 12 --each timemargin=5000")]);
    report.assert_played(2);
    assert!(
        report
            .stdout
            .starts_with("kroo vs evolved: awari, 2 games in 1 round, nodes=20000, openings: 4 random plies")
    );
    assert_eq!(report.json["result"]["faults"].as_array().unwrap().len(), 0, "{}", report.stdout);
    assert_eq!(report.stderr, "");
}

#[test]
fn every_variant_is_played_without_a_fault() {
    built("kroo", &["-p", "kroo", "--bin", "kroo"]);
    for variant in Variant::ALL {
        let scene = Scene::new();
        let options =
            format!("--variant {variant} --each depth=3 --rounds 2 --random-plies 6 --concurrency 2");
        let report = scene.run(&[words(&options)]);
        report.assert_played(4);
        assert_eq!(report.json["result"]["faults"].as_array().unwrap().len(), 0, "{}", report.stdout);
        assert!(
            report.game_results().iter().all(|game| game["searches"]["depths"][0].is_number()),
            "{}",
            report.games
        );
    }
}

/// The referee sets the rules of the engines and judges the games by them, and every file names them.
#[test]
fn optional_rules_are_played_without_a_fault() {
    built("kroo", &["-p", "kroo", "--bin", "kroo"]);
    for name in ["kalah-emptycapture", "kalah3-opponent", "kalah2", "kalah2-emptycapture-opponent"] {
        let variant: Variant = name.parse().expect("a game");
        let scene = Scene::new();
        let options = format!("--variant {name} --each depth=4 --rounds 4 --random-plies 2 --concurrency 2");
        let report = scene.run(&[words(&options)]);
        report.assert_played(8);
        assert_eq!(report.json["result"]["faults"].as_array().unwrap().len(), 0, "{}", report.stdout);
        assert_eq!(report.json["plan"]["variant"], name);
        assert!(report.stdout.starts_with(&format!("kroo vs evolved: {name}, ")), "{}", report.stdout);
        for game in ogn_reader::read(&report.games) {
            assert_eq!(game.tags["Variant"], variant.title());
            let mut model =
                Naive::parse_game(name, variant.seeds().into(), &Position::start(variant).to_string());
            game.moves.iter().for_each(|mv| model.play(mv.pit.index()));
            assert!(model.result.is_some(), "{}", report.games);
            assert_eq!(model.stores.map(|seeds| seeds as u8), game.stores, "{}", report.games);
        }
    }
}

#[test]
fn the_same_seed_gives_the_same_games() {
    built("kroo", &["-p", "kroo", "--bin", "kroo"]);
    let play = |concurrency: &str| {
        let scene = Scene::new();
        let report =
            scene.run(&[words("--each depth=4 --rounds 3 --seed 77 --concurrency"), words(concurrency)]);
        report.game_results().iter().map(|game| game["moves"].to_string()).collect::<Vec<_>>()
    };
    assert_eq!(play("1"), play("2"));
}

/// The same games, whichever protocol each engine speaks.
#[test]
fn engines_of_ugi_play_the_games_of_uci() {
    built("kroo", &["-p", "kroo", "--bin", "kroo"]);
    let play = |variant: &str, first: &str, second: &str| {
        let scene = Scene::new();
        let kroo = built("kroo", &["-p", "kroo", "--bin", "kroo"]);
        let engine = |name: &str, protocol: &str| {
            let words =
                [format!("name={name}"), format!("cmd={}", kroo.display()), format!("protocol={protocol}")];
            ["--engine".to_owned()].into_iter().chain(words).collect::<Vec<String>>()
        };
        let each = "--each depth=3 tc=60+1 option.EndgameSeeds=0";
        let options = format!("--variant {variant} {each} --rounds 2 --seed 5");
        let report = scene.run(&[engine("first", first), engine("second", second), words(&options)]);
        report.assert_played(4);
        assert_eq!(report.json["result"]["faults"].as_array().unwrap().len(), 0, "{}", report.stdout);
        report.game_results().iter().map(|game| game["moves"].to_string()).collect::<Vec<_>>()
    };
    let games = play("kalah", "uci", "uci");
    assert_eq!(play("kalah", "ugi", "uci"), games);
    assert_eq!(play("kalah", "ugi", "ugi"), games);
}

#[test]
fn the_result_is_printed_on_standard_output_alone() {
    built("kroo", &["-p", "kroo", "--bin", "kroo"]);
    let arguments = words("--rounds 1 --max-moves 8 --each depth=1");
    let output = Command::new(referee_path()).args(arguments).output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert!(output.stderr.is_empty());
    assert!(String::from_utf8(output.stdout).unwrap().contains("\nGames: 2, Wins: "));
}

/// The random numbers of a game follow from the seed of the match and the number of the game, not from the games before it.
#[test]
fn the_same_seed_gives_the_same_games_of_random_players() {
    built("kroo", &["-p", "kroo", "--bin", "kroo"]);
    let kroo = built("kroo", &[]).display().to_string();
    let player = |name: &str| words(&format!("--engine cmd={kroo} name={name} option.Player={name} depth=1"));
    let played = |scene: &Scene, options: &str| {
        let journal = vec!["--journal".to_owned(), scene.path("journal").display().to_string()];
        let options = words(&format!("--random-plies 0 --max-moves 30 {options}"));
        let report = scene.run(&[player("random"), player("careful"), options, journal]);
        assert_eq!(report.status, 0, "{}{}", report.stdout, report.stderr);
        let games = report.game_results();
        games.iter().map(|game| game["moves"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let one = played(&Scene::new(), "--rounds 4");
    assert_eq!(
        one.iter().collect::<std::collections::BTreeSet<_>>().len(),
        8,
        "no game repeats another: {one:?}"
    );
    assert_eq!(played(&Scene::new(), "--rounds 4 --concurrency 3"), one);
    assert_eq!(played(&Scene::new(), "--rounds 4 --each restart=on"), one);
    let scene = Scene::new();
    assert_eq!(played(&scene, "--rounds 1"), one[..2]);
    assert_eq!(played(&scene, "--rounds 4 --resume"), one);
    assert_ne!(played(&Scene::new(), "--rounds 4 --seed 2"), one);
    // A value that the user has chosen stays: the player goes on with its random numbers from there.
    let chosen = played(&Scene::new(), "--rounds 4 --each option.Seed=7");
    assert_eq!(played(&Scene::new(), "--rounds 4 --each option.Seed=7 --seed 2"), chosen);
}
