//! The order of the engines: the same on the screen, in the report and in JSON.

use serde_json::Value;
use std::fs;
use support::scene::{Scene, words};

/// The first place in each output, of five engines whose ratings and points disagree or may do so.
#[test]
fn every_output_ranks_by_the_one_order() {
    for event in ["round-robin", "swiss", "knockout", "gauntlet"] {
        let scene = Scene::new();
        // The winner of this knockout has a bye, and fewer points than the engine that it beats.
        let manners = ["illegal", "thoughtful", "last", "honest", "first"];
        let engines = manners.map(|manner| scene.engine(manner, &["depth=1"]));
        let page = scene.path("page.html");
        let rounds = if event == "knockout" { "" } else { "--rounds 1" };
        let options = format!("--event {event} {rounds} --seed 1 --max-moves 60 --html {}", page.display());
        let report = scene.run(&[engines.concat(), words(&options)]);
        assert_eq!(report.status, 0, "{}", report.stderr);
        let standings = report.json["result"]["engines"].as_array().unwrap();
        let mut ranked: Vec<_> = standings.iter().collect();
        ranked.sort_by_key(|engine| engine["rank"].as_u64());
        let names: Vec<&str> = ranked.iter().map(|engine| engine["name"].as_str().unwrap()).collect();
        let key = if event == "gauntlet" { "rating" } else { "points" };
        let values: Vec<f64> = ranked.iter().filter_map(|engine| engine[key].as_f64()).collect();
        // A knockout ranks by the round that was reached.
        let rest = if event == "knockout" { &[] } else { &values[..] };
        assert!(rest.windows(2).all(|two| two[0] >= two[1]), "{event}: {values:?}");
        let table = report.stdout.split_once("\nStandings").unwrap().1;
        let screen: Vec<&str> = table
            .lines()
            .skip(2)
            .take(manners.len())
            .map(|line| line.split_whitespace().nth(1).unwrap())
            .collect();
        assert_eq!(screen, names, "{event}: {table}");
        let html = fs::read_to_string(page).unwrap();
        for table in ["standings", "crosstable"] {
            let part = html.split_once(&format!("<table id=\"{table}\">")).unwrap().1;
            let part = part.split_once("</table>").unwrap().0;
            let places: Vec<usize> = names.iter().map(|name| part.find(*name).unwrap()).collect();
            assert!(places.is_sorted(), "{event}, {table}: {part}");
        }
        if event == "knockout" {
            assert_eq!(report.json["result"]["winner"], names[0]);
            assert!(values[0] < values[1], "{values:?}");
        }
    }
}

/// The names in the standings of the screen and of the page, and the engines in JSON, each by rank.
fn ranked(scene: &Scene, engines: &[&str], options: &str) -> (String, Vec<Value>) {
    let page = scene.path("page.html");
    let engines = engines.iter().flat_map(|manner| scene.engine(manner, &["depth=1"])).collect();
    let options = format!("{options} --resign moves=2 score=40 --html {}", page.display());
    let report = scene.run(&[engines, words(&options)]);
    assert_eq!(report.status, 0, "{}", report.stderr);
    let mut standings = report.json["result"]["engines"].as_array().unwrap().clone();
    standings.sort_by_key(|engine| engine["rank"].as_u64());
    let html = fs::read_to_string(page).unwrap();
    let table = html.split_once("<table id=\"standings\">").unwrap().1;
    let places: Vec<usize> =
        standings.iter().map(|engine| table.find(engine["name"].as_str().unwrap()).unwrap()).collect();
    assert!(places.is_sorted(), "{table}");
    let screen = report.stdout.split_once("\nStandings").unwrap().1;
    let names: Vec<&str> = screen
        .lines()
        .skip(2)
        .take(standings.len())
        .map(|line| line.split_whitespace().nth(1).unwrap())
        .collect();
    assert!(names.iter().zip(&standings).all(|(name, engine)| engine["name"] == *name), "{screen}");
    (report.stdout + &html, standings)
}

/// The first engine has the most games and points, and has lost all games against the second.
#[test]
fn a_gauntlet_is_ranked_by_elo_and_not_by_points() {
    let scene = Scene::new();
    let engines = ["gloomy", "honest", "illegal", "no-move"];
    let (_, standings) = ranked(&scene, &engines, "--event gauntlet --rounds 2");
    assert_eq!((&standings[0]["name"], standings[0]["points"].as_f64()), (&"honest".into(), Some(4.0)));
    assert!(standings[1]["name"] == "gloomy" && standings[1]["points"].as_f64() > Some(4.0), "{standings:?}");
    assert!(standings[0]["rating"].as_f64() > standings[1]["rating"].as_f64());
}

#[test]
fn byes_count_as_points_in_the_standings() {
    let engines = ["illegal", "gloomy", "honest"];
    for (rounds, pairs) in [(3, 1), (1, 2), (2, 3)] {
        let options = format!("--event swiss --rounds {rounds} --pairs {pairs}");
        let (text, standings) = ranked(&Scene::new(), &engines, &options);
        assert_eq!(text.matches(&format!("Points include {} for each bye.", 2 * pairs)).count(), 2, "{text}");
        let number = |engine: &Value, key: &str| engine[key].as_f64().unwrap();
        let all = standings.iter().map(|engine| number(engine, "points")).sum::<f64>();
        assert_eq!(all, f64::from(rounds * (2 * pairs + 2 * pairs)), "{standings:?}");
        let byes: Vec<f64> = standings.iter().map(|engine| number(engine, "bye_games")).collect();
        assert_eq!(byes.iter().sum::<f64>(), f64::from(2 * rounds * pairs), "{byes:?}");
        assert!(rounds < 3 || byes == [2.0; 3], "{byes:?}");
        for engine in &standings {
            let played = number(engine, "score") * number(engine, "games");
            assert_eq!(played + number(engine, "bye_games"), number(engine, "points"), "{engine}");
        }
        let points: Vec<f64> = standings.iter().map(|engine| number(engine, "points")).collect();
        assert!(points.windows(2).all(|two| two[0] >= two[1]), "{points:?}");
    }
}
