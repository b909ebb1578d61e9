//! From game pairs to numbered games.

use super::knockout::Champion;
use super::opening::Opening;
use super::openings::Openings;
use super::pairing::{GamePairResult, Next, Pairing};
use super::pairings::Pairings;
use super::shard::Shard;
use crate::tuning::Settings;
use kroo::game::Side;
use std::sync::Arc;

/// A game to be played.
#[derive(Clone, Debug, PartialEq)]
pub struct ScheduledGame {
    /// The game's number, from 1, in the order of the schedule.
    pub number: u64,
    /// The number of its pair, from 0.
    pub pair: u64,
    /// The pairing that it belongs to.
    pub pairing: Pairing,
    /// South and North, by their places in the list of engines.
    pub players: [usize; 2],
    /// The moves before the engines begin.
    pub opening: Arc<Opening>,
    /// The values that the engines are given before it, in a tuning run.
    pub settings: Option<Arc<Settings>>,
    /// The engine that has a bye in its round.
    pub bye: Option<usize>,
}

impl ScheduledGame {
    /// The side of the pairing's first engine.
    pub fn side_of_first(&self) -> Side {
        if self.players[Side::South.index()] == self.pairing.first { Side::South } else { Side::North }
    }
}

/// The games of an event, in order.
#[derive(Debug)]
pub struct Schedule {
    pairings: Pairings,
    shard: Shard,
    openings: Openings,
    /// How many openings have been used, and the last of them.
    used: u64,
    opening: Option<Arc<Opening>>,
    /// The number of the next pair.
    next_pair: u64,
    /// The second game of a pair whose first game has been given out.
    second: Option<ScheduledGame>,
    /// The result of a pair's first game until its second one is finished.
    half: Option<GamePairResult>,
}

impl Schedule {
    /// The games of one part of an event.
    pub fn new(pairings: Pairings, shard: Shard, openings: Openings) -> Schedule {
        Schedule { pairings, shard, openings, used: 0, opening: None, next_pair: 0, second: None, half: None }
    }

    pub fn step(&mut self) -> Next<ScheduledGame> {
        if let Some(second) = self.second.take() {
            return Next::Play(second);
        }
        loop {
            let game_pair = match self.pairings.step() {
                Next::Play(game_pair) => game_pair,
                Next::Wait => return Next::Wait,
                Next::End => return Next::End,
            };
            let pair = self.next_pair;
            self.next_pair += 1;
            if !self.shard.has(pair) {
                continue;
            }
            let pairing = game_pair.pairing;
            let (number, opening) = (2 * pair + 1, self.opening(game_pair.opening));
            let players = [pairing.first, pairing.second];
            let (settings, bye) = (self.pairings.settings(), game_pair.bye);
            let first = ScheduledGame { number, pair, pairing, players, opening, settings, bye };
            let players = [pairing.second, pairing.first];
            self.second = Some(ScheduledGame { number: number + 1, players, ..first.clone() });
            return Next::Play(first);
        }
    }

    /// Takes in the result of a game. They come in the order of the games.
    pub fn finished(&mut self, result: GamePairResult) {
        match self.half.take() {
            None => self.half = Some(result),
            Some(first) => self.pairings.result(first.with(result)),
        }
    }

    /// The end of a knockout that is over.
    pub fn champion(&mut self) -> Option<Champion> {
        self.pairings.champion()
    }

    /// An opening by its number, which never decreases.
    fn opening(&mut self, number: u64) -> Arc<Opening> {
        while self.used <= number || self.opening.is_none() {
            self.used += 1;
            self.opening = Some(Arc::new(self.openings.next_opening()));
        }
        self.opening.clone().unwrap_or_else(|| Arc::new(self.openings.next_opening()))
    }
}
