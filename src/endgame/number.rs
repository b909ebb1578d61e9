//! Numbering the ways to put seeds into twelve pits.
//!
//! The seeds in the first one, two, … eleven pits form a rising sequence, and rising sequences are numbered without
//! gaps by a sum of binomial coefficients, one a term (the combinatorial number system, D. H. Lehmer 1964). The
//! number does not depend on how many seeds there are: a level only tells where to stop.

use crate::game::{Board, ROW, Row};
use once_cell::sync::OnceCell;

/// Pits on the board.
const PITS: usize = 2 * ROW;
/// Counts of seeds there is room for: a power of two above 48, so that masking replaces the bounds check.
const COUNTS: usize = 64;

/// The terms of the sum.
#[derive(Debug)]
pub struct Numbering {
    /// By pit, less one, and by the seeds up to that pit.
    terms: [[u64; COUNTS]; PITS - 1],
}

impl Numbering {
    /// The one table, made when first asked for.
    #[must_use]
    pub fn get() -> &'static Numbering {
        static TABLE: OnceCell<Numbering> = OnceCell::new();
        TABLE.get_or_init(|| Numbering {
            terms: std::array::from_fn(|pit| std::array::from_fn(|seeds| binomial(seeds + pit, pit + 1))),
        })
    }

    /// The number of a board among all with as many seeds in their pits, whatever is stored.
    #[must_use]
    #[inline]
    pub fn rank(&self, board: Board) -> usize {
        let (near, far) = self.terms.split_at(ROW);
        let term = |(terms, sum): (&[u64; COUNTS], u8)| terms[usize::from(sum) % COUNTS];
        let mine = board.mover.seeds();
        let before: u64 = near.iter().zip(board.mover.sums()).map(term).sum();
        let after: u64 = far.iter().zip(board.other.sums().map(|sum| mine + sum)).map(term).sum();
        (before + after) as usize
    }
}

/// How many ways there are to put so many seeds into twelve pits.
#[must_use]
pub fn count(seeds: u8) -> usize {
    binomial(usize::from(seeds) + PITS - 1, PITS - 1) as usize
}

fn binomial(n: usize, k: usize) -> u64 {
    if k > n {
        return 0;
    }
    (0..k as u64).fold(1, |product, i| product * (n as u64 - i) / (i + 1))
}

/// All boards with so many seeds in their pits and empty stores, in the order of their numbers.
#[derive(Clone, Debug)]
pub struct Boards {
    next: Option<[u8; PITS]>,
}

impl Boards {
    /// The boards of a level.
    #[must_use]
    pub fn with(seeds: u8) -> Boards {
        let mut pits = [0; PITS];
        pits[PITS - 1] = seeds;
        Boards { next: Some(pits) }
    }
}

impl Iterator for Boards {
    type Item = Board;

    #[inline]
    fn next(&mut self) -> Option<Board> {
        let pits = self.next?;
        // One seed of the first pit that can give one goes to the pit before it; what lay in the first goes along.
        self.next = (1..PITS).find(|&pit| pits[pit] > 0).map(|pit| {
            let mut next = pits;
            next[0] = 0;
            next[pit] -= 1;
            next[pit - 1] = pits[0] + 1;
            next
        });
        let [a, b, c, d, e, f, g, h, i, j, k, l] = pits;
        Some(Board { mover: Row::new([a, b, c, d, e, f], 0), other: Row::new([g, h, i, j, k, l], 0) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_no_gaps() {
        for seeds in 0..=7 {
            let mut boards = 0;
            for (number, board) in Boards::with(seeds).enumerate() {
                assert_eq!(Numbering::get().rank(board), number);
                assert_eq!(board.seeds(), seeds);
                boards += 1;
            }
            assert_eq!(boards, count(seeds));
        }
        assert_eq!(count(48), 279_871_768_995);
    }
}
