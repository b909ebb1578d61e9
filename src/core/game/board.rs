//! The packed board, seen by the side to move.

use super::{Pit, pit::ROW};
use std::fmt;

/// Bits of a cell. A cell never holds more than 127 seeds, so sums of rows never carry from one cell into the next.
const CELL: u32 = 8;
/// Position of the store in a row.
const STORE_SHIFT: u32 = CELL * ROW as u32;
/// Position of the flags in the mover's row.
const FLAG_SHIFT: u32 = STORE_SHIFT + CELL;
/// The flags that concern a single turn; the others are the game's ([`RuleOptions`](super::RuleOptions)).
const TURN_FLAGS: u64 = Flag::SecondMove as u64 | Flag::Swept as u64;
/// The bits of the six pits.
const PITS: u64 = (1 << STORE_SHIFT) - 1;
/// The lowest bit of every pit.
const ONES: u64 = 0x0101_0101_0101;

/// A side's six pits and its store in one word.
///
/// | bits | |
/// |---|---|
/// | 0–47 | seeds in the six pits, a byte each, the pit at the owner's left in the lowest |
/// | 48–55 | seeds in the store |
/// | 56–63 | the board's flags ([`Flag`]): those of a turn in the mover's row only |
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Row(u64);

impl Row {
    /// The packed row: see [`Row`].
    pub const fn bits(self) -> u64 {
        self.0
    }

    /// A row from its pits and its store.
    pub const fn new(pits: [u8; ROW], store: u8) -> Row {
        let mut bits = (store as u64) << STORE_SHIFT;
        let mut pit = 0;
        while pit < ROW {
            bits |= (pits[pit] as u64) << (CELL * pit as u32);
            pit += 1;
        }
        Row(bits)
    }

    /// The seeds in a pit.
    #[inline]
    pub const fn pit(self, pit: Pit) -> u8 {
        (self.0 >> (CELL * pit.index() as u32)) as u8
    }

    /// The six pits, from the owner's left.
    pub fn pits(self) -> [u8; ROW] {
        Pit::ALL.map(|pit| self.pit(pit))
    }

    /// The seeds in the store.
    #[inline]
    pub const fn store(self) -> u8 {
        (self.0 >> STORE_SHIFT) as u8
    }

    /// Whether all six pits are empty.
    #[inline]
    pub const fn is_bare(self) -> bool {
        self.0 & PITS == 0
    }

    /// The seeds in the six pits.
    #[inline]
    pub const fn seeds(self) -> u8 {
        sum(self.0 & PITS)
    }

    /// The seeds in the first pit, in the first two, and so on.
    #[inline]
    pub const fn sums(self) -> [u8; ROW] {
        let [a, b, c, d, e, f, ..] = (self.0 & PITS).wrapping_mul(ONES).to_le_bytes();
        [a, b, c, d, e, f]
    }

    /// The pits that hold seeds.
    #[inline]
    pub const fn occupied(self) -> Pits {
        Pits(((self.0 & PITS) + 0x7f * ONES) & (0x80 * ONES))
    }

    /// The pits that hold exactly `seeds` seeds, fewer than 128.
    #[inline]
    pub const fn holding(self, seeds: u8) -> Pits {
        let unlike = (self.0 & PITS) ^ (seeds as u64 * ONES);
        Pits(!(unlike + 0x7f * ONES) & (0x80 * ONES))
    }

    /// The pits that hold the same number of seeds as in another row.
    #[inline]
    pub const fn like(self, row: Row) -> Pits {
        let unlike = (self.0 ^ row.0) & PITS;
        Pits(!(unlike + 0x7f * ONES) & (0x80 * ONES))
    }

    /// The pits that hold at least `seeds` seeds, from 1 to 127.
    #[inline]
    pub const fn holding_at_least(self, seeds: u8) -> Pits {
        Pits(((self.0 & PITS) + (0x80 - seeds as u64) * ONES) & (0x80 * ONES))
    }

    /// Unpacks a row: see [`Row::bits`].
    #[inline]
    pub const fn from_bits(bits: u64) -> Row {
        Row(bits)
    }

    /// This row without the flags of a turn.
    #[must_use]
    #[inline]
    pub const fn unflagged(self) -> Row {
        Row(self.0 & !(TURN_FLAGS << FLAG_SHIFT))
    }

