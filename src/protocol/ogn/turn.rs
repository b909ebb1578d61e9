//! The numbers of turns.

use kroo_core::game::{Move, Side};
use std::fmt;

/// The turn of a move, numbered as game files do: a number is South's turn and North's after it, each of one move or several.
/// Its text is the number before a move: `3.` for South's, `3...` for North's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Turn {
    /// From 1 on; 0 before the first move.
    pub number: usize,
    side: Option<Side>,
}

impl Turn {
    /// The turn of the move after this turn, and whether the move begins a number.
    #[must_use]
    pub fn next(self, mv: Move) -> (Turn, bool) {
        let begins = mv.side == Side::South && self.side != Some(Side::South) || self.side.is_none();
        (Turn { number: self.number + usize::from(begins), side: Some(mv.side) }, begins)
    }

    /// The turn of the last of these moves, which begin a game.
    pub fn of(moves: impl IntoIterator<Item = Move>) -> Turn {
        moves.into_iter().fold(Turn::default(), |turn, mv| turn.next(mv).0)
    }
}

impl fmt::Display for Turn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let dots = if self.side == Some(Side::North) { "..." } else { "." };
        write!(f, "{}{dots}", self.number)
    }
}
