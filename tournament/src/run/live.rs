//! The live state of a match: a value that one thread shows to others, the boards of the games in progress, and the workers of a
//! queue, as seen by its coordinator and `referee status`.

use crate::engine::locked;
use crate::schedule::ScheduledGame;
use kroo::game::{Game, Move, Position};
use serde::{Deserialize, Serialize};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

/// The latest value.
#[derive(Debug, Default)]
pub struct Latest<T> {
    value: Mutex<T>,
    is_read: AtomicBool,
}

impl<T: Clone> Latest<T> {
    /// The latest value.
    pub fn get(&self) -> T {
        self.is_read.store(true, Ordering::Relaxed);
        locked(&self.value).clone()
    }

    /// Whether it was ever asked for.
    pub fn is_read(&self) -> bool {
        self.is_read.load(Ordering::Relaxed)
    }

    /// Replaces it.
    pub fn set(&self, value: T) {
        *locked(&self.value) = value;
    }
}

/// A board for each worker.
#[derive(Debug)]
pub struct LiveBoards {
    boards: Vec<Mutex<Option<BoardSnapshot>>>,
}

/// A game in progress.
#[derive(Clone, Debug)]
pub struct BoardSnapshot {
    /// The number of the worker that plays it, from 0.
    pub worker: usize,
    /// The game's number.
    pub number: u64,
    /// The places of South and North in the list of engines.
    pub players: [usize; 2],
    pub position: Position,
    /// The position before the last move, if it was on this board.
    pub before: Option<Position>,
    /// How many moves have been made.
    pub moves: usize,
    /// The last one.
    pub last: Option<Move>,
}

/// The board of a game. It is empty again when this is dropped.
#[derive(Debug)]
pub(super) struct LiveBoard<'a> {
    board: &'a Mutex<Option<BoardSnapshot>>,
    worker: usize,
    scheduled: &'a ScheduledGame,
}

impl LiveBoards {
    /// A number of empty boards.
    pub fn new(count: usize) -> LiveBoards {
        LiveBoards { boards: (0..count).map(|_| Mutex::new(None)).collect() }
    }

    pub(super) fn begin<'a>(&'a self, worker: usize, scheduled: &'a ScheduledGame) -> LiveBoard<'a> {
        LiveBoard { board: &self.boards[worker], worker, scheduled }
    }

    /// All games in progress.
    pub fn snapshots(&self) -> Vec<BoardSnapshot> {
        self.boards.iter().filter_map(|board| locked(board).clone()).collect()
    }
}

impl LiveBoard<'_> {
    /// The game begins, or a move has been made.
    pub fn moved(&self, game: &Game) {
        let (position, moves) = (*game.position(), game.moves().len());
        let (worker, last) = (self.worker, game.moves().last().copied());
        let ScheduledGame { number, players, .. } = *self.scheduled;
        let mut board = locked(self.board);
        let known = board.as_ref().filter(|known| known.number == number && known.moves + 1 == moves);
        let before = known.map(|known| known.position);
        *board = Some(BoardSnapshot { worker, number, players, position, before, moves, last });
    }
}

impl Drop for LiveBoard<'_> {
    fn drop(&mut self) {
        *locked(self.board) = None;
    }
}

/// The last state of a queue; nothing in a match on one machine.
pub type LiveWorkers = Latest<Option<QueueSnapshot>>;

/// The state of a queue.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct QueueSnapshot {
    pub workers: Vec<WorkerSnapshot>,
    /// Batches that no worker has yet, and those in play.
    pub batches: [u64; 2],
    /// How many games are committed in a minute, once that is known.
    pub games_per_minute: Option<u64>,
}

/// A worker as the broker shows it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct WorkerSnapshot {
    /// Its name, which no other has.
    pub worker: String,
    /// Its description of itself.
    #[serde(flatten)]
    pub says: WorkerStatus,
    /// Seconds since its last sign of life.
    pub silent: u64,
    /// Whether it is there.
    pub health: WorkerHealth,
}

/// A worker's description of itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WorkerStatus {
    /// The machine's name.
    pub host: String,
    pub processor: String,
    /// How many processors the worker may use.
    pub cores: u64,
    /// How many games it plays at once.
    pub threads: u64,
    /// How many games it has finished.
    pub games: u64,
    /// The result of its bench.
    pub bench: Bench,
}

/// The result of the engine's `bench`, compiled into the referee, on a machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bench {
    /// The nodes that it visits: the signature of the search.
    pub nodes: u64,
    /// Nodes per second, of one thread.
    pub nps: u64,
}

/// Whether a worker is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum WorkerHealth {
    /// It has given no sign of life for longer than the lease: its games are played by others.
    Silent,
    /// It plays.
    There,
}

impl WorkerHealth {
    /// As it is written.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            WorkerHealth::Silent => "silent",
            WorkerHealth::There => "there",
        }
    }
}
