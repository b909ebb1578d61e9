//! Counts of pairs and of faults.

use crate::plans::game;
use kroo::game::Side;
use kroo_referee::game::{Outcome, Termination};
use kroo_referee::ledger::results::{CountedGame, Couple, Results, Totals};
use kroo_referee::statistics::Estimate;
use serde_json::json;

const SOUTH: Outcome = Outcome::Win(Side::South);
const NORTH: Outcome = Outcome::Win(Side::North);

#[test]
fn two_games_with_sides_swapped_are_a_pair_and_count_once() {
    let mut couple = Couple::default();
    // Won and drawn; lost twice; only one game; the same as the first, the other way round; twice as South.
    for (pair, south, outcome, fingerprint) in [
        (0, 0, SOUTH, 10),
        (1, 0, NORTH, 20),
        (0, 1, Outcome::Draw, 11),
        (2, 0, SOUTH, 30),
        (1, 1, SOUTH, 21),
        (3, 1, Outcome::Draw, 11),
        (3, 0, SOUTH, 10),
        (4, 0, SOUTH, 40),
        (4, 0, SOUTH, 41),
    ] {
        let record = game(1, [south, 1 - south], outcome, [20, 5]);
        couple.add(&CountedGame { pair, fingerprint, ..CountedGame::of(&record) });
    }
    assert_eq!((couple.pairs, couple.pair_games, couple.repeated), ([1, 0, 0, 1, 0], [2, 1, 1], 1));
    assert_eq!((couple.games(), couple.games_without_repeated()), ([2, 2, 5], [2, 1, 4]));
    assert_eq!(couple.estimate(), Estimate::of_pairs([1, 0, 0, 1, 0]));
    let mut single = Couple::default();
    (single.totals.losses, single.totals.draws, single.totals.wins) = (1, 2, 3);
    assert_eq!(single.estimate(), Estimate::of_games(1, 2, 3));
}

#[test]
fn an_engine_has_lost_all_by_faults_only_if_no_other_game_counts() {
    let plan = crate::plans::plan(&["one", "Mill"], &json!("round_robin"));
    let mut tally = Results::new(&plan);
    let faults = [((0, Termination::Crash), 1), ((1, Termination::Crash), 2), ((1, Termination::NoMove), 1)];
    tally.faults = faults.into();
    let mut all = |engine: usize, games, losses| {
        tally.engines.fill(Totals::default());
        tally.engines[engine] = Totals { wins: games - losses, losses, ..Totals::default() };
        tally.faults_only(&plan)
    };
    for (engine, games, losses) in [(1, 4, 3), (1, 4, 4), (0, 2, 2), (0, 0, 0)] {
        assert_eq!(all(engine, games, losses), None, "{engine} {games} {losses}");
    }
    assert!(all(0, 1, 1).is_some());
    let text = all(1, 3, 3).expect("all were faults");
    assert!(text.starts_with("Mill ") && text.contains("2") && text.contains("1"), "{text}");
}
