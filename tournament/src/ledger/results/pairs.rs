//! Counts of complete pairs of games.

use crate::statistics::Estimate;
use ahash::{AHashMap, AHashSet};
use kroo::game::Side;

/// Complete pairs of games of two engines, by the results of the first. A pair that repeats another one move by move is no new
/// evidence: it is in no count.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PairCounts {
    /// Pairs by the half points they brought: 0 to 4 (the pentanomial counts).
    pub counts: [u64; 5],
    /// Games lost, drawn and won of these pairs.
    pub games: [u64; 3],
    /// Pairs that repeat another one.
    pub repeated: u64,
    /// How many of them came since the last new pair.
    pub in_a_row: u64,
    /// Games lost, drawn and won of those.
    repeated_games: [u64; 3],
    /// Fingerprints of all pairs.
    seen: AHashSet<u64>,
    /// The first game of each incomplete pair, by what its games have in common.
    half_finished: AHashMap<u64, GameOfPair>,
}

/// A game for the first engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameOfPair {
    /// The first engine's side.
    pub side: Side,
    /// Its half points.
    pub half_points: u8,
    /// A number that only the same game has.
    pub fingerprint: u64,
}

impl PairCounts {
    /// Takes in a game. With an earlier one of the same pair, in which the first engine had the other side, the pair is counted.
    pub fn add(&mut self, pair: u64, game: GameOfPair) {
        let fellow = self.half_finished.remove(&pair).filter(|fellow| fellow.side != game.side);
        let Some(fellow) = fellow else {
            self.half_finished.insert(pair, game);
            return;
        };
        let new = self.seen.insert(game.fingerprint.wrapping_add(fellow.fingerprint));
        if new {
            self.counts[usize::from(game.half_points + fellow.half_points)] += 1;
            self.in_a_row = 0;
        } else {
            self.repeated += 1;
            self.in_a_row += 1;
        }
        let games = if new { &mut self.games } else { &mut self.repeated_games };
        [game, fellow].iter().for_each(|game| games[usize::from(game.half_points)] += 1);
    }

    /// Games lost, drawn and won, without those of repeated pairs.
    #[must_use]
    pub fn without_repeated(&self, games: [u64; 3]) -> [u64; 3] {
        std::array::from_fn(|result| games[result] - self.repeated_games[result])
    }

    /// The difference in strength that the results show: from the pairs if there are any, else from the games lost, drawn and
    /// won.
    #[must_use]
    pub fn estimate(&self, games: [u64; 3]) -> Option<Estimate> {
        let of_games = || {
            let [losses, draws, wins] = self.without_repeated(games);
            Estimate::of_games(losses, draws, wins)
        };
        Estimate::of_pairs(self.counts).or_else(of_games)
    }
}
