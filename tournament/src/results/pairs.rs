//! Counts of complete pairs of games.

use crate::statistics::Estimate;
use ahash::AHashSet;

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
    /// Games lost, drawn and won of those.
    repeated_games: [u64; 3],
    /// Fingerprints of all pairs.
    seen: AHashSet<u64>,
}

impl PairCounts {
    /// Counts of pairs whose games are not known.
    #[must_use]
    pub fn of(counts: [u64; 5]) -> PairCounts {
        PairCounts { counts, ..PairCounts::default() }
    }

    /// Counts a pair, by the half points and the fingerprints of its games, in any order.
    pub fn add(&mut self, half_points: [u8; 2], fingerprints: [u64; 2]) {
        let [first, second] = half_points;
        let new = self.seen.insert(fingerprints[0].wrapping_add(fingerprints[1]));
        if new {
            self.counts[usize::from(first + second)] += 1;
        } else {
            self.repeated += 1;
        }
        let games = if new { &mut self.games } else { &mut self.repeated_games };
        half_points.into_iter().for_each(|result| games[usize::from(result)] += 1);
    }

    /// Games lost, drawn and won, without those of repeated pairs.
    #[must_use]
    pub fn without_repeated(&self, games: [u64; 3]) -> [u64; 3] {
        std::array::from_fn(|result| games[result] - self.repeated_games[result])
    }

    /// The difference in strength that the results show: from the pairs if there are any, else from the games lost, drawn and
    /// won.
    #[must_use]
    pub fn estimate(&self, games: Option<[u64; 3]>) -> Option<Estimate> {
        let of_games = || {
            let [losses, draws, wins] = self.without_repeated(games?);
            Estimate::of_games(losses, draws, wins)
        };
        Estimate::of_pairs(self.counts).or_else(of_games)
    }
}
