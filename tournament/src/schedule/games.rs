//! From pairings to numbered games.

use super::{GamePairResult, NextPair, Opening, Openings, Pairing, Pairings, Shard};
use ahash::AHashMap;
use kroo::game::Side;
use std::sync::Arc;

/// A game to be played.
#[derive(Clone, Debug)]
pub struct ScheduledGame {
    /// The game's number, from 1, in the order of the schedule.
    pub number: u64,
    /// The number of its pair, from 0.
    pub pair: u64,
    /// The meeting that it belongs to.
    pub meeting: Pairing,
    /// Who is South and who is North, by their places in the list of engines.
    pub players: [usize; 2],
    /// What has been played before the engines begin.
    pub opening: Arc<Opening>,
}

impl ScheduledGame {
    /// Which side the pair's first engine has.
    #[must_use]
    pub fn side_of_first(&self) -> Side {
        if self.players[Side::South.index()] == self.meeting.first { Side::South } else { Side::North }
    }
}

/// What comes next.
#[derive(Clone, Debug)]
pub enum NextGame {
    /// This game.
    Play(ScheduledGame),
    /// It depends on results that are not there yet.
    Wait,
    /// Nothing.
    End,
}

/// The games of a schedule, in order.
#[derive(Debug)]
pub struct Schedule {
    schedule: Pairings,
    shard: Shard,
    openings: Openings,
    /// How many openings have been dealt, and the last of them.
    dealt: u64,
    opening: Option<Arc<Opening>>,
    /// The number of the next pair.
    pair: u64,
    /// The second game of the pair whose first has been dealt.
    pending: Option<ScheduledGame>,
    /// Pairs of which one game is finished.
    open: AHashMap<u64, GamePairResult>,
}

impl Schedule {
    /// The games of a part of a schedule.
    #[must_use]
    pub fn new(schedule: Pairings, shard: Shard, openings: Openings) -> Schedule {
        Schedule {
            schedule,
            shard,
            openings,
            dealt: 0,
            opening: None,
            pair: 0,
            pending: None,
            open: AHashMap::new(),
        }
    }

    /// The next game.
    pub fn step(&mut self) -> NextGame {
        if let Some(second) = self.pending.take() {
            return NextGame::Play(second);
        }
        loop {
            let game_pair = match self.schedule.step() {
                NextPair::Play(game_pair) => game_pair,
                NextPair::Wait => return NextGame::Wait,
                NextPair::End => return NextGame::End,
            };
            let pair = self.pair;
            self.pair += 1;
            if !self.shard.has(pair) {
                continue;
            }
            let meeting = game_pair.pair;
            let (number, opening) = (2 * pair + 1, self.opening(game_pair.opening));
            let first =
                ScheduledGame { number, pair, meeting, players: [meeting.first, meeting.second], opening };
            let players = [meeting.second, meeting.first];
            self.pending = Some(ScheduledGame { number: number + 1, players, ..first.clone() });
            return NextGame::Play(first);
        }
    }

    /// A game of a pair is finished: half points and seeds more than the other, of the pair's first engine.
    pub fn finished(&mut self, pair: u64, half_points: u8, margin: i32) {
        match self.open.remove(&pair) {
            None => _ = self.open.insert(pair, GamePairResult { half_points, margin }),
            Some(other) => {
                let half_points = half_points + other.half_points;
                self.schedule.result(pair, GamePairResult { half_points, margin: margin + other.margin });
            }
        }
    }

    /// Who has won a knockout that is over.
    #[must_use]
    pub fn champion(&self) -> Option<usize> {
        self.schedule.champion()
    }

    /// An opening by its number, which is no less than the one before.
    fn opening(&mut self, number: u64) -> Arc<Opening> {
        while self.dealt <= number || self.opening.is_none() {
            self.dealt += 1;
            self.opening = Some(Arc::new(self.openings.deal()));
        }
        self.opening.clone().unwrap_or_else(|| Arc::new(self.openings.deal()))
    }
}
