//! Counts of pairs and of faults.

use crate::plans::game;
use kroo::game::Side;
use kroo_referee::game::{Outcome, Termination};
use kroo_referee::ledger::results::{CountedGame, Couple, FaultCounts};
use kroo_referee::statistics::Estimate;

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
    let mut faults = FaultCounts::default();
    for (engine, kind) in
        [(1, Termination::Crash), (0, Termination::Crash), (1, Termination::NoMove), (1, Termination::Crash)]
    {
        faults.add(engine, kind);
    }
    let all = |engine, games, losses| faults.lost_all(engine, games, losses);
    assert!(all(1, 3, 3) && !all(1, 4, 3) && !all(1, 4, 4) && all(0, 1, 1) && !all(0, 2, 2) && !all(2, 0, 0));
    let text = faults.lost_all_text(1, "Mill");
    assert!(text.starts_with("Mill ") && text.contains("2") && text.contains("1"), "{text}");
}