    const fn flag_if(self, flag: Flag, holds: bool) -> Row {
        Row(self.0 | (flag as u64 * holds as u64) << FLAG_SHIFT)
    }

    /// This row with a number added to each of its cells; the addition wraps, so it may be negative.
    #[must_use]
    #[inline]
    pub const fn plus(self, delta: u64) -> Row {
        Row(self.0.wrapping_add(delta))
    }

    /// This row with seeds added to its store.
    #[must_use]
    #[inline]
    pub const fn bank(self, seeds: u8) -> Row {
        Row(self.0 + ((seeds as u64) << STORE_SHIFT))
    }

    /// This row without the seeds of one pit.
    #[must_use]
    #[inline]
    pub const fn emptied(self, pit: Pit) -> Row {
        Row(self.0 & !(0xff << (CELL * pit.index() as u32)))
    }

    /// This row with all its seeds in its store.
    #[must_use]
    pub const fn gathered(self) -> Row {
        Row(self.0 & !PITS).bank(self.seeds())
    }

    /// This row with empty pits; their seeds must be banked elsewhere.
    #[must_use]
    pub const fn bared(self) -> Row {
        Row(self.0 & !PITS)
    }
}

impl fmt::Debug for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}+{}", self.pits(), self.store())
    }
}

/// The sum of the six lowest bytes of a word without others.
#[inline]
const fn sum(bytes: u64) -> u8 {
    (bytes.wrapping_mul(ONES) >> (STORE_SHIFT - CELL)) as u8
}

/// A set of a side's pits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pits(u64);

impl Pits {
    /// No pit.
    pub const NONE: Pits = Pits(0);

    /// How many pits are in the set.
    #[inline]
    pub const fn len(self) -> u32 {
        // A multiplication adds up the six bits; a population count is only as fast with the processor's own instruction.
        ((self.0 >> 7).wrapping_mul(ONES) >> (STORE_SHIFT - CELL)) as u32 & 0xff
    }

    /// Whether the set has no pit.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether a pit is in the set.
    #[inline]
    pub const fn contains(self, pit: Pit) -> bool {
        self.0 & Pits::bit(pit) != 0
    }

    /// The set plus one pit.
    #[must_use]
    #[inline]
    pub const fn with(self, pit: Pit) -> Pits {
        Pits(self.0 | Pits::bit(pit))
    }

    /// The pits of this set for which the predicate holds.
    #[inline]
    pub fn filter(self, mut keep: impl FnMut(Pit) -> bool) -> Pits {
        self.into_iter().fold(Pits::NONE, |kept, pit| if keep(pit) { kept.with(pit) } else { kept })
    }

    /// The pits that are in either set.
    #[must_use]
    #[inline]
    pub const fn or(self, other: Pits) -> Pits {
        Pits(self.0 | other.0)
    }

    /// The pits that are in both sets.
    #[must_use]
    #[inline]
    pub const fn and(self, other: Pits) -> Pits {
        Pits(self.0 & other.0)
    }

    /// The packed set: the top bit of each pit's byte.
    #[inline]
    pub const fn bits(self) -> u64 {
        self.0
    }

    /// Unpacks a set: see [`Pits::bits`].
    #[inline]
    pub const fn from_bits(bits: u64) -> Pits {
        Pits(bits)
    }

    const fn bit(pit: Pit) -> u64 {
        0x80 << (CELL * pit.index() as u32)
    }
}

impl IntoIterator for Pits {
    type Item = Pit;
    type IntoIter = PitsIter;

    #[inline]
    fn into_iter(self) -> PitsIter {
        PitsIter(self.0)
    }
}

/// The pits of a set, from the owner's left.
#[derive(Clone, Debug)]
pub struct PitsIter(u64);

impl Iterator for PitsIter {
    type Item = Pit;

    #[inline]
    fn next(&mut self) -> Option<Pit> {
        if self.0 == 0 {
            return None;
        }
        let pit = Pit::new((self.0.trailing_zeros() / CELL) as usize % ROW);
        self.0 &= self.0 - 1;
        Some(pit)
    }
}

/// State of a board besides its seeds, in the last byte of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Flag {
    /// The next move is the second of its turn.
    SecondMove = 1,
    /// The last move captured every seed of the side to move.
    Swept = 2,
    /// In both rows: [`RuleOptions::empty_capture`](super::RuleOptions::empty_capture).
    EmptyCapture = 4,
    /// In both rows: [`RuleOptions::rest_to_opponent`](super::RuleOptions::rest_to_opponent).
    RestToOpponent = 8,
}

