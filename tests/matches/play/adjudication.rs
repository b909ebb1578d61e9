//! Adjudication: games that end by scores, resignation, repetition, length or the endgame database.

use kroo::endgames::Endgames;
use kroo::game::{Ayoayo, Game, Move, Position, Side, Variant};
use kroo::protocol::InfoScore;
use kroo_referee::game::{
    Adjudication, AdjudicationRules, DrawRule, MoveLimitResult, Outcome, ResignRule, SearchInfo, Termination,
};
use serde_json::{Value, json};
use std::fs;
use support::scene::{Report, Scene, words};

/// Plays moves, each with the score of its engine, if any. Returns the adjudication, and after how many moves it came.
fn adjudicated(
    rules: AdjudicationRules,
    moves: &str,
    scores: &[Option<i32>],
) -> Option<(Adjudication, usize)> {
    let mut game = Game::new(Position::start(Variant::Kalah));
    let mut adjudicator = rules.adjudicator();
    assert_eq!(adjudicator.look(&game, None), None);
    for (letter, score) in moves.chars().zip(scores) {
        let mv = Move::from_letter(letter).unwrap();
        game.play(mv).unwrap();
        let info = SearchInfo { score: score.map(InfoScore::cp), ..SearchInfo::default() };
        if let Some(end) = adjudicator.look(&game, Some((mv.side, &info))) {
            return Some((end, game.moves().len()));
        }
    }
    None
}

/// In kalah C and, later, b move again at once: South has the moves 1, 2 and 5, North the others.
const MOVES: &str = "CFbaAc";

#[test]
fn an_engine_far_behind_resigns() {
    let resign = |moves, both| AdjudicationRules {
        resign: Some(ResignRule { moves, score: 500, both }),
        ..AdjudicationRules::limited(250)
    };
    let lost = |side: Side| Adjudication {
        outcome: Outcome::Win(side.other()),
        termination: Termination::Resignation,
    };
    let behind = [Some(-500), Some(-900), Some(600), Some(700), Some(-600), Some(500)];
    assert_eq!(adjudicated(resign(1, false), MOVES, &behind), Some((lost(Side::South), 1)));
    // Two moves of one side in a row are two moves of its own.
    assert_eq!(adjudicated(resign(2, false), MOVES, &behind), Some((lost(Side::South), 2)));
    assert_eq!(adjudicated(resign(2, true), MOVES, &behind), Some((lost(Side::South), 4)));
    assert_eq!(adjudicated(resign(3, true), MOVES, &behind), Some((lost(Side::South), 6)));
    let unsure = [Some(-500), Some(-499), Some(600), None, Some(-600), Some(500)];
    assert_eq!(adjudicated(resign(2, false), MOVES, &unsure), None);
    let alone = [Some(-499), Some(-500), Some(499), None, Some(-499), Some(500)];
    assert_eq!(adjudicated(resign(1, true), MOVES, &alone), None, "never both at the same time");
}

#[test]
fn a_game_that_both_see_as_level_is_drawn() {
    let level = |from, moves, both| AdjudicationRules {
        draw: Some(DrawRule { from, moves, score: 50, both }),
        ..AdjudicationRules::limited(250)
    };
    let drawn = Adjudication { outcome: Outcome::Draw, termination: Termination::Agreement };
    let scores = [Some(50), Some(-50), Some(0), Some(10), Some(51), Some(0)];
    assert_eq!(adjudicated(level(0, 2, true), MOVES, &scores), Some((drawn, 4)));
    assert_eq!(adjudicated(level(0, 2, false), MOVES, &scores), Some((drawn, 2)));
    assert_eq!(adjudicated(level(3, 1, true), MOVES, &scores), Some((drawn, 3)));
    assert_eq!(adjudicated(level(0, 3, true), MOVES, &scores), None);
    assert_eq!(adjudicated(level(6, 3, false), MOVES, &scores), Some((drawn, 6)));
}

/// Two seeds of awari go round and round. How often a position must occur: `referee::endings`.
#[test]
fn a_position_that_comes_back_is_drawn_if_that_is_wanted() {
    let scene = Scene::new();
    let openings = scene.file("openings.txt", "0-0-0-0-0-1-0-0-0-0-0-1-23-23-S\n");
    let engines = [scene.engine("honest", &[]), scene.engine("last", &[])].concat();
    let play = |options: &str| {
        let line = format!("--rounds 1 --max-moves 60 --openings {openings} {options}");
        scene.run(&[engines.clone(), words(&line)]).game_results()[0]["termination"].clone()
    };
    assert_ne!(play(""), "repetition");
    assert_eq!(play("--repetition 2"), "repetition");
}

