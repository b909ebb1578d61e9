//! A Swiss event: in each round, engines with the same number of points meet.
//!
//! The rules are those of chess where they apply (FIDE Handbook C.04.1, Basic Rules for Swiss Systems, and the score brackets
//! and halves of C.04.3, the Dutch system):
//!
//! - Engines are ranked by points, and with the same number of points by an order that the random seed has drawn.
//! - Within a score bracket the upper half meets the lower half.
//! - Two engines meet again only if the round cannot be paired otherwise. Pairs are tried by backtracking.
//! - If the number of engines is odd, one has a bye: among those with the fewest byes the one that ranks last. A bye counts as
//!   a win.
//!
//! FIDE's rules about colours are not needed, since each pair of games is played from both sides.

use super::pairing::{GamePair, GamePairResult, Pairing};
use kroo::game::shuffle;
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// Pairs tried in a round before more rematches are allowed. It bounds the backtracking, which is exponential at worst.
const MAX_TRIES: u32 = 20_000;

/// The state of a Swiss event.
#[derive(Clone, Debug)]
pub(super) struct Swiss {
    rounds: u64,
    pairs: u64,
    round: u64,
    /// The engines in the order that breaks ties.
    order: Vec<usize>,
    /// Half points, by engine.
    points: Vec<u64>,
    /// Byes, by engine.
    byes: Vec<u64>,
    /// How often two engines have met, the lower place first.
    met: BTreeMap<(usize, usize), u64>,
}

impl Swiss {
    pub fn new(engines: usize, rounds: u64, pairs: u64, mut seed: u64) -> Swiss {
        let mut order: Vec<usize> = (0..engines).collect();
        shuffle(&mut order, &mut seed);
        let none = vec![0; engines];
        Swiss { rounds, pairs, round: 0, order, points: none.clone(), byes: none, met: BTreeMap::new() }
    }

    /// The pairs of the next round, once all earlier results have come.
    pub fn draw_round(&mut self) -> Option<Vec<GamePair>> {
        if self.round == self.rounds {
            return None;
        }
        self.round += 1;
        let mut ranked = self.order.clone();
        ranked.sort_by_key(|&engine| Reverse(self.points[engine]));
        let mut bye = None;
        if ranked.len() % 2 == 1 {
            let fewest = self.byes.iter().min().copied().unwrap_or(0);
            if let Some(place) = ranked.iter().rposition(|&engine| self.byes[engine] == fewest) {
                let engine = ranked.remove(place);
                self.byes[engine] += 1;
                self.points[engine] += 4 * self.pairs;
                bye = Some(engine);
            }
        }
        let drawn = self.pair_up(&ranked);
        for &(first, second) in &drawn {
            *self.met.entry((first.min(second), first.max(second))).or_default() += 1;
        }
        let (round, before) = (self.round, (self.round - 1) * self.pairs);
        let game_pairs = (0..self.pairs).flat_map(|pair| {
            let game_pair = move |&(first, second)| GamePair {
                pairing: Pairing { round, first, second },
                opening: before + pair,
                bye,
            };
            drawn.iter().map(game_pair)
        });
        Some(game_pairs.collect())
    }

    pub fn add(&mut self, pairing: Pairing, result: GamePairResult) {
        self.points[pairing.first] += u64::from(result.half_points);
        self.points[pairing.second] += u64::from(4 - result.half_points);
    }

    /// The pairings, with as few rematches as can be found.
    fn pair_up(&self, ranked: &[usize]) -> Vec<(usize, usize)> {
        let most = self.met.values().max().copied().unwrap_or(0);
        let drawn = (0..=most).find_map(|allowed| {
            let (mut drawn, mut tries) = (Vec::new(), MAX_TRIES);
            self.pair_first(ranked, allowed, &mut tries, &mut drawn).then_some(drawn)
        });
        drawn.unwrap_or_else(|| ranked.chunks_exact(2).map(|two| (two[0], two[1])).collect())
    }

    /// Finds an opponent for the first engine, and then for the rest; `false` if the allowed number of meetings
    /// makes that impossible.
    fn pair_first(
        &self,
        ranked: &[usize],
        allowed: u64,
        tries: &mut u32,
        drawn: &mut Vec<(usize, usize)>,
    ) -> bool {
        let Some((&first, rest)) = ranked.split_first() else { return true };
        let bracket = 1 + rest.iter().take_while(|&&one| self.points[one] == self.points[first]).count();
        let middle = (bracket / 2).max(1) - 1;
        let candidates = (middle..rest.len()).chain((0..middle).rev());
        for place in candidates {
            let second = rest[place];
            let met = self.met.get(&(first.min(second), first.max(second))).copied().unwrap_or(0);
            if met > allowed {
                continue;
            }
            if *tries == 0 {
                return false;
            }
            *tries -= 1;
            let mut left = rest.to_vec();
            left.remove(place);
            drawn.push((first, second));
            if self.pair_first(&left, allowed, tries, drawn) {
                return true;
            }
            drawn.pop();
        }
        false
    }
}