/// Two rows, the mover's first; it does not record which of them is South's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Board {
    /// The row of the side to move, its store, and the flags.
    pub mover: Row,
    /// The row and the store of the other side.
    pub other: Row,
}

impl Board {
    /// A board with `seeds` seeds in each pit and empty stores.
    pub const fn filled(seeds: u8) -> Board {
        let row = Row::new([seeds; ROW], 0);
        Board { mover: row, other: row }
    }

    /// The same board for the other side to move.
    #[must_use]
    #[inline]
    pub const fn turned(self) -> Board {
        Board { mover: self.other, other: self.mover }
    }

    /// Whether a flag is set.
    #[inline]
    pub const fn has(self, flag: Flag) -> bool {
        self.mover.0 >> FLAG_SHIFT & flag as u64 != 0
    }

    /// The board, with a flag set if `holds`.
    #[must_use]
    #[inline]
    pub const fn flag_if(self, flag: Flag, holds: bool) -> Board {
        Board { mover: self.mover.flag_if(flag, holds), other: self.other }
    }

    /// The board, with a flag set in both rows if `holds`.
    #[must_use]
    #[inline]
    pub const fn flag_rows_if(self, flag: Flag, holds: bool) -> Board {
        Board { mover: self.mover.flag_if(flag, holds), other: self.other.flag_if(flag, holds) }
    }

    /// The board without the flags of a turn.
    #[must_use]
    #[inline]
    pub const fn unflagged(self) -> Board {
        Board { mover: self.mover.unflagged(), other: self.other }
    }

    /// The board with empty stores.
    #[must_use]
    #[inline]
    pub const fn without_stores(self) -> Board {
        const STORE: u64 = 0xff << STORE_SHIFT;
        Board { mover: Row(self.mover.0 & !STORE), other: Row(self.other.0 & !STORE) }
    }

    /// Seeds in the mover's store minus those in the other's.
    #[inline]
    pub const fn lead(self) -> i8 {
        self.mover.store() as i8 - self.other.store() as i8
    }

    /// Seeds in the twelve pits.
    #[inline]
    pub const fn seeds(self) -> u8 {
        self.mover.seeds() + self.other.seeds()
    }

    /// The board with each side's seeds in its own store.
    #[must_use]
    pub const fn each_gathers(self) -> Board {
        Board { mover: self.mover.gathered(), other: self.other.gathered() }
    }

    /// The board with each side's seeds in the other's store.
    #[must_use]
    pub const fn other_gathers_each(self) -> Board {
        let (mine, theirs) = (self.mover.seeds(), self.other.seeds());
        Board { mover: self.mover.bared().bank(theirs), other: self.other.bared().bank(mine) }
    }

    /// The board with every seed in the mover's store.
    #[must_use]
    pub const fn mover_gathers(self) -> Board {
        Board { mover: self.mover.gathered().bank(self.other.seeds()), other: self.other.bared() }
    }

    /// The board with every seed in the other's store.
    #[must_use]
    pub const fn other_gathers(self) -> Board {
        Board { mover: self.mover.bared(), other: self.other.gathered().bank(self.mover.seeds()) }
    }
}

/// The bits of the pits with two or three seeds, in a run that goes down from the last pit in reach.
///
/// `reach` has the bytes of the pits from the row's first to the one where the last seed fell; 0 if it fell elsewhere. A byte
/// is 2 or 3 if all its bits but the lowest are those of 2; the highest byte in reach for which that fails ends the run.
#[inline]
pub const fn twos_and_threes(row: Row, reach: u64) -> u64 {
    let unlike = ((row.0 & PITS) ^ (0x02 * ONES)) & (0xfe * ONES);
    let blocked = (unlike + 0x7f * ONES) & (0x80 * ONES) & reach;
    // The highest byte that can end the run is the sixth, so the shift is at most 48.
    reach & u64::MAX << (u64::BITS - blocked.leading_zeros())
}

/// The row without the cells of a mask, and the number of seeds removed.
#[inline]
pub const fn take(row: Row, mask: u64) -> (Row, u8) {
    (Row(row.0 & !mask), sum(row.0 & mask))
}
