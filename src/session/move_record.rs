//! The moves that this session has answered in a game. Its player can learn from them.
//!
//! Each game, from one `ucinewgame` to the next, is learned from once, when a `position` brings moves that end it. The player has
//! played the sides for which it answered a `go` with a move that occurs in the game. Answers to `go ponder` count only from
//! `ponderhit`: until then the other side is to move.

use crate::game::{Game, Move, Side};
use std::collections::BTreeMap;

/// The answered moves of a game.
#[derive(Debug, Default)]
pub struct MoveRecord {
    /// Number of moves before the current search.
    searching_at: usize,
    /// Whether the current search ponders.
    pondering: bool,
    /// The answers, by the number of moves before each.
    answers: BTreeMap<usize, Move>,
    /// A finished game to learn from.
    finished: Option<Game>,
    /// Whether the player has learned from this game.
    pub(super) learned: bool,
}

impl MoveRecord {
    pub(super) fn search_begins(&mut self, game: &Game, pondering: bool) {
        self.searching_at = game.moves().len();
        self.pondering = pondering;
    }

    /// `ponderhit`: the expected move was played, and the answer counts.
    pub(super) fn ponder_hit(&mut self) {
        self.pondering = false;
    }

    /// The search has ended with a move.
    pub(super) fn answered(&mut self, mv: Option<Move>) {
        match mv {
            Some(mv) if !self.pondering => drop(self.answers.insert(self.searching_at, mv)),
            _ => {}
        }
    }

    /// A `position` command has set up a game.
    pub(super) fn set_up(&mut self, game: &Game) {
        if game.position().verdict().is_some() {
            self.finished = Some(game.clone());
        }
    }

    pub(super) fn take_finished(&mut self) -> Option<Game> {
        self.finished.take().filter(|_| !self.learned)
    }

    /// The sides of a game whose moves this session answered.
    pub(super) fn sides(&self, game: &Game) -> Vec<Side> {
        let played = |side| {
            self.answers.iter().any(|(&index, mv)| mv.side == side && game.moves().get(index) == Some(mv))
        };
        Side::BOTH.into_iter().filter(|&side| played(side)).collect()
    }
}
