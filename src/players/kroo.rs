//! The full search, and the levels below it (`handicap.rs`). With a file to learn from, full strength also avoids what has lost
//! before (`penalties.rs`); lower levels do not.

use super::handicap;
use super::penalties::{LearnedPenalties, PenaltyObserver};
use super::player::{Player, Turn};
use crate::game::{Game, Side, Variant};
use crate::learn::LearnError;
use crate::search::{Observer, Report, Request, search};
use std::path::Path;

/// The engine's own player.
#[derive(Debug, Default)]
pub struct Kroo {
    /// Its lessons; `None` if it does not learn.
    learned: Option<LearnedPenalties>,
}

impl Kroo {
    /// A player that has learned the content of a file about a rule set; without a file it never learns.
    ///
    /// # Errors
    /// If the file is not usable.
    pub fn new(variant: Variant, learn_file: Option<&Path>) -> Result<Kroo, LearnError> {
        let learned = learn_file.map(|path| LearnedPenalties::new(variant, path)).transpose()?;
        Ok(Kroo { learned })
    }
}

impl Player for Kroo {
    fn choose(&mut self, turn: &Turn, observer: &mut dyn Observer) -> Report {
        let request = &turn.request;
        if let Some(handicap) = turn.strength.handicap(request.position.variant()) {
            return handicap::search(request, handicap, observer);
        }
        let Some(learned) = self.learned.as_mut() else {
            return search(request, &turn.table, observer);
        };
        let board = request.position.board();
        let report = match learned.penalties(board) {
            None => search(request, &turn.table, observer),
            Some(penalties) => {
                // Penalties apply to every move, so all need scores.
                let wide = Request { multipv: request.position.moves().len(), ..request.clone() };
                let mut penalized = PenaltyObserver::new((board, penalties), request.multipv, observer);
                let last = search(&wide, &turn.table, &mut penalized);
                penalized.answer(last)
            }
        };
        learned.add_score(board, report.score);
        report
    }

    fn can_go_on(&self, turn: &Turn) -> bool {
        self.learned.is_none() && turn.strength.handicap(turn.request.position.variant()).is_none()
    }

    fn learn(&mut self, game: &Game, side: Side) -> bool {
        self.learned.as_mut().is_some_and(|learned| learned.learn(game, side))
    }

    fn refresh(&mut self) {
        if let Some(learned) = &mut self.learned {
            learned.refresh();
        }
    }

    fn has_unsaved(&self) -> bool {
        self.learned.as_ref().is_some_and(LearnedPenalties::has_unsaved)
    }

    fn save(&mut self) {
        if let Some(learned) = &mut self.learned {
            learned.save();
        }
    }

    fn remarks(&mut self) -> Vec<String> {
        self.learned.as_mut().map(LearnedPenalties::remarks).unwrap_or_default()
    }
}
