//! A knockout (single elimination): the loser of a tie is out.
//!
//! The list of engines is the seeding: the first meets the last, and the first two cannot meet before the final. If their
//! number is no power of two, the first ones have a bye in the first round. A tie that is level after its games is extended, one
//! pair of games at a time. If it stays level, the seeds captured decide, and then the seeding. Of two engines that could begin
//! no game, neither goes on.

use super::pairing::{GamePair, GamePairResult, Pairing};

/// The most pairs of games that are added to a level tie.
const MAX_EXTRA_PAIRS: u64 = 3;

/// The state of a knockout.
#[derive(Clone, Debug)]
pub(super) struct Knockout {
    pairs: u64,
    round: u64,
    /// The engines still in, in the order of the bracket; `None` is a bye.
    bracket: Vec<Option<usize>>,
    /// The ties of this round.
    ties: Vec<Tie>,
}

/// All games of two engines in a round.
#[derive(Clone, Debug)]
struct Tie {
    first: usize,
    second: usize,
    /// How many pairs of games have been drawn.
    drawn: u64,
    /// Half points of the first engine minus those of the second.
    lead: i64,
    /// Seeds of the first engine minus those of the second.
    margin: i64,
    /// Whether a game of it has a result.
    played: bool,
}

/// The end of a knockout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Champion {
    /// The winner, by its place in the list.
    Engine(usize),
    /// There is no winner: no engine could begin a game of the last tie.
    None,
}

impl Knockout {
    pub fn new(engines: usize, pairs: u64) -> Knockout {
        let bracket = bracket(engines.next_power_of_two());
        let bracket = bracket.into_iter().map(|seed| Some(seed).filter(|&seed| seed < engines)).collect();
        Knockout { pairs, round: 0, bracket, ties: Vec::new() }
    }

    /// The pairs of a round, or extra pairs for its level ties, once all earlier results have come.
    pub fn draw(&mut self) -> Option<Vec<GamePair>> {
        if self.bracket.len() < 2 {
            return None;
        }
        let most = self.pairs + MAX_EXTRA_PAIRS;
        let level = |tie: &Tie| tie.lead == 0 && tie.drawn < most;
        if self.ties.iter().any(level) {
            return Some(self.draw_pairs(1, level));
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
            played: false,
        };
        self.ties = both.map(tie).collect();
        Some(self.draw_pairs(self.pairs, |_| true))
    }

    /// `pairs` pairs of games of each chosen tie, the first pair of all ties before the second of any.
    fn draw_pairs(&mut self, pairs: u64, choose: impl Fn(&Tie) -> bool) -> Vec<GamePair> {
        let (round, before) = (self.round, (self.round - 1) * (self.pairs + MAX_EXTRA_PAIRS));
        let mut drawn = Vec::new();
        let chosen: Vec<usize> = (0..self.ties.len()).filter(|&tie| choose(&self.ties[tie])).collect();
        for _ in 0..pairs {
            for &tie in &chosen {
                let Tie { first, second, drawn: number, .. } = &mut self.ties[tie];
                let pairing = Pairing { round, first: *first, second: *second };
                drawn.push(GamePair { pairing, opening: before + *number, bye: None });
                *number += 1;
            }
        }
        drawn
    }

    pub fn add(&mut self, pairing: Pairing, result: GamePairResult) {
        let same = |tie: &&mut Tie| (tie.first, tie.second) == (pairing.first, pairing.second);
        if let Some(tie) = self.ties.iter_mut().find(same) {
            tie.lead += 2 * i64::from(result.half_points) - 4;
            tie.margin += i64::from(result.margin);
            tie.played |= result.played;
        }
    }

    fn winners(&self) -> Vec<Option<usize>> {
        let winner = |two: &[Option<usize>]| {
            let tie = self.ties.iter().find(|tie| two.contains(&Some(tie.first)));
            match tie {
                Some(tie) => tie.winner(),
                None => two[0].or(two[1]),
            }
        };
        self.bracket.chunks(2).map(winner).collect()
    }

    pub fn champion(&self) -> Option<Champion> {
        match self.bracket.as_slice() {
            [champion] => Some(champion.map_or(Champion::None, Champion::Engine)),
            _ => None,
        }
    }
}

impl Tie {
    /// The engine that goes on. The first engine is the one with the better seeding.
    fn winner(&self) -> Option<usize> {
        let first = (self.lead, self.margin) >= (0, 0);
        self.played.then_some(if first { self.first } else { self.second })
    }
}

/// The places of a bracket: in each round, the seedings of two opponents that win as expected add up to the same number.
fn bracket(size: usize) -> Vec<usize> {
    let mut places = vec![0];
    while places.len() < size {
        let last = 2 * places.len() - 1;
        places = places.into_iter().flat_map(|seed| [seed, last - seed]).collect();
    }
    places
}
