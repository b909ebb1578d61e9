//! The search info of engines is recorded, and contradictions are reported.

use kroo_referee::ledger::record::JournalReader;
use serde_json::Value;
use std::fs;
use support::scene::{Scene, words};

#[test]
fn every_number_of_a_search_is_in_json_and_in_the_journal() {
    let scene = Scene::new();
    let engines = [scene.engine("talkative", &["tc=10+0.1"]), scene.engine("honest", &["depth=1"])].concat();
    let journal = scene.path("journal");
    let options = words(&format!("--rounds 1 --max-moves 12 --journal {}", journal.display()));
    let report = scene.run(&[engines.clone(), options.clone()]);
    report.assert_played(2);
    assert_eq!(report.stderr, "");
    let check = |game: &Value| {
        let (moves, ours) = (game["moves"].as_str().unwrap(), usize::from(game["south"] != "talkative"));
        let first_side = moves.chars().next().unwrap().is_lowercase();
        let ours = usize::from(first_side != (ours == 1));
        for (key, value) in
            [("nodes", 12345), ("nps", 1_000_000), ("seldepths", 11), ("hashfull", 77), ("tbhits", 5)]
        {
            assert_eq!(game["searches"][key][ours], value, "{key}: {game}");
            assert!(game["searches"][key][1 - ours].is_null(), "{key}: {game}");
        }
        assert_eq!(game["searches"]["lines"][ours].as_str().unwrap(), &moves[ours..=ours], "{game}");
        assert!(
            (9_000_000..=11_000_000).contains(&game["searches"]["left"][ours].as_u64().unwrap()),
            "{game}"
        );
    };
    report.game_results().iter().for_each(check);
    let mut reader = JournalReader::open(&journal).unwrap().unwrap();
    let game = reader.next_game().unwrap().unwrap();
    let told: Vec<_> = game.played.search_info.iter().filter(|info| info.nodes == Some(12345)).collect();
    assert!(!told.is_empty() && told.iter().all(|info| info.line.len() == 1 && info.left.is_some()));
    // A resumed match gives the same.
    fs::remove_file(scene.path("games.json")).unwrap();
    let again = scene.run(&[engines, options, words("--resume")]);
    assert_eq!(again.finished(), 0, "{}", again.stderr);
    assert_eq!(again.json["games"], report.json["games"]);
}

#[test]
fn a_journal_without_these_numbers_is_read() {
    let scene = Scene::new();
    let engines = [scene.engine("honest", &["depth=1"]), scene.engine("last", &["depth=1"])].concat();
    let journal = scene.path("journal");
    let report =
        scene.run(&[engines, words(&format!("--rounds 1 --max-moves 12 --journal {}", journal.display()))]);
    report.assert_played(2);
    let text = fs::read_to_string(&journal).unwrap();
    assert!(["\"nodes\":[", "\"lines\"", "\"left\""].iter().all(|key| !text.contains(key)), "{text}");
    let mut reader = JournalReader::open(&journal).unwrap().unwrap();
    assert!(reader.next_game().unwrap().is_some());
}

#[test]
fn what_cannot_be_so_is_told_once() {
    let scene = Scene::new();
    let engines = [scene.engine("last", &[]), scene.engine("contradicting", &[])].concat();
    let report = scene.run(&[engines, words("--rounds 6")]);
    report.assert_played(12);
    let warned = |what: &str| report.stderr.matches(&format!("warning: contradicting: {what}")).count();
    assert_eq!(
        warned("a line does not begin with the move that was played, first in game "),
        1,
        "{}",
        report.stderr
    );
    assert_eq!(
        warned("a result that it called proven was not the result of the game, first in game "),
        1,
        "{}",
        report.stderr
    );
    assert_eq!(report.stderr.lines().count(), 2, "{}", report.stderr);
}
