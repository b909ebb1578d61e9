//! The games of two engines against each other.

use super::counted::CountedGame;
use super::totals::Totals;
use crate::game::Outcome;
use crate::statistics::Estimate;
use ahash::{AHashMap, AHashSet};
use kroo::game::Side;

/// The one record of two engines, from the side of the first in the list. A pair of games that repeats another one move by move is
/// no new evidence: it is not in the counts of pairs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Couple {
    /// All results of the first.
    pub totals: Totals,
    /// Complete pairs by the half points they brought: 0 to 4 (the pentanomial counts).
    pub pairs: [u64; 5],
    /// Games lost, drawn and won of these pairs.
    pub pair_games: [u64; 3],
    /// Pairs that repeat another one.
    pub repeated: u64,
    /// How many of them came since the last new pair.
    pub in_a_row: u64,
    /// Games lost, drawn and won of repeated pairs.
    repeated_games: [u64; 3],
    /// Fingerprints of all pairs.
    seen: AHashSet<u64>,
    /// The first game of each incomplete pair, by what its games have in common: the first engine's side, its half points, and
    /// the game's fingerprint.
    half_finished: AHashMap<u64, (Side, u8, u64)>,
}

impl Couple {
    /// The difference in strength that the results show: from the pairs if there are any, else from the games lost, drawn and
    /// won.
    pub fn estimate(&self) -> Option<Estimate> {
        let of_games = || {
            let [losses, draws, wins] = self.games_without_repeated();
            Estimate::of_games(losses, draws, wins)
        };
        Estimate::of_pairs(self.pairs).or_else(of_games)
    }

    /// Games lost, drawn and won.
    pub fn games(&self) -> [u64; 3] {
        let Totals { wins, losses, draws, .. } = self.totals;
        [losses, draws, wins]
    }

    /// The same without those of repeated pairs.
    pub fn games_without_repeated(&self) -> [u64; 3] {
        let games = self.games();
        std::array::from_fn(|result| games[result] - self.repeated_games[result])
    }

    /// Counts a game. Once both games of a pair have come, with sides swapped, the pair is counted.
    pub fn add(&mut self, game: &CountedGame<'_>) {
        let side = game.side_of_first();
        self.totals.add(game, side);
        if game.outcome == Outcome::Void {
            return;
        }
        let game_of_pair = (side, game.outcome.half_points(side), game.fingerprint);
        let fellow = self.half_finished.remove(&game.pair).filter(|&(other, ..)| other != side);
        let Some(fellow) = fellow else {
            self.half_finished.insert(game.pair, game_of_pair);
            return;
        };
        let both = [game_of_pair, fellow];
        let new = self.seen.insert(both[0].2.wrapping_add(both[1].2));
        if new {
            self.pairs[usize::from(both[0].1 + both[1].1)] += 1;
            self.in_a_row = 0;
        } else {
            self.repeated += 1;
            self.in_a_row += 1;
        }
        let games = if new { &mut self.pair_games } else { &mut self.repeated_games };
        both.iter().for_each(|&(_, half_points, _)| games[usize::from(half_points)] += 1);
    }
}
