//! The iterator of game pairs.

use super::event::Event;
use super::knockout::{Champion, Knockout};
use super::pairing::{GamePair, GamePairResult, Next, Pairing};
use super::swiss::Swiss;
use crate::tuning::{Settings, Spsa, TuningRun};
use std::collections::VecDeque;
use std::sync::Arc;

/// The game pairs of an event, in order.
#[derive(Clone, Debug)]
pub struct Pairings {
    system: PairingSystem,
    /// The pairs drawn that have not been given out.
    drawn: VecDeque<GamePair>,
    /// Pairs given out without a result yet; kept only if the system needs results.
    open: VecDeque<Pairing>,
}

/// How pairs are drawn.
#[derive(Clone, Debug)]
enum PairingSystem {
    /// Round robin, or a gauntlet: the gauntlet seeds, which come first in the list, against all others.
    AllPlayAll {
        engines: usize,
        gauntlet_seeds: Option<usize>,
        rounds: u64,
        pairs: u64,
        /// The round that is drawn, from 1, and how many pairs of each of its pairings have been.
        round: u64,
        pair: u64,
    },
    Swiss(Swiss),
    Knockout(Knockout),
    /// Two engines with the values of a tuning run; a round is an iteration.
    Tuning {
        run: Box<TuningRun>,
        pairs: u64,
        /// The values in the iteration that was drawn last.
        settings: Option<Arc<Settings>>,
    },
}

impl Pairings {
    /// The pairings of an event. `pairs` game pairs are played at each pairing; the random seed orders the engines of a Swiss
    /// event.
    pub fn new(event: Event, engines: usize, rounds: u64, pairs: u64, seed: u64) -> Pairings {
        let all = |gauntlet_seeds| PairingSystem::AllPlayAll {
            engines,
            gauntlet_seeds,
            rounds,
            pairs,
            round: 1,
            pair: 0,
        };
        let system = match event {
            Event::RoundRobin => all(None),
            Event::Gauntlet { gauntlet_seeds } => all(Some(gauntlet_seeds)),
            Event::Swiss => PairingSystem::Swiss(Swiss::new(engines, rounds, pairs, seed)),
            Event::Knockout => PairingSystem::Knockout(Knockout::new(engines, pairs)),
        };
        Pairings::of(system)
    }

    /// The pairings of a tuning run: two engines meet in iterations of `pairs` game pairs.
    pub fn tuning(spsa: Spsa, pairs: u64) -> Pairings {
        let run = Box::new(TuningRun::new(spsa, pairs));
        Pairings::of(PairingSystem::Tuning { run, pairs, settings: None })
    }

    fn of(system: PairingSystem) -> Pairings {
        Pairings { system, drawn: VecDeque::new(), open: VecDeque::new() }
    }

    /// The next pair. Pairs are numbered from 0, in this order.
    pub fn step(&mut self) -> Next<GamePair> {
        self.draw();
        match self.drawn.pop_front() {
            Some(pair) => {
                if self.system.needs_results() {
                    self.open.push_back(pair.pairing);
                }
                Next::Play(pair)
            }
            None if self.open.is_empty() => Next::End,
            None => Next::Wait,
        }
    }

    /// Takes in the result of a pair. They come in the order of the pairs.
    pub fn result(&mut self, result: GamePairResult) {
        if let Some(pairing) = self.open.pop_front() {
            self.system.add(pairing, result);
        }
    }

    fn draw(&mut self) {
        while self.drawn.is_empty() && (self.open.is_empty() || self.system.draws_ahead()) {
            let Some(drawn) = self.system.draw() else { return };
            self.drawn = drawn.into();
        }
    }

    /// The values that the engines are given in the pair that was given out last.
    pub fn settings(&self) -> Option<Arc<Settings>> {
        match &self.system {
            PairingSystem::Tuning { settings, .. } => settings.clone(),
            _ => None,
        }
    }

    /// The end of a knockout that is over.
    pub fn champion(&mut self) -> Option<Champion> {
        if matches!(self.system, PairingSystem::Knockout(_)) {
            self.draw();
        }
        match &self.system {
            PairingSystem::Knockout(knockout) => knockout.champion(),
            _ => None,
        }
    }
}

impl PairingSystem {
    fn needs_results(&self) -> bool {
        !matches!(self, PairingSystem::AllPlayAll { .. })
    }

    /// Whether pairs may be drawn before all earlier results have come.
    fn draws_ahead(&self) -> bool {
        matches!(self, PairingSystem::Tuning { .. })
    }

    /// The next pairs that depend only on results that are there.
    fn draw(&mut self) -> Option<Vec<GamePair>> {
        match self {
            PairingSystem::AllPlayAll { engines, gauntlet_seeds, rounds, pairs, round, pair } => {
                if pair == pairs {
                    (*round, *pair) = (*round + 1, 0);
                }
                if round > rounds || pairs == &0 {
                    return None;
                }
                let opening = (*round - 1) * *pairs + *pair;
                *pair += 1;
                Some(all_play_all(*engines, *gauntlet_seeds, *round, opening))
            }
            PairingSystem::Swiss(swiss) => swiss.draw_round(),
            PairingSystem::Knockout(knockout) => knockout.draw(),
            PairingSystem::Tuning { run, pairs, settings } => {
                let (iteration, drawn) = run.hand_out()?;
                *settings = Some(Arc::new(drawn));
                let pairing = Pairing { round: iteration, first: 0, second: 1 };
                let openings = (iteration - 1) * *pairs..iteration * *pairs;
                Some(openings.map(|opening| GamePair { pairing, opening, bye: None }).collect())
            }
        }
    }

    fn add(&mut self, pairing: Pairing, result: GamePairResult) {
        match self {
            PairingSystem::AllPlayAll { .. } => {}
            PairingSystem::Swiss(swiss) => swiss.add(pairing, result),
            PairingSystem::Knockout(knockout) => knockout.add(pairing, result),
            PairingSystem::Tuning { run, .. } => _ = run.add(pairing.round, 2, u64::from(result.half_points)),
        }
    }
}

/// One pair of games for each pairing of a round (all against all, or the gauntlet seeds against all others), with one opening.
fn all_play_all(engines: usize, gauntlet_seeds: Option<usize>, round: u64, opening: u64) -> Vec<GamePair> {
    let mut drawn = Vec::new();
    for first in 0..gauntlet_seeds.unwrap_or(engines) {
        for second in gauntlet_seeds.unwrap_or(first + 1)..engines {
            drawn.push(GamePair { pairing: Pairing { round, first, second }, opening, bye: None });
        }
    }
    drawn
}
