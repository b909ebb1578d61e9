//! The iterator of pairings.

use super::knockout::Knockout;
use super::swiss::Swiss;
use super::{Event, Pair, PairResult};
use std::collections::{BTreeMap, VecDeque};

/// Two games over one opening.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Encounter {
    /// Who meets whom.
    pub pair: Pair,
    /// Which opening of the supply, from 0. It never grows less along a schedule.
    pub opening: u64,
}

/// What a schedule says next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// These are to play.
    Play(Encounter),
    /// Who is to play depends on results that are not there yet.
    Wait,
    /// Nobody is left to play.
    End,
}

/// The pairs of an event, in order.
#[derive(Clone, Debug)]
pub struct Schedule {
    draw: Draw,
    /// What is left of the pairs drawn so far.
    drawn: VecDeque<Encounter>,
    /// Pairs dealt so far.
    dealt: u64,
    /// Pairs dealt whose results are not there yet; kept only if the draw depends on them.
    open: BTreeMap<u64, Pair>,
    /// Results of pairs that have not been dealt yet, as when an event is taken up again.
    early: BTreeMap<u64, PairResult>,
}

#[derive(Clone, Debug)]
enum Draw {
    /// Everybody in front of a place of the list against everybody behind his own: `seeds` places.
    Everybody {
        engines: usize,
        seeds: Option<usize>,
        rounds: u64,
        pairs: u64,
        round: u64,
    },
    Swiss(Swiss),
    Knockout(Knockout),
}

impl Schedule {
    /// The schedule of an event; `pairs` are played at each meeting. The seed is that of a Swiss event's first round.
    #[must_use]
    pub fn new(event: Event, engines: usize, rounds: u64, pairs: u64, seed: u64) -> Schedule {
        let everybody = |seeds| Draw::Everybody { engines, seeds, rounds, pairs, round: 0 };
        let draw = match event {
            Event::RoundRobin => everybody(None),
            Event::Gauntlet { seeds } => everybody(Some(seeds)),
            Event::Swiss => Draw::Swiss(Swiss::new(engines, rounds, pairs, seed)),
            Event::Knockout => Draw::Knockout(Knockout::new(engines, pairs)),
        };
        Schedule { draw, drawn: VecDeque::new(), dealt: 0, open: BTreeMap::new(), early: BTreeMap::new() }
    }

    /// The next pair; its number is how many have been dealt before.
    pub fn step(&mut self) -> Step {
        while self.drawn.is_empty() {
            if !self.open.is_empty() {
                return Step::Wait;
            }
            let Some(drawn) = self.draw.next() else { return Step::End };
            self.drawn = drawn.into();
        }
        let Some(encounter) = self.drawn.pop_front() else { return Step::End };
        let number = self.dealt;
        self.dealt += 1;
        if self.draw.takes_results() {
            match self.early.remove(&number) {
                Some(result) => self.draw.add(encounter.pair, result),
                None => _ = self.open.insert(number, encounter.pair),
            }
        }
        Step::Play(encounter)
    }

    /// Both games of a pair are finished, given by its number. It may not have been dealt yet.
    pub fn result(&mut self, number: u64, result: PairResult) {
        if !self.draw.takes_results() {
            return;
        }
        match self.open.remove(&number) {
            Some(pair) => self.draw.add(pair, result),
            None if number >= self.dealt => _ = self.early.insert(number, result),
            None => {}
        }
    }

    /// Who has won a knockout that is over.
    #[must_use]
    pub fn champion(&self) -> Option<usize> {
        match &self.draw {
            Draw::Knockout(knockout) => knockout.champion(),
            _ => None,
        }
    }
}

impl Draw {
    fn takes_results(&self) -> bool {
        !matches!(self, Draw::Everybody { .. })
    }

    /// The next pairs whose draw depends on no result but those that are there.
    fn next(&mut self) -> Option<Vec<Encounter>> {
        match self {
            Draw::Everybody { engines, seeds, rounds, pairs, round } => {
                if round == rounds {
                    return None;
                }
                *round += 1;
                Some(everybody(*engines, *seeds, *round, *pairs))
            }
            Draw::Swiss(swiss) => swiss.next(),
            Draw::Knockout(knockout) => knockout.next(),
        }
    }

    fn add(&mut self, pair: Pair, result: PairResult) {
        match self {
            Draw::Everybody { .. } => {}
            Draw::Swiss(swiss) => swiss.add(pair, result),
            Draw::Knockout(knockout) => knockout.add(pair, result),
        }
    }
}

/// A round in which all meet all, or the seeds all others. All meetings have the same openings.
fn everybody(engines: usize, seeds: Option<usize>, round: u64, pairs: u64) -> Vec<Encounter> {
    let mut drawn = Vec::new();
    for game in 0..pairs {
        let opening = (round - 1) * pairs + game;
        for first in 0..seeds.unwrap_or(engines) {
            for second in seeds.unwrap_or(first + 1)..engines {
                drawn.push(Encounter { pair: Pair { round, first, second }, opening });
            }
        }
    }
    drawn
}
