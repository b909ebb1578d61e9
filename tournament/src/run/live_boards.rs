//! The boards that are being played on, for somebody who looks on.

use crate::game::MoveObserver;
use crate::schedule::ScheduledGame;
use kroo::game::{Game, Position};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A board for each worker.
#[derive(Debug)]
pub struct LiveBoards {
    boards: Vec<Mutex<Option<BoardSnapshot>>>,
}

/// What is on a board.
#[derive(Clone, Debug)]
pub struct BoardSnapshot {
    /// The game's number.
    pub number: u64,
    /// The places of South and North in the list of engines.
    pub players: [usize; 2],
    /// Where it stands.
    pub position: Position,
    /// Moves made.
    pub moves: usize,
}

/// A board with a game on it.
#[derive(Debug)]
pub(super) struct Board<'a> {
    place: &'a Mutex<Option<BoardSnapshot>>,
    number: u64,
    players: [usize; 2],
}

impl LiveBoards {
    /// So many empty boards.
    #[must_use]
    pub fn new(count: usize) -> LiveBoards {
        LiveBoards { boards: (0..count).map(|_| Mutex::new(None)).collect() }
    }

    /// A worker begins a game.
    pub(super) fn set_up(&self, worker: usize, scheduled: &ScheduledGame) -> Board<'_> {
        Board { place: &self.boards[worker], number: scheduled.number, players: scheduled.players }
    }

    /// What is on all boards now.
    #[must_use]
    pub fn look(&self) -> Vec<BoardSnapshot> {
        self.boards.iter().filter_map(|board| locked(board).clone()).collect()
    }
}

impl MoveObserver for Board<'_> {
    fn moved(&self, game: &Game) {
        let (position, moves) = (*game.position(), game.moves().len());
        *locked(self.place) =
            Some(BoardSnapshot { number: self.number, players: self.players, position, moves });
    }
}

impl Drop for Board<'_> {
    fn drop(&mut self) {
        *locked(self.place) = None;
    }
}

fn locked(board: &Mutex<Option<BoardSnapshot>>) -> MutexGuard<'_, Option<BoardSnapshot>> {
    board.lock().unwrap_or_else(PoisonError::into_inner)
}
