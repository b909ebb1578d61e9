//! A game as the `position` command tells it.

use kroo::game::{Game, Position};
use kroo::protocol::{PositionCommand, StartPosition};

/// The command that shows a game to an engine: its start, and all its moves.
#[must_use]
pub fn position_of(game: &Game) -> PositionCommand {
    let start = *game.start();
    let is_usual = start == Position::start(start.variant());
    let start = if is_usual { StartPosition::Startpos } else { StartPosition::Fen(start.to_string()) };
    PositionCommand { start, moves: game.moves().to_vec() }
}
