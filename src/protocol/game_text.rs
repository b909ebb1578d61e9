//! A game in the notation of the `position` command.

use super::{Command, PositionCommand, StartPosition};
use crate::game::{Game, Position, Variant};

/// Parses a game as the `position` command writes it. The word `fen` before fifteen fields may be left out.
///
/// # Errors
/// A sentence that says what is wrong.
pub fn parse_game(variant: Variant, words: &str) -> Result<Game, String> {
    let command =
        ["", "fen "].into_iter().find_map(|word| Command::parse(&format!("position {word}{words}")).ok());
    let Some(Some(Command::Position(PositionCommand { start, moves }))) = command else {
        let words: String = words.chars().take(80).flat_map(char::escape_debug).collect();
        return Err(format!(
            "`{words}` is not `startpos` or fifteen fields, optionally followed by `moves` and moves"
        ));
    };
    let start = match start {
        StartPosition::Startpos => Position::start(variant),
        StartPosition::Fen(text) => Position::parse(variant, &text).map_err(|error| error.to_string())?,
    };
    let mut game = Game::new(start);
    for (index, mv) in moves.into_iter().enumerate() {
        game.play(mv).map_err(|error| format!("move {} (`{mv}`): {error}", index + 1))?;
    }
    Ok(game)
}
