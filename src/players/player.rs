//! What every player has in common: a [`Player`] chooses a move when it is its [`Turn`].

use crate::game::{Game, Side};
use crate::level::Level;
use crate::search::{Observer, Report, Request, SearchMemory};
use std::sync::Arc;

/// A move to be chosen: where, how far to look, and with what.
#[derive(Clone)]
pub struct Turn {
    /// The game so far. It is not over.
    pub game: Game,
    /// The search that is asked for, of where the game stands.
    pub request: Request,
    /// How well to play, for a player who has levels.
    pub level: Level,
    /// The table of searched positions, for a player who searches.
    pub table: Arc<SearchMemory>,
}

impl Turn {
    /// A turn without any limit, and with a small table of its own.
    ///
    /// # Panics
    /// If there is no memory for a MiB.
    #[must_use]
    pub fn new(game: &Game) -> Turn {
        let table = Arc::new(SearchMemory::new(1).expect("a small table fits"));
        Turn { game: game.clone(), request: Request::new(game), level: Level::Full, table }
    }
}

/// Whoever chooses moves.
pub trait Player: Send {
    /// Chooses a move, tells the observer, and returns the last report: its line begins with the move.
    ///
    /// # Panics
    /// If the game is over, or has rules that the player does not know.
    fn choose(&mut self, turn: &Turn, observer: &mut dyn Observer) -> Report;

    /// Whether a choice that was stopped can be gone on with by choosing again, because what it has found is in the turn's
    /// table.
    fn can_go_on(&self, _turn: &Turn) -> bool {
        false
    }

    /// A game is over in which it played this side. It may remember it; says whether it does. Once a game is enough.
    fn learn(&mut self, _game: &Game, _side: Side) -> bool {
        false
    }

    /// Looks what others have written into the file that it learns from.
    fn refresh(&mut self) {}

    /// What it has to say to people since it was asked last; `error` begins what went wrong with its file.
    fn remarks(&mut self) -> Vec<String> {
        Vec::new()
    }

    /// Whether something that it has learned is not in its file yet: another process had the file locked, for example.
    fn has_unsaved(&self) -> bool {
        false
    }

    /// Writes what is not in its file yet, without waiting for anybody.
    fn save(&mut self) {}

    /// Begins its random numbers anew from a seed, if it uses any.
    fn reseed(&mut self, _seed: u64) {}
}
