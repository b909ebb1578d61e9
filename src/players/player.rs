//! The interface of players: a [`Player`] chooses a move when it is its [`Turn`].

use crate::game::{Game, Side};
use crate::level::Strength;
use crate::search::{Observer, Report, Request, SearchMemory};
use std::sync::Arc;

/// A position to choose a move in, with its limits and resources.
#[derive(Clone)]
pub struct Turn {
    /// The search request. Its game is not over.
    pub request: Request,
    /// The strength, for players with levels.
    pub strength: Strength,
    /// The search memory, for players that search.
    pub table: Arc<SearchMemory>,
}

impl Turn {
    /// A turn without limits, with a small table of its own.
    ///
    /// # Panics
    /// If the system has less than a MiB of free memory.
    pub fn new(game: &Game) -> Turn {
        let table = Arc::new(SearchMemory::new(1).expect("a small table fits"));
        Turn { request: Request::new(game), strength: Strength::FULL, table }
    }
}

/// A player of moves.
pub trait Player: Send {
    /// Chooses a move, reports to the observer, and returns the last report, whose line begins with the move.
    ///
    /// # Panics
    /// If the game is over, or the player does not know its rules.
    fn choose(&mut self, turn: &Turn, observer: &mut dyn Observer) -> Report;

    /// Whether a stopped choice can be resumed by choosing again, because its results are in the turn's table.
    fn can_go_on(&self, _turn: &Turn) -> bool {
        false
    }

    /// Called once after a game in which it played a side; returns whether it has learned from it.
    fn learn(&mut self, _game: &Game, _side: Side) -> bool {
        false
    }

    /// Its new remarks for people; one about a fault of its file begins with `error`.
    fn remarks(&mut self) -> Vec<String> {
        Vec::new()
    }

    /// Restarts its random numbers from a seed, if it uses any.
    fn reseed(&mut self, _seed: u64) {}
}