#[test]
fn at_the_limit_a_game_may_be_drawn() {
    let rules = AdjudicationRules { at_limit: MoveLimitResult::Draw, ..AdjudicationRules::limited(5) };
    let drawn = Adjudication { outcome: Outcome::Draw, termination: Termination::MoveLimit };
    assert_eq!(adjudicated(rules, MOVES, &[None; 6]), Some((drawn, 5)));
    let stores = adjudicated(AdjudicationRules::limited(5), MOVES, &[None; 6]).unwrap().0;
    assert_eq!(stores.outcome, Outcome::Win(Side::South));
}

#[test]
fn the_options_do_what_they_say() {
    let play = |options: &str| {
        let scene = Scene::new();
        let engines = [scene.engine("thoughtful", &[]), scene.engine("depthless", &[])].concat();
        let report = scene.run(&[engines, words(&format!("--rounds 2 --max-moves 40 {options}"))]);
        assert_eq!(report.status, 0, "{}", report.stderr);
        report
    };
    // `thoughtful` always says -1.25, `depthless` +0.35.
    let resigned = play("--resign moves=3 score=1.25");
    assert!(
        resigned
            .game_results()
            .iter()
            .all(|game| game["termination"] == "resignation" && game["fault"].is_null())
    );
    resigned.says("Wins: 0, Losses: 4, Draws: 0");
    assert!(play("--resign moves=3 score=1.25 twosided=on").stdout.contains("move limit 4"));
    let drawn = play("--draw moves=3 score=0.35 twosided=off from=20");
    assert!(drawn.game_results().iter().all(|game| game["result"] == "1/2-1/2" && game["plies"] == 20));
    drawn.says("Ended: agreed draw 4");
    assert!(play("--draw moves=3 score=1.25 from=20").stdout.contains("agreed draw 4"));
    assert!(play("--at-max-moves draw").stdout.contains("Draws: 4"));
}

/// A bound decides nothing, however far it is: the last score before it does. Without one the bound is recorded as such.
#[test]
fn a_bound_is_no_score() {
    let scene = Scene::new();
    let (engines, journal) =
        ([scene.engine("bounding", &[]), scene.engine("doubting", &[])].concat(), scene.path("journal"));
    let options =
        format!("--rounds 1 --max-moves 12 --resign moves=1 score=5 --journal {}", journal.display());
    let report = scene.run(&[engines.clone(), words(&options)]);
    report.assert_played(2);
    for game in report.game_results() {
        assert_eq!(game["termination"], "move limit", "{game}");
        let (scores, depths) =
            (game["searches"]["scores"].as_array().unwrap(), game["searches"]["depths"].as_array().unwrap());
        let (exact, bound) = (json!(12), json!("cp -1500 upperbound"));
        let said = |value: &Value| scores.iter().filter(|score| *score == value).count();
        assert_eq!(said(&exact) + said(&bound), scores.len(), "{game}");
        assert!(said(&exact) > 0 && said(&bound) > 0, "{game}");
        for (score, depth) in scores.iter().zip(depths) {
            assert_eq!(*depth, if *score == exact { 3 } else { 4 }, "{game}");
        }
    }
    assert!(report.games.contains("{<=-15.00/4 "), "{}", report.games);
    // The journal is read as it was written, and its games end alike.
    fs::remove_file(scene.path("games.json")).unwrap();
    let again = scene.run(&[engines, words(&options), words("--resume")]);
    assert_eq!((again.finished(), &again.json["games"]), (0, &report.json["games"]), "{}", again.stderr);
}

#[test]
fn the_endgames_end_what_they_know() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_str().unwrap();
    let play = |options: &[&str]| {
        let scene = Scene::new();
        let engines = [scene.engine("honest", &[]), scene.engine("banner", &[])].concat();
        scene.run(&[
            engines,
            words("--rounds 4 --variant ayoayo"),
            options.iter().map(|&word| word.into()).collect(),
        ])
    };
    let none = play(&["--endgame", path]);
    assert_eq!(none.status, 1);
    none.complains("there are no endgames of ayoayo");
    let endgames = Endgames::new();
    assert!(endgames.build::<Ayoayo>(9, &mut || false));
    (0..=9).for_each(|seeds| kroo::endgame_files::save::<Ayoayo>(&endgames, folder.path(), seeds).unwrap());
    let (known, played) = (play(&["--endgame", path]), play(&[]));
    assert_eq!((known.status, played.status), (0, 0), "{}", known.stderr);
    assert!(known.game_results().iter().any(|game| game["termination"] == "endgame"), "{}", known.stdout);
    // The same moves lead to the same results, only sooner, unless the weaker side has played on badly.
    let plies = |report: &Report| -> u64 {
        report.game_results().iter().map(|game| game["plies"].as_u64().unwrap()).sum()
    };
    assert!(plies(&known) < plies(&played));
}
