//! The record of a game's moves that this session has answered, so that its player can learn from the game.
//!
//! A game is learned from once between one `ucinewgame` and the next, when a `position` brings moves that end it. The
//! player has played those sides for which it answered a `go` with a move that then occurs in the game. Answers to `go ponder`
//! do not count before `ponderhit`: until then the other side is to move.

use crate::game::{Game, Move, Side};
use std::collections::BTreeMap;

/// The moves that were answered in one game.
#[derive(Debug, Default)]
pub struct MoveRecord {
    /// How many moves had been played when the current search began.
    searching_at: usize,
    /// Whether the current search ponders.
    pondering: bool,
    /// The answers, by the number of moves played before each.
    answers: BTreeMap<usize, Move>,
    /// A finished game that has not been learned from yet.
    finished: Option<Game>,
    /// Whether the player has learned from this game.
    pub(super) learned: bool,
}

impl MoveRecord {
    /// A search for a move begins.
    pub(super) fn search_begins(&mut self, game: &Game, pondering: bool) {
        self.searching_at = game.moves().len();
        self.pondering = pondering;
    }

    /// `ponderhit`: the expected move was played, so the answer counts.
    pub(super) fn ponder_hit(&mut self) {
        self.pondering = false;
    }

    /// The search was answered.
    pub(super) fn answered(&mut self, mv: Option<Move>) {
        match mv {
            Some(mv) if !self.pondering => drop(self.answers.insert(self.searching_at, mv)),
            _ => {}
        }
    }

    /// A `position` command has set up a game, which ends after so many moves; 0 stands for no limit.
    pub(super) fn set_up(&mut self, game: &Game, move_limit: usize) {
        if game.position().verdict().is_some() || game.is_at_limit(move_limit) {
            self.finished = Some(game.clone());
        }
    }

    /// Takes the finished game, if there is one to learn from.
    pub(super) fn take_finished(&mut self) -> Option<Game> {
        self.finished.take().filter(|_| !self.learned)
    }

    /// The sides whose moves in a game were answered here.
    pub(super) fn sides(&self, game: &Game) -> Vec<Side> {
        let played = |side| {
            self.answers.iter().any(|(&index, mv)| mv.side == side && game.moves().get(index) == Some(mv))
        };
        Side::BOTH.into_iter().filter(|&side| played(side)).collect()
    }
}
