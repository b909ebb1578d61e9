//! Relay sowing by tables of laps, for the rule sets in which a lap that ends in a pit with seeds continues with them.

use super::board::Board;

/// A lap's changes of the two rows, wrapping, and its end.
#[derive(Clone, Copy)]
pub struct RelayLap {
    mover: u64,
    other: u64,
    /// The cell of the last seed.
    pub last: u8,
}

impl RelayLap {
    /// A lap from a cell without seeds.
    pub const fn empty(cell: usize) -> RelayLap {
        RelayLap { mover: 0, other: 0, last: cell as u8 }
    }

    /// The lap with one more seed, taken from one cell and sown into another; the other side's cells begin at `OTHER`.
    pub const fn with_seed<const OTHER: usize>(self, from: usize, to: usize) -> RelayLap {
        let ([mover_less, other_less], [mover_more, other_more]) =
            (seed_at::<OTHER>(from), seed_at::<OTHER>(to));
        RelayLap {
            mover: self.mover.wrapping_add(mover_more).wrapping_sub(mover_less),
            other: self.other.wrapping_add(other_more).wrapping_sub(other_less),
            last: to as u8,
        }
    }
}

/// One seed in a cell, as bits of the mover's row and of the other's.
const fn seed_at<const OTHER: usize>(cell: usize) -> [u64; 2] {
    if cell < OTHER { [1 << (8 * cell), 0] } else { [0, 1 << (8 * (cell - OTHER))] }
}

/// A chain of laps in progress. Cells below `OTHER` are the mover's.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Relay<const OTHER: usize> {
    pub board: Board,
    /// The cell of the last seed, from which the next lap begins.
    pub cell: usize,
}

impl<const OTHER: usize> Relay<OTHER> {
    /// The seeds in the cell.
    #[inline]
    pub fn seeds(&self) -> usize {
        let (row, cell) = if self.cell < OTHER {
            (self.board.mover, self.cell)
        } else {
            (self.board.other, self.cell - OTHER)
        };
        (row.bits() >> (8 * cell)) as usize & 0xff
    }

    /// Sows a lap from the cell: `from` has its laps by their seeds, up to a full round and beyond.
    #[inline]
    pub fn lap<const TABLED: usize>(&mut self, from: &[RelayLap; TABLED], round: usize) {
        let mut seeds = self.seeds();
        while seeds >= TABLED {
            self.sow(&from[round]);
            seeds -= round;
        }
        let lap = &from[seeds];
        self.sow(lap);
        self.cell = lap.last.into();
    }

    #[inline]
    fn sow(&mut self, lap: &RelayLap) {
        let Board { mover, other } = self.board;
        self.board = Board { mover: mover.plus(lap.mover), other: other.plus(lap.other) };
    }
}
