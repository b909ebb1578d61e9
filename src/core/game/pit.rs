//! Pits and moves, and their letters.

use super::Side;
use std::fmt;

/// Pits in a row.
pub const ROW: usize = 6;

/// One of a side's six pits, counted from its left: 0 is A (or a), 5 is F (or f).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pit(u8);

impl Pit {
    /// The six pits of a row, from the owner's left.
    pub const ALL: [Pit; ROW] = [Pit(0), Pit(1), Pit(2), Pit(3), Pit(4), Pit(5)];

    /// The pit with this index from the owner's left.
    ///
    /// # Panics
    /// If the index is not below [`ROW`].
    pub const fn new(index: usize) -> Pit {
        assert!(index < ROW, "a row has six pits");
        Pit(index as u8)
    }

    /// The other side's pit across the board: A faces f.
    #[must_use]
    #[inline]
    pub const fn opposite(self) -> Pit {
        Pit(ROW as u8 - 1 - self.0)
    }

    /// 0 to 5, from the owner's left.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A move: a side and the pit that it sows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Move {
    /// The side that sows.
    pub side: Side,
    /// The pit that it sows.
    pub pit: Pit,
}

impl Move {
    /// Parses a letter: `A` to `F` are South's moves, `a` to `f` North's.
    pub const fn from_letter(letter: char) -> Option<Move> {
        match letter {
            'A'..='F' => Some(Move { side: Side::South, pit: Pit(letter as u8 - b'A') }),
            'a'..='f' => Some(Move { side: Side::North, pit: Pit(letter as u8 - b'a') }),
            _ => None,
        }
    }

    /// The move's letter, upper case for South.
    pub const fn letter(self) -> char {
        let first = match self.side {
            Side::South => b'A',
            Side::North => b'a',
        };
        (first + self.pit.0) as char
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use fmt::Write;
        f.write_char(self.letter())
    }
}
