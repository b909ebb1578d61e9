//! The iterator of pairings.

use super::knockout::Knockout;
use super::swiss::Swiss;
use super::{Event, GamePairResult, Pairing};
use std::collections::{BTreeMap, VecDeque};

/// Two games over one opening.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GamePair {
    /// Who meets whom.
    pub pair: Pairing,
    /// Which opening of the supply, from 0. It never grows less along a schedule.
    pub opening: u64,
}

/// What a schedule says next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NextPair {
    /// These are to play.
    Play(GamePair),
    /// Who is to play depends on results that are not there yet.
    Wait,
    /// Nobody is left to play.
    End,
}

/// The pairs of an event, in order.
#[derive(Clone, Debug)]
pub struct Pairings {
    draw: PairingSystem,
    /// What is left of the pairs drawn so far.
    drawn: VecDeque<GamePair>,
    /// Pairs dealt so far.
    dealt: u64,
    /// Pairs dealt whose results are not there yet; kept only if the draw depends on them.
    open: BTreeMap<u64, Pairing>,
    /// Results of pairs that have not been dealt yet, as when an event is taken up again.
    early: BTreeMap<u64, GamePairResult>,
}

#[derive(Clone, Debug)]
enum PairingSystem {
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

impl Pairings {
    /// The schedule of an event; `pairs` are played at each meeting. The seed is that of a Swiss event's first round.
    #[must_use]
    pub fn new(event: Event, engines: usize, rounds: u64, pairs: u64, seed: u64) -> Pairings {
        let everybody = |seeds| PairingSystem::Everybody { engines, seeds, rounds, pairs, round: 0 };
        let draw = match event {
            Event::RoundRobin => everybody(None),
            Event::Gauntlet { seeds } => everybody(Some(seeds)),
            Event::Swiss => PairingSystem::Swiss(Swiss::new(engines, rounds, pairs, seed)),
            Event::Knockout => PairingSystem::Knockout(Knockout::new(engines, pairs)),
        };
        Pairings { draw, drawn: VecDeque::new(), dealt: 0, open: BTreeMap::new(), early: BTreeMap::new() }
    }

    /// The next pair; its number is how many have been dealt before.
    pub fn step(&mut self) -> NextPair {
        while self.drawn.is_empty() {
            if !self.open.is_empty() {
                return NextPair::Wait;
            }
            let Some(drawn) = self.draw.next() else { return NextPair::End };
            self.drawn = drawn.into();
        }
        let Some(game_pair) = self.drawn.pop_front() else { return NextPair::End };
        let number = self.dealt;
        self.dealt += 1;
        if self.draw.takes_results() {
            match self.early.remove(&number) {
                Some(result) => self.draw.add(game_pair.pair, result),
                None => _ = self.open.insert(number, game_pair.pair),
            }
        }
        NextPair::Play(game_pair)
    }

    /// Both games of a pair are finished, given by its number. It may not have been dealt yet.
    pub fn result(&mut self, number: u64, result: GamePairResult) {
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
            PairingSystem::Knockout(knockout) => knockout.champion(),
            _ => None,
        }
    }
}

impl PairingSystem {
    fn takes_results(&self) -> bool {
        !matches!(self, PairingSystem::Everybody { .. })
    }

    /// The next pairs whose draw depends on no result but those that are there.
    fn next(&mut self) -> Option<Vec<GamePair>> {
        match self {
            PairingSystem::Everybody { engines, seeds, rounds, pairs, round } => {
                if round == rounds {
                    return None;
                }
                *round += 1;
                Some(everybody(*engines, *seeds, *round, *pairs))
            }
            PairingSystem::Swiss(swiss) => swiss.next(),
            PairingSystem::Knockout(knockout) => knockout.next(),
        }
    }

    fn add(&mut self, pair: Pairing, result: GamePairResult) {
        match self {
            PairingSystem::Everybody { .. } => {}
            PairingSystem::Swiss(swiss) => swiss.add(pair, result),
            PairingSystem::Knockout(knockout) => knockout.add(pair, result),
        }
    }
}

/// A round in which all meet all, or the seeds all others. All meetings have the same openings.
fn everybody(engines: usize, seeds: Option<usize>, round: u64, pairs: u64) -> Vec<GamePair> {
    let mut drawn = Vec::new();
    for game in 0..pairs {
        let opening = (round - 1) * pairs + game;
        for first in 0..seeds.unwrap_or(engines) {
            for second in seeds.unwrap_or(first + 1)..engines {
                drawn.push(GamePair { pair: Pairing { round, first, second }, opening });
            }
        }
    }
    drawn
}
