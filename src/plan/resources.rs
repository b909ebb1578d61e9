//! What the settings name: weights, opening book and endgames.

use super::background::BackgroundEndgames;
use super::book_moves::book_of;
use super::endgame_files::EndgameFiles;
use crate::book::{Book, BookError};
use crate::endgame::EndgameFileError;
use crate::evaluate::{EvalFileError, Weights};
use crate::protocol::Settings;
use crate::roster::PlayerName;
use std::sync::Arc;

/// Files and endgames that searches use.
pub struct Resources {
    /// The weights of the network.
    pub weights: Arc<Weights>,
    /// The book of `BookFile`; none for the built-in one.
    pub book: Option<Book>,
    /// The endgames, and where they come from.
    pub endgame_files: EndgameFiles,
    /// The small endgames that are built in the background.
    pub background: Option<BackgroundEndgames>,
}

/// Why a file of the settings cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ResourceError {
    /// The weights cannot be read.
    #[error("EvalFile: {0}")]
    Weights(#[from] EvalFileError),
    /// The book cannot be used.
    #[error("BookFile: {0}")]
    Book(#[from] BookError),
    /// The endgame files cannot be used.
    #[error("EndgamePath: {0}")]
    Endgames(#[from] EndgameFileError),
}

impl Resources {
    /// What the settings name; nothing is built in the background yet.
    ///
    /// # Errors
    /// If a file of the settings cannot be used.
    pub fn open(settings: &Settings) -> Result<Resources, ResourceError> {
        Ok(Resources {
            weights: weights_of(settings)?,
            book: book_of(settings)?,
            endgame_files: EndgameFiles::open(settings, None)?,
            background: None,
        })
    }

    /// Opens the book again.
    ///
    /// # Errors
    /// If it cannot be used; then nothing changes.
    pub fn open_book(&mut self, settings: &Settings) -> Result<(), BookError> {
        self.book = book_of(settings)?;
        Ok(())
    }

    /// Opens the endgame files again.
    ///
    /// # Errors
    /// If they cannot be used; then nothing changes.
    pub fn open_endgames(&mut self, settings: &Settings) -> Result<(), EndgameFileError> {
        self.endgame_files = EndgameFiles::open(settings, Some(&self.endgame_files))?;
        Ok(())
    }

    /// Changes to the rule set of the settings, with its built-in weights.
    ///
    /// # Errors
    /// If its endgame files cannot be used; then nothing changes.
    pub fn change_variant(&mut self, settings: &Settings) -> Result<(), EndgameFileError> {
        self.open_endgames(settings)?;
        self.weights = Weights::built_in(settings.variant);
        Ok(())
    }

    /// Starts to build small endgames in the background.
    pub fn build_in_background(&mut self, settings: &Settings) {
        self.background = BackgroundEndgames::start(settings, &self.endgame_files.levels);
    }

    /// What is wrong with the endgame files, each fault once. Searches go on without them.
    pub fn take_faults(&mut self, settings: &Settings) -> Vec<String> {
        let faults = self.endgame_files.take_faults(settings.variant);
        if !faults.is_empty() && self.background.is_some() {
            // Lost endgames are built in memory.
            self.build_in_background(settings);
        }
        faults.into_iter().map(|fault| format!("EndgamePath: {fault}")).collect()
    }
}

/// The weights of the engine's network. `EvalFile` names them, unless the evolved player plays and `EvalFile` is its own.
pub fn weights_of(settings: &Settings) -> Result<Arc<Weights>, EvalFileError> {
    match settings.player {
        PlayerName::Evolved => Ok(Weights::built_in(settings.variant)),
        _ => Weights::named(&settings.eval_file, settings.variant),
    }
}
