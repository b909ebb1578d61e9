//! A Swiss event: in each round whoever has the same number of points meets.
//!
//! Engines are ranked by points; the seed has put those with the same number in order. Within a group of equals the
//! upper half meets the lower half. Nobody meets the same engine twice as long as the rest of the round can be drawn in
//! that way, and if the number of engines is odd, whoever has had the fewest free rounds and ranks last has one, which
//! counts as if it had won.

use super::pairings::GamePair;
use super::{GamePairResult, Pairing};
use kroo::game::split_mix;
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// Attempts to draw a round without a rematch before rematches are allowed.
const ATTEMPTS: u32 = 20_000;

#[derive(Clone, Debug)]
pub(super) struct Swiss {
    rounds: u64,
    pairs: u64,
    round: u64,
    /// The engines in the order that the seed has put them.
    order: Vec<usize>,
    /// Half points, by engine.
    points: Vec<u64>,
    /// Free rounds, by engine.
    free: Vec<u64>,
    /// How often two have met, the lower place first.
    met: BTreeMap<(usize, usize), u64>,
}

impl Swiss {
    pub fn new(engines: usize, rounds: u64, pairs: u64, seed: u64) -> Swiss {
        let mut order: Vec<usize> = (0..engines).collect();
        let mut state = seed;
        for last in (1..engines).rev() {
            order.swap(last, (split_mix(&mut state) % (last as u64 + 1)) as usize);
        }
        let none = vec![0; engines];
        Swiss { rounds, pairs, round: 0, order, points: none.clone(), free: none, met: BTreeMap::new() }
    }

    /// The pairs of the next round; all results so far are there.
    pub fn next(&mut self) -> Option<Vec<GamePair>> {
        if self.round == self.rounds {
            return None;
        }
        self.round += 1;
        let mut ranked = self.order.clone();
        ranked.sort_by_key(|&engine| Reverse(self.points[engine]));
        if ranked.len() % 2 == 1 {
            let fewest = self.free.iter().min().copied().unwrap_or(0);
            if let Some(place) = ranked.iter().rposition(|&engine| self.free[engine] == fewest) {
                let engine = ranked.remove(place);
                self.free[engine] += 1;
                self.points[engine] += 4 * self.pairs;
            }
        }
        let meetings = self.draw(&ranked);
        for &(first, second) in &meetings {
            *self.met.entry((first.min(second), first.max(second))).or_default() += 1;
        }
        let (round, before) = (self.round, (self.round - 1) * self.pairs);
        let game_pairs = (0..self.pairs).flat_map(|pair| {
            let game_pair = move |&(first, second)| GamePair {
                pair: Pairing { round, first, second },
                opening: before + pair,
            };
            meetings.iter().map(game_pair)
        });
        Some(game_pairs.collect())
    }

    pub fn add(&mut self, pair: Pairing, result: GamePairResult) {
        self.points[pair.first] += u64::from(result.half_points);
        self.points[pair.second] += u64::from(4 - result.half_points);
    }

    /// Who meets whom, with as few rematches as can be found.
    fn draw(&self, ranked: &[usize]) -> Vec<(usize, usize)> {
        let most = self.met.values().max().copied().unwrap_or(0);
        let drawn = (0..=most).find_map(|allowed| {
            let (mut drawn, mut attempts) = (Vec::new(), ATTEMPTS);
            self.meet(ranked, allowed, &mut attempts, &mut drawn).then_some(drawn)
        });
        drawn.unwrap_or_else(|| ranked.chunks_exact(2).map(|two| (two[0], two[1])).collect())
    }

    /// Finds an opponent for the first, then for the rest; `false` if there is none for all.
    fn meet(
        &self,
        ranked: &[usize],
        allowed: u64,
        attempts: &mut u32,
        drawn: &mut Vec<(usize, usize)>,
    ) -> bool {
        let Some((&first, rest)) = ranked.split_first() else { return true };
        let equals = 1 + rest.iter().take_while(|&&one| self.points[one] == self.points[first]).count();
        let middle = (equals / 2).max(1) - 1;
        let candidates = (middle..rest.len()).chain((0..middle).rev());
        for place in candidates {
            let second = rest[place];
            let met = self.met.get(&(first.min(second), first.max(second))).copied().unwrap_or(0);
            if met > allowed {
                continue;
            }
            if *attempts == 0 {
                return false;
            }
            *attempts -= 1;
            let mut left = rest.to_vec();
            left.remove(place);
            drawn.push((first, second));
            if self.meet(&left, allowed, attempts, drawn) {
                return true;
            }
            drawn.pop();
        }
        false
    }
}
