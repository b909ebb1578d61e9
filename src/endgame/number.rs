//! Numbering boards without gaps, by their two rows.
//!
//! The seeds in the first one, two, … five pits of a row form a rising sequence, and rising sequences are numbered
//! without gaps by a sum of binomial coefficients, one a term (the combinatorial number system, D. H. Lehmer 1964). A
//! board's number in its level goes by the seeds of the other side's row, then by that row, then by the mover's.
//!
//! Why two rows and not one sequence of twelve pits: a sowing changes the mover's row in a way that does not depend on
//! the other, and the other in a way that depends only on how far it reaches. So the boards that one row sows to lie
//! side by side, in the same order as the boards it sows from, and building a level is walking along rows of memory
//! (`sweep.rs`). It also takes ten terms instead of eleven.

use crate::game::{Board, ROW, Row};
use once_cell::sync::OnceCell;

/// Most seeds in a game.
const MOST: usize = 48;
/// Counts of seeds there is room for: a power of two above 48, so that masking replaces the bounds check.
const COUNTS: usize = 64;

/// The tables of the sums.
#[derive(Debug)]
pub struct Numbering {
    /// By pit and by the seeds up to that pit; the last pit has what is left.
    terms: [[u32; COUNTS]; ROW - 1],
    /// How many rows there are with so many seeds.
    rows: [u32; MOST + 1],
    /// How many boards of a level have fewer seeds in the other side's row: by the seeds of the level and of that row.
    before: [[u64; COUNTS]; MOST + 1],
}

impl Numbering {
    /// The one table, made when first asked for.
    #[must_use]
    #[inline]
    pub fn get() -> &'static Numbering {
        static TABLE: OnceCell<Numbering> = OnceCell::new();
        TABLE.get_or_init(Numbering::new)
    }

    fn new() -> Numbering {
        let rows: [u32; MOST + 1] = std::array::from_fn(|seeds| binomial(seeds + ROW - 1, ROW - 1) as u32);
        let mut before = [[0; COUNTS]; MOST + 1];
        for (seeds, before) in before.iter_mut().enumerate() {
            for other in 0..=seeds {
                before[other + 1] = before[other] + u64::from(rows[other]) * u64::from(rows[seeds - other]);
            }
        }
        let terms =
            std::array::from_fn(|pit| std::array::from_fn(|seeds| binomial(seeds + pit, pit + 1) as u32));
        Numbering { terms, rows, before }
    }

    /// The number of a board in its level, whatever is stored.
    #[must_use]
    #[inline]
    pub fn rank(&self, board: Board) -> usize {
        let (mover, other) = (board.mover.seeds(), board.other.seeds());
        self.first(mover + other, other)
            + self.row(board.other) * self.rows_with(mover)
            + self.row(board.mover)
    }

    /// The number of a row among those with as many seeds, whatever is stored.
    #[must_use]
    #[inline]
    pub fn row(&self, row: Row) -> usize {
        let sums = row.sums();
        let mut number = 0;
        for (terms, sum) in self.terms.iter().zip(sums) {
            number += terms[usize::from(sum) % COUNTS];
        }
        number as usize
    }

    /// How many rows there are with so many seeds.
    #[must_use]
    #[inline]
    pub fn rows_with(&self, seeds: u8) -> usize {
        self.rows[usize::from(seeds)] as usize
    }

    /// The number of the first board of a level with so many seeds in the other side's row.
    #[must_use]
    #[inline]
    pub fn first(&self, seeds: u8, other: u8) -> usize {
        self.before[usize::from(seeds)][usize::from(other) % COUNTS] as usize
    }

    /// The board of a level with this number, and with empty stores.
    ///
    /// # Panics
    /// If the level has no such number.
    #[must_use]
    pub fn board(&self, seeds: u8, number: usize) -> Board {
        assert!(number < count(seeds), "a level of {seeds} seeds has no board {number}");
        let other =
            (1..=seeds).find(|&other| number < self.first(seeds, other)).map_or(seeds, |next| next - 1);
        let rest = number - self.first(seeds, other);
        let movers = self.rows_with(seeds - other);
        Board { mover: self.unrank(seeds - other, rest % movers), other: self.unrank(other, rest / movers) }
    }

    /// The row with so many seeds and this number.
    fn unrank(&self, seeds: u8, mut number: usize) -> Row {
        let (mut pits, mut left) = ([0; ROW], seeds);
        for pit in (1..ROW).rev() {
            let terms = &self.terms[pit - 1];
            let below = (0..=left).rev().find(|&sum| terms[usize::from(sum)] as usize <= number);
            let below = below.expect("the first term is 0");
            number -= terms[usize::from(below)] as usize;
            (pits[pit], left) = (left - below, below);
        }
        pits[0] = left;
        Row::new(pits, 0)
    }
}

