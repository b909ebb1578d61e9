//! A game told in words, as behind `position`.

use super::{Command, PositionCommand, Start};
use crate::game::{Game, Position, Variant};

/// The game that words tell, as `position` does; the `fen` before fifteen fields may be left out.
///
/// # Errors
/// What is wrong with them, in a sentence.
pub fn read_game(variant: Variant, words: &str) -> Result<Game, String> {
    let told =
        ["", "fen "].into_iter().find_map(|word| Command::parse(&format!("position {word}{words}")).ok());
    let Some(Some(Command::Position(PositionCommand { start, moves }))) = told else {
        let words: String = words.chars().take(80).flat_map(char::escape_debug).collect();
        return Err(format!("`{words}` is not `startpos` or fifteen fields, then perhaps `moves` and moves"));
    };
    let start = match start {
        Start::Startpos => Position::start(variant),
        Start::Fen(text) => Position::parse(variant, &text).map_err(|error| error.to_string())?,
    };
    let mut game = Game::new(start);
    for (index, mv) in moves.into_iter().enumerate() {
        game.play(mv).map_err(|error| format!("move {} (`{mv}`): {error}", index + 1))?;
    }
    Ok(game)
}
