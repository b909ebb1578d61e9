//! A game in the notation of the `position` command.

use super::command::game;
use super::words::whole_line;
use super::{PositionCommand, StartPosition};
use kroo_core::game::{Game, Position, Variant};

/// Parses a game in the words of the `position` command; `fen` is optional.
///
/// # Errors
/// A message for users, with the column in `words` or the number of the move.
pub fn parse_game(variant: Variant, words: &str) -> Result<Game, String> {
    let command = whole_line(words, game, game).map_err(|error| error.to_string())?;
    command.game(variant)
}

impl PositionCommand {
    /// Plays the moves from the start position.
    ///
    /// # Errors
    /// A message for users, with the number of an illegal move.
    pub fn game(&self, variant: Variant) -> Result<Game, String> {
        let start = match &self.start {
            StartPosition::Startpos => Position::start(variant),
            StartPosition::Fen(text) => Position::parse(variant, text).map_err(|error| error.to_string())?,
        };
        let mut game = Game::new(start);
        for (index, &mv) in self.moves.iter().enumerate() {
            game.play(mv).map_err(|error| format!("move {} (`{mv}`): {error}", index + 1))?;
        }
        Ok(game)
    }
}
