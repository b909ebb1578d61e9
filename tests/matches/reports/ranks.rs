//! The order of the engines: the same on the screen, in the report and in JSON.

use serde_json::Value;
use std::fs;
use support::scene::{Report, Scene, words};

/// A match, its engines in JSON by rank, which is their order on the screen and in both tables of the page too, and all texts.
fn ranked(engines: &[&str], options: &str) -> (Report, Vec<Value>, String) {
    let scene = Scene::new();
    let page = scene.path("page.html");
    let engines = engines.iter().flat_map(|manner| scene.engine(manner, &["depth=1"])).collect();
    let report = scene.run(&[engines, words(&format!("{options} --html {}", page.display()))]);
    assert_eq!(report.status, 0, "{}", report.stderr);
    let mut standings = report.json["result"]["engines"].as_array().unwrap().clone();
    standings.sort_by_key(|engine| engine["rank"].as_u64());
    let names: Vec<&str> = standings.iter().map(|engine| engine["name"].as_str().unwrap()).collect();
    let table = report.stdout.split_once("\nStandings").unwrap().1;
    let rows = table.lines().skip(2).take(names.len());
    let screen: Vec<&str> = rows.map(|line| line.split_whitespace().nth(1).unwrap()).collect();
    assert_eq!(screen, names, "{options}: {table}");
    let html = fs::read_to_string(page).unwrap();
    for table in ["standings", "crosstable"] {
        let part = html.split_once(&format!("<table id=\"{table}\">")).unwrap().1;
        let part = part.split_once("</table>").unwrap().0;
        let places: Vec<usize> = names.iter().map(|name| part.find(*name).unwrap()).collect();
        assert!(places.is_sorted(), "{options}, {table}: {part}");
    }
    let texts = format!("{}{html}", report.stdout);
    (report, standings, texts)
}

fn numbers(standings: &[Value], key: &str) -> Vec<f64> {
    standings.iter().filter_map(|engine| engine[key].as_f64()).collect()
}

/// Five engines whose ratings and points disagree or may do so.
#[test]
fn every_output_ranks_by_the_one_order() {
    for event in ["round-robin", "swiss", "knockout", "gauntlet"] {
        // The winner of this knockout has a bye, and fewer points than the engine that it beats.
        let engines = ["illegal", "thoughtful", "last", "honest", "first"];
        let rounds = if event == "knockout" { "" } else { "--rounds 1" };
        let options = format!("--event {event} {rounds} --seed 1 --max-moves 60");
        let (report, standings, _) = ranked(&engines, &options);
        let key = if event == "gauntlet" { "rating" } else { "points" };
        let values = numbers(&standings, key);
        if event == "knockout" {
            // It ranks by the round that was reached.
            assert_eq!(report.json["result"]["winner"], standings[0]["name"]);
            assert!(values[0] < values[1], "{values:?}");
        } else {
            assert!(values.is_sorted_by(|one, other| one >= other), "{event}: {values:?}");
        }
    }
}

#[test]
fn byes_count_as_points_in_the_standings() {
    let options = "--event swiss --rounds 3 --pairs 2 --resign moves=2 score=40";
    let (_, standings, texts) = ranked(&["illegal", "gloomy", "honest"], options);
    assert_eq!(texts.matches("Points include 4 for each bye.").count(), 2, "{texts}");
    assert_eq!(numbers(&standings, "points").iter().sum::<f64>(), 24.0, "{standings:?}");
    assert_eq!(numbers(&standings, "bye_games"), [4.0; 3]);
    for engine in &standings {
        let number = |key: &str| engine[key].as_f64().unwrap();
        assert_eq!(number("score") * number("games") + number("bye_games"), number("points"), "{engine}");
    }
}
