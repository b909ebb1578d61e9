//! Who plays whom, in which order, and from where.
//!
//! A schedule is an iterator of [`Pair`]s, two engines that meet in a round. Each pair is two games over one opening
//! with sides swapped; [`Fixtures`] deals them out, numbered, with their openings. Nothing here depends on results or
//! on time, so the same arguments give the same games on every machine, whatever the number of workers.

mod opening;
mod openings;
mod random;

pub use opening::{Opening, OpeningError};
pub use openings::{Openings, OpeningsError};
pub use random::RandomOpenings;

use kroo::game::Side;
use std::sync::Arc;

/// Two engines that meet in a round, by their places in the list of engines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pair {
    /// The round, from 1. All pairs of a round play the same opening.
    pub round: u64,
    /// Who is South in the first game.
    pub first: usize,
    /// Who is South in the second.
    pub second: usize,
}

/// Everybody against everybody else, once a round; two engines make a match.
pub fn round_robin(engines: usize, rounds: u64) -> impl Iterator<Item = Pair> + Send + Clone {
    (1..=rounds).flat_map(move |round| {
        let against = move |first| (first + 1..engines).map(move |second| Pair { round, first, second });
        (0..engines).flat_map(against)
    })
}

/// How many games a round robin has.
#[must_use]
pub fn round_robin_games(engines: usize, rounds: u64) -> u64 {
    let pairs = engines as u64 * (engines as u64).saturating_sub(1) / 2;
    rounds * pairs * 2
}

/// A game to be played.
#[derive(Clone, Debug)]
pub struct Fixture {
    /// The game's number, from 1, in the order of the schedule.
    pub number: u64,
    /// The number of its pair, from 0.
    pub pair: u64,
    /// The meeting that it belongs to.
    pub meeting: Pair,
    /// Who is South and who is North, by their places in the list of engines.
    pub players: [usize; 2],
    /// What has been played before the engines begin.
    pub opening: Arc<Opening>,
}

impl Fixture {
    /// Which side the pair's first engine has.
    #[must_use]
    pub fn side_of_first(&self) -> Side {
        if self.players[Side::South.index()] == self.meeting.first { Side::South } else { Side::North }
    }
}

/// The games of a schedule, in order.
#[derive(Debug)]
pub struct Fixtures<P> {
    pairs: P,
    openings: Openings,
    round: u64,
    opening: Arc<Opening>,
    number: u64,
    /// The second game of the pair whose first has been dealt.
    pending: Option<Fixture>,
}

impl<P: Iterator<Item = Pair>> Fixtures<P> {
    /// The games of these pairs; each round takes the next opening.
    pub fn new(pairs: P, mut openings: Openings) -> Fixtures<P> {
        let opening = Arc::new(openings.deal());
        Fixtures { pairs, openings, round: 1, opening, number: 0, pending: None }
    }
}

impl<P: Iterator<Item = Pair>> Iterator for Fixtures<P> {
    type Item = Fixture;

    fn next(&mut self) -> Option<Fixture> {
        self.number += 1;
        if let Some(second) = self.pending.take() {
            return Some(second);
        }
        let meeting = self.pairs.next()?;
        if meeting.round != self.round {
            self.round = meeting.round;
            self.opening = Arc::new(self.openings.deal());
        }
        let first = Fixture {
            number: self.number,
            pair: self.number / 2,
            meeting,
            players: [meeting.first, meeting.second],
            opening: Arc::clone(&self.opening),
        };
        let players = [meeting.second, meeting.first];
        self.pending = Some(Fixture { number: self.number + 1, players, ..first.clone() });
        Some(first)
    }
}
