//! The words that ranks send each other.

/// Asks the owner of the slab that a move leads to for the move's offer against a stretch of other rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Request {
    /// The number of the row that the move leaves.
    pub row: usize,
    pub given: u8,
    pub pattern: u8,
    pub stretch: usize,
}

impl Request {
    pub fn to_word(self) -> u64 {
        (self.row as u64) << 32
            | u64::from(self.given) << 24
            | u64::from(self.pattern) << 16
            | self.stretch as u64
    }

    pub fn from_word(word: u64) -> Request {
        Request {
            row: (word >> 32) as usize,
            given: (word >> 24) as u8,
            pattern: (word >> 16) as u8,
            stretch: usize::from(word as u16),
        }
    }
}

/// Bits of the place of a board in its slab: a database of 48 seeds has 2.9 million rows of one kind.
const PLACE: u32 = 23;

/// Sends the value of a board to the owner of its slab.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Put {
    /// The number of the other side's row.
    pub row: usize,
    /// The place in the slab: the rank of the mover's row.
    pub place: usize,
    pub value: u16,
}

impl Put {
    pub fn to_word(self) -> u64 {
        (self.row as u64) << (16 + PLACE) | (self.place as u64) << 16 | u64::from(self.value)
    }

    pub fn from_word(word: u64) -> Put {
        let place = (word >> 16) as usize & ((1 << PLACE) - 1);
        Put { row: (word >> (16 + PLACE)) as usize, place, value: word as u16 }
    }
}
