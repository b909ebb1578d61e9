//! What can be wrong with a game file.

use kroo_core::game::{Move, MoveError, SetupError, names};
use kroo_core::printable::counted;
use std::io;

/// A place in a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// The line, from 1.
    pub line: usize,
    /// The character in the line, from 1.
    pub column: usize,
}

/// What is wrong with a text, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {}, column {}: {fault}", .place.line, .place.column)]
pub struct OgnError {
    /// Where.
    pub place: Place,
    /// What is wrong there.
    pub fault: OgnFault,
}

impl OgnError {
    pub(super) fn new(place: Place, fault: OgnFault) -> OgnError {
        OgnError { place, fault }
    }
}

/// What can be wrong with a game as text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OgnFault {
    /// A line that no writer of game files makes.
    #[error("the line is longer than {0} bytes")]
    LongLine(usize),
    /// A game that no writer of game files makes.
    #[error("the game that begins here has no end")]
    LongGame,
    /// A tag is not `[Name "value"]`.
    #[error("this is no tag; expected a line like [South \"name\"]")]
    Tag,
    /// A word that has no place among moves.
    #[error(
        "`{found}` is no move: expected a letter from A to F or a to f, perhaps with `+` and the seeds that it \
         brought, or the seeds in the stores at the end, as `25-20`"
    )]
    Word {
        /// The word.
        found: String,
    },
    /// A word after the end of a game.
    #[error("`{found}` follows the end of the game: expected an empty line")]
    AfterEnd {
        /// The word.
        found: String,
    },
    /// A comment that is never closed.
    #[error("the comment that begins here has no end, `}}`")]
    Comment,
    /// A variation that is never closed.
    #[error("the variation that begins here has no end, `)`")]
    Variation,
    /// A bracket that closes nothing.
    #[error("no variation has begun that this `)` could end")]
    NoVariation,
    /// A game without its rule set.
    #[error("the game has no tag [Variant \"…\"], so its rules are not known")]
    NoVariant,
    /// Nobody plays that.
    #[error("no rule set is called `{found}`; the rule sets are {}", names().join(", "))]
    Variant {
        /// The name.
        found: String,
    },
    /// The first position is none.
    #[error("FEN: {0}")]
    Fen(SetupError),
    /// A move that the rules forbid.
    #[error("`{mv}`: {error}")]
    Move {
        /// The move.
        mv: Move,
        /// Why.
        error: MoveError,
    },
    /// A move brings other seeds than it says.
    #[error("`{mv}` brings {} into the store, not {found}", counted(u64::from(*.expected), "seed"))]
    Banked {
        /// The move.
        mv: Move,
        /// What the text says.
        found: u8,
        /// What it brings.
        expected: u8,
    },
    /// The stores at the end are others.
    #[error("the stores hold {}-{} at this end, not `{found}`", .expected[0], .expected[1])]
    Stores {
        /// What the text says.
        found: String,
        /// South's and North's.
        expected: [u8; 2],
    },
    /// The text ends, or another game begins, in the middle of a game.
    #[error("the game breaks off: expected a move, or the seeds in the stores at the end, as `25-20`")]
    NoEnd,
}

/// Why the next game of a file cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The system says so.
    #[error("line {line}: {error}")]
    Io {
        /// The line, from 1.
        line: usize,
        /// What it says.
        error: io::Error,
    },
    /// Something in the text is wrong.
    #[error(transparent)]
    Text(#[from] OgnError),
}
