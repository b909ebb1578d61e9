//! Plays the moves of a text by the rules.

use super::error::{OgnError, OgnFault};
use super::moves::MoveText;
use kroo_core::game::{Game, Move, Position, Rules};
use kroo_core::under;

/// Whether a line and its variations can be played.
pub(super) fn check_line(mut game: Game, moves: &[MoveText]) -> Result<(), OgnError> {
    for text in moves {
        text.notes.variations.iter().try_for_each(|inner| check_line(game.clone(), &inner.moves))?;
        play(&mut game, text)?;
    }
    Ok(())
}

pub(super) fn play(game: &mut Game, text: &MoveText) -> Result<(), OgnError> {
    let &MoveText { mv, place, .. } = text;
    game.play(mv).map_err(|error| OgnError::new(place, OgnFault::Move { mv, error }))
}

/// The seeds that a legal move brings into the mover's store, without those awarded by the end of the game.
pub(super) fn banked(position: &Position, mv: Move) -> u8 {
    let board = position.board();
    let step = under!(position.variant(), R => R::play(board, mv.pit));
    let after = step.map_or(board.mover, |step| if step.again { step.board.mover } else { step.board.other });
    after.store() - board.mover.store()
}
