//! The network: rows added up, clipped, squared, and weighed.
//!
//! The first layer is a table with a row of [`HIDDEN`] numbers for each feature; the rows of a board's features are
//! added up from nothing. A sowing changes half the pits, so carrying the sums along from board to board would save
//! little. Each sum is clipped to 0…[`ONE`] and squared, and a second row, chosen by how many seeds are on the board,
//! says what that is worth. All arithmetic is in whole numbers, so it is the same on every machine.

use super::features::{Features, INPUTS};
use crate::game::{Board, Rules};

/// Sums of the first layer.
pub const HIDDEN: usize = 64;
/// Stages of the game, by the seeds on the board, with weights of their own in the second layer.
pub const STAGES: usize = 4;
/// Seeds on the board between two stages.
const SEEDS_A_STAGE: usize = 13;
/// What stands for 1 in the first layer.
pub const ONE: i16 = 127;
/// What stands for 1 in the second layer.
pub const OUTPUT_ONE: i32 = 256;
/// No weight of the second layer is larger: so many squares and the number added to them fit in 32 bits.
pub const LARGEST_OUTPUT: i16 = 1023;
/// What is added to them is not larger.
pub const LARGEST_OUTPUT_BIAS: i32 = 1 << 29;
const _: () = assert!(
    HIDDEN as i64 * (ONE as i64 * ONE as i64) * LARGEST_OUTPUT as i64 + (LARGEST_OUTPUT_BIAS as i64)
        < i32::MAX as i64
);
/// Bits that are cut off at the end.
const SHIFT: u32 = 13;
/// Hundredths of a seed for each 1 of the output.
pub const CENTISEEDS_AN_OUTPUT: f32 = ((ONE as i32 * ONE as i32 * OUTPUT_ONE) as f32) / (1 << SHIFT) as f32;

/// A layer's worth of numbers.
pub type Sums = [i16; HIDDEN];

/// The weights of a network.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Network {
    /// What the sums begin from.
    pub bias: Sums,
    /// A row for each feature; as many as [`Features::ROWS`].
    pub rows: Vec<Sums>,
    /// What the squares are worth, by stage.
    pub output: [Sums; STAGES],
    /// What is added to that.
    pub output_bias: [i32; STAGES],
}

impl Network {
    /// What the network adds to the lead, in hundredths of a seed.
    #[must_use]
    #[inline]
    pub fn evaluate<R: Rules>(&self, board: Board) -> i32 {
        let rows = Features::<R>::rows(board);
        let sums = self.sums(&rows);
        let stage = stage(board);
        let weights = &self.output[stage];
        let mut total = self.output_bias[stage];
        for (&sum, &weight) in sums.iter().zip(weights) {
            let clipped = sum.clamp(0, ONE);
            total += i32::from(clipped * clipped) * i32::from(weight);
        }
        total >> SHIFT
    }

    #[inline]
    fn sums(&self, rows: &[u16; INPUTS]) -> Sums {
        let mut sums = self.bias;
        for &row in rows {
            for (sum, &add) in sums.iter_mut().zip(&self.rows[usize::from(row)]) {
                *sum = sum.wrapping_add(add);
            }
        }
        sums
    }
}

/// The stage of the game.
#[must_use]
#[inline]
pub fn stage(board: Board) -> usize {
    (usize::from(board.seeds()) / SEEDS_A_STAGE).min(STAGES - 1)
}
