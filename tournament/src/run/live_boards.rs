//! The boards of the games in progress, for a display.

use crate::game::MoveObserver;
use crate::schedule::ScheduledGame;
use kroo::game::{Game, Move, Position};
use std::sync::{Mutex, MutexGuard, PoisonError};

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
    /// The position.
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
    number: u64,
    players: [usize; 2],
}

impl LiveBoards {
    /// A number of empty boards.
    pub fn new(count: usize) -> LiveBoards {
        LiveBoards { boards: (0..count).map(|_| Mutex::new(None)).collect() }
    }

    pub(super) fn begin(&self, worker: usize, scheduled: &ScheduledGame) -> LiveBoard<'_> {
        LiveBoard {
            board: &self.boards[worker],
            worker,
            number: scheduled.number,
            players: scheduled.players,
        }
    }

    /// All games in progress.
    pub fn snapshots(&self) -> Vec<BoardSnapshot> {
        self.boards.iter().filter_map(|board| locked(board).clone()).collect()
    }
}

impl MoveObserver for LiveBoard<'_> {
    fn moved(&self, game: &Game) {
        let (position, moves) = (*game.position(), game.moves().len());
        let (worker, number, players, last) =
            (self.worker, self.number, self.players, game.moves().last().copied());
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

fn locked(board: &Mutex<Option<BoardSnapshot>>) -> MutexGuard<'_, Option<BoardSnapshot>> {
    board.lock().unwrap_or_else(PoisonError::into_inner)
}
