//! The full search, and its levels. With a file to learn from it also avoids what has lost before: see `penalties.rs`.

use super::penalties::{Memory, Mindful};
use super::{Player, Turn, handicap};
use crate::game::{Game, Side, Variant};
use crate::learn::LearnError;
use crate::search::{Observer, Report, Request, search};
use std::path::Path;

/// This engine.
#[derive(Debug, Default)]
pub struct Kroo {
    /// What it has learned; none if it does not learn.
    memory: Option<Memory>,
}

impl Kroo {
    /// One that has learned what a file tells of a rule set; without a file it never learns.
    ///
    /// # Errors
    /// If the file cannot be used.
    pub fn new(variant: Variant, learn_file: Option<&Path>) -> Result<Kroo, LearnError> {
        let memory = learn_file.map(|path| Memory::new(variant, path)).transpose()?;
        Ok(Kroo { memory })
    }
}

impl Player for Kroo {
    fn choose(&mut self, turn: &Turn, observer: &mut dyn Observer) -> Report {
        let request = &turn.request;
        if let Some(handicap) = turn.level.handicap(request.position.variant()) {
            return handicap::search(request, handicap, observer);
        }
        let Some(memory) = self.memory.as_mut() else {
            return search(request, &turn.table, observer);
        };
        let report = match memory.penalties(request.position.board()) {
            None => search(request, &turn.table, observer),
            Some(penalties) => {
                // What is thought of each move is needed, to weigh it against what is remembered of it.
                let wide = Request { multipv: request.position.moves().len(), ..request.clone() };
                let mut mindful = Mindful::new(penalties, request.multipv, observer);
                let last = search(&wide, &turn.table, &mut mindful);
                mindful.answer(last)
            }
        };
        memory.note(request.position.board(), report.score);
        report
    }

    fn learn(&mut self, game: &Game, side: Side) -> bool {
        self.memory.as_mut().is_some_and(|memory| memory.learn(game, side))
    }

    fn refresh(&mut self) {
        if let Some(memory) = &mut self.memory {
            memory.refresh();
        }
    }

    fn remarks(&mut self) -> Vec<String> {
        self.memory.as_mut().map(Memory::remarks).unwrap_or_default()
    }
}