/// How many ways there are to put so many seeds into twelve pits.
#[must_use]
pub fn count(seeds: u8) -> usize {
    binomial(usize::from(seeds) + 2 * ROW - 1, 2 * ROW - 1) as usize
}

fn binomial(n: usize, k: usize) -> u64 {
    if k > n {
        return 0;
    }
    (0..k as u64).fold(1, |product, i| product * (n as u64 - i) / (i + 1))
}

/// All rows with so many seeds and an empty store, in the order of their numbers.
#[derive(Clone, Debug)]
pub struct Rows {
    next: Option<[u8; ROW]>,
}

impl Rows {
    /// The rows with so many seeds.
    #[must_use]
    pub fn with(seeds: u8) -> Rows {
        let mut pits = [0; ROW];
        pits[ROW - 1] = seeds;
        Rows { next: Some(pits) }
    }

    /// The rows from one on.
    fn from(row: Row) -> Rows {
        Rows { next: Some(row.pits()) }
    }
}

impl Iterator for Rows {
    type Item = Row;

    #[inline]
    fn next(&mut self) -> Option<Row> {
        let pits = self.next?;
        // One seed of the first pit that can give one goes to the pit before it; what lay in the first goes along.
        self.next = (1..ROW).find(|&pit| pits[pit] > 0).map(|pit| {
            let mut next = pits;
            next[0] = 0;
            next[pit] -= 1;
            next[pit - 1] = pits[0] + 1;
            next
        });
        Some(Row::new(pits, 0))
    }
}

/// The boards of a level with empty stores, in the order of their numbers.
#[derive(Clone, Debug)]
pub struct Boards {
    seeds: u8,
    /// Seeds of the other side's row.
    other: u8,
    others: Rows,
    row: Option<Row>,
    movers: Rows,
}

impl Boards {
    /// The boards of a level.
    #[must_use]
    pub fn with(seeds: u8) -> Boards {
        Boards::from(seeds, 0)
    }

    /// The boards of a level from a number on.
    ///
    /// # Panics
    /// If the level has no such number.
    #[must_use]
    pub fn from(seeds: u8, number: usize) -> Boards {
        let Board { mover, other } = Numbering::get().board(seeds, number);
        let mut others = Rows::from(other);
        let row = others.next();
        Boards { seeds, other: other.seeds(), others, row, movers: Rows::from(mover) }
    }
}

impl Iterator for Boards {
    type Item = Board;

    #[inline]
    fn next(&mut self) -> Option<Board> {
        loop {
            let other = self.row?;
            if let Some(mover) = self.movers.next() {
                return Some(Board { mover, other });
            }
            self.row = self.others.next();
            if self.row.is_none() && self.other < self.seeds {
                self.other += 1;
                self.others = Rows::with(self.other);
                self.row = self.others.next();
            }
            self.movers = Rows::with(self.seeds - self.other);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_no_gaps() {
        for seeds in 0..=7 {
            let mut number = 0;
            for board in Boards::with(seeds) {
                assert_eq!(Numbering::get().rank(board), number);
                assert_eq!(Numbering::get().board(seeds, number), board);
                assert_eq!(Boards::from(seeds, number).next(), Some(board));
                number += 1;
            }
            assert_eq!(number, count(seeds));
        }
        assert_eq!(count(48), 279_871_768_995);
    }

    #[test]
    fn the_largest_level_has_numbers_too() {
        let numbers = (0..1000).map(|step| step * 279_871_768).chain([count(48) - 1]);
        for number in numbers {
            assert_eq!(Numbering::get().rank(Numbering::get().board(48, number)), number);
        }
    }
}
