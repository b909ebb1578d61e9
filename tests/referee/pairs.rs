//! Counts of pairs and of faults.

use kroo::game::Side;
use kroo_referee::game::Termination;
use kroo_referee::ledger::results::{FaultCounts, GameOfPair, PairCounts};
use kroo_referee::statistics::Estimate;

fn game(side: Side, half_points: u8, fingerprint: u64) -> GameOfPair {
    GameOfPair { side, half_points, fingerprint }
}

#[test]
fn two_games_with_sides_swapped_are_a_pair_and_count_once() {
    let mut pairs = PairCounts::default();
    // Won and drawn; lost twice; only one game; the same as the first, the other way round; twice as South.
    for (pair, game) in [
        (0, game(Side::South, 2, 10)),
        (1, game(Side::South, 0, 20)),
        (0, game(Side::North, 1, 11)),
        (2, game(Side::South, 2, 30)),
        (1, game(Side::North, 0, 21)),
        (3, game(Side::North, 1, 11)),
        (3, game(Side::South, 2, 10)),
        (4, game(Side::South, 2, 40)),
        (4, game(Side::South, 2, 41)),
    ] {
        pairs.add(pair, game);
    }
    assert_eq!((pairs.counts, pairs.games, pairs.repeated), ([1, 0, 0, 1, 0], [2, 1, 1], 1));
    assert_eq!(pairs.without_repeated([2, 2, 5]), [2, 1, 4]);
    assert_eq!(pairs.estimate([2, 2, 5]), Estimate::of_pairs([1, 0, 0, 1, 0]));
    assert_eq!(PairCounts::default().estimate([1, 2, 3]), Estimate::of_games(1, 2, 3));
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
