//! A game in the notation of the `position` command.

use super::command::game;
use super::words::whole_line;
use super::{PositionCommand, StartPosition};
use kroo_core::game::{Game, Move, MoveError, Position, SetupError, Variant};

/// Why the moves from a position cannot be played.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say what the variants are")]
pub enum GameError {
    #[error(transparent)]
    Start(#[from] SetupError),
    #[error("move {number} (`{mv}`): {error}")]
    Move {
        /// Its number, from 1.
        number: usize,
        mv: Move,
        error: MoveError,
    },
}

impl GameError {
    /// The words after `Reason:`, for programs that have sentences of their own.
    pub fn word(&self) -> String {
        match self {
            GameError::Start(error) => error.word(),
            GameError::Move { number, mv, error } => format!("move {number} {mv} {}", error.word()),
        }
    }
}

/// Parses a game in the words of the `position` command; `fen` is optional.
///
/// # Errors
/// A message for users, with the column in `words` or the number of the move.
pub fn parse_game(variant: Variant, words: &str) -> Result<Game, String> {
    let command = whole_line(words, game, game).map_err(|error| error.to_string())?;
    command.game(variant).map_err(|error| error.to_string())
}

impl PositionCommand {
    /// Plays the moves from the start position.
    ///
    /// # Errors
    /// The fault of the position, or an illegal move.
    pub fn game(&self, variant: Variant) -> Result<Game, GameError> {
        let start = match &self.start {
            StartPosition::Startpos => Position::start(variant),
            StartPosition::Fen(text) => Position::parse(variant, text)?,
        };
        let mut game = Game::new(start);
        play_all(&mut game, &self.moves)?;
        Ok(game)
    }
}

/// Plays moves.
///
/// # Errors
/// The first illegal move.
pub fn play_all(game: &mut Game, moves: &[Move]) -> Result<(), GameError> {
    for (index, &mv) in moves.iter().enumerate() {
        game.play(mv).map_err(|error| GameError::Move { number: index + 1, mv, error })?;
    }
    Ok(())
}
