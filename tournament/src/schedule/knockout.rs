//! A knockout: who loses is out.
//!
//! The list of engines is their seeding: the first meets the last, and the first two cannot meet before the final. If
//! they are no power of two, the first have a free first round. A tie that is level after its games is played on, a
//! pair at a time; if it stays level, the seeds taken decide, then the seeding.

use super::pairings::GamePair;
use super::{GamePairResult, Pairing};

/// Pairs of games that are added to a level tie.
const EXTRA: u64 = 3;

#[derive(Clone, Debug)]
pub(super) struct Knockout {
    pairs: u64,
    round: u64,
    /// Who is still in, in the order of the bracket; `None` is a free place.
    bracket: Vec<Option<usize>>,
    /// The ties of this round.
    ties: Vec<Tie>,
}

#[derive(Clone, Debug)]
struct Tie {
    first: usize,
    second: usize,
    /// Pairs drawn.
    drawn: u64,
    /// Half points of the first less those of the second.
    lead: i64,
    /// Seeds of the first less those of the second.
    margin: i64,
}

impl Knockout {
    pub fn new(engines: usize, pairs: u64) -> Knockout {
        let bracket = bracket(engines.next_power_of_two());
        let bracket = bracket.into_iter().map(|seed| Some(seed).filter(|&seed| seed < engines)).collect();
        Knockout { pairs, round: 0, bracket, ties: Vec::new() }
    }

    /// The pairs of a round, or what is added to its level ties; all results so far are there.
    pub fn next(&mut self) -> Option<Vec<GamePair>> {
        if self.bracket.len() < 2 {
            return None;
        }
        let most = self.pairs + EXTRA;
        let level = |tie: &Tie| tie.lead == 0 && tie.drawn < most;
        if self.ties.iter().any(level) {
            return Some(self.draw(1, level));
        }
        if self.round > 0 {
            self.bracket = self.winners();
        }
        if self.bracket.len() < 2 {
            return None;
        }
        self.round += 1;
        let both = self.bracket.chunks(2).filter_map(|two| Some((two[0]?, two[1]?)));
        let tie = |(one, other): (usize, usize)| Tie {
            first: one.min(other),
            second: one.max(other),
            drawn: 0,
            lead: 0,
            margin: 0,
        };
        self.ties = both.map(tie).collect();
        Some(self.draw(self.pairs, |_| true))
    }

    /// So many pairs of each tie that is meant, the first pair of all before the second of any.
    fn draw(&mut self, pairs: u64, meant: impl Fn(&Tie) -> bool) -> Vec<GamePair> {
        let (round, before) = (self.round, (self.round - 1) * (self.pairs + EXTRA));
        let mut drawn = Vec::new();
        let chosen: Vec<usize> = (0..self.ties.len()).filter(|&tie| meant(&self.ties[tie])).collect();
        for _ in 0..pairs {
            for &tie in &chosen {
                let Tie { first, second, drawn: number, .. } = &mut self.ties[tie];
                let pair = Pairing { round, first: *first, second: *second };
                drawn.push(GamePair { pair, opening: before + *number });
                *number += 1;
            }
        }
        drawn
    }

    pub fn add(&mut self, pair: Pairing, result: GamePairResult) {
        let same = |tie: &&mut Tie| (tie.first, tie.second) == (pair.first, pair.second);
        if let Some(tie) = self.ties.iter_mut().find(same) {
            tie.lead += 2 * i64::from(result.half_points) - 4;
            tie.margin += i64::from(result.margin);
        }
    }

    fn winners(&self) -> Vec<Option<usize>> {
        let winner = |two: &[Option<usize>]| {
            let tie = self.ties.iter().find(|tie| two.contains(&Some(tie.first)));
            tie.map(Tie::winner).or(two[0]).or(two[1])
        };
        self.bracket.chunks(2).map(winner).collect()
    }

    pub fn champion(&self) -> Option<usize> {
        match self.bracket.as_slice() {
            [champion] => *champion,
            _ => None,
        }
    }
}

impl Tie {
    /// Who goes on. The first is the one that is higher in the list.
    fn winner(&self) -> usize {
        if (self.lead, self.margin) >= (0, 0) { self.first } else { self.second }
    }
}

/// The places of a bracket: each seed meets the one with which its number makes the same sum.
fn bracket(size: usize) -> Vec<usize> {
    let mut places = vec![0];
    while places.len() < size {
        let last = 2 * places.len() - 1;
        places = places.into_iter().flat_map(|seed| [seed, last - seed]).collect();
    }
    places
}
