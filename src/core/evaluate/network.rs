//! The network: one hidden layer over sparse inputs, in the manner of NNUE in shogi and chess programs.
//!
//! The design is that of Y. Nasu ("Efficiently updatable neural-network-based evaluation functions for computer shogi", 2018),
//! without incremental updates: a sowing changes half the pits, so updating the accumulator would save little, and it is
//! computed from scratch. The first layer is a table with a row of [`HIDDEN`] numbers for each feature; the rows of a board's
//! features are added up in the [`Accumulator`]. The activation is the squared clipped ReLU (SCReLU): each sum is clipped to
//! 0…[`QA`] and squared. The second layer has one output and several sets of weights, the output buckets, selected by the seeds
//! on the board. All arithmetic is in integers, so results are the same on every machine.
//!
//! | number | 1 is stored as | type |
//! |---|---|---|
//! | sum or weight of the first layer | [`QA`] | 16 bits, in a file 8 |
//! | its square | [`QA`]² | 16 bits |
//! | weight of the second layer | [`QB`] | 16 bits, no more than [`LARGEST_OUTPUT`] |
//! | output | [`QA`]² × [`QB`], which is [`CENTISEEDS_AN_OUTPUT`] | 32 bits |

use super::features::{Features, INPUTS};
use crate::game::{Board, Rules};

/// Units of the hidden layer. 32 lost 67 ± 33 Elo in `oware`.
pub const HIDDEN: usize = 64;
/// Sets of weights in the second layer, selected by the seeds on the board. Chosen, not measured.
pub const OUTPUT_BUCKETS: usize = 4;
/// Seeds on the board per bucket: 48 seeds fill the four.
const SEEDS_A_BUCKET: usize = 13;
/// The scale of the first layer: the largest weight that a byte of a file can hold.
pub const QA: i16 = 127;
/// The scale of the second layer.
pub const QB: i32 = 256;
/// The largest weight of the second layer. With it the weighted sum and the bias fit in 32 bits.
pub const LARGEST_OUTPUT: i16 = 1023;
/// The largest bias of the second layer.
pub const LARGEST_OUTPUT_BIAS: i32 = 1 << 29;
const _: () = assert!(
    HIDDEN as i64 * (QA as i64 * QA as i64) * LARGEST_OUTPUT as i64 + (LARGEST_OUTPUT_BIAS as i64)
        < i32::MAX as i64
);
/// Bits by which the output is shifted to become hundredths of a seed.
const OUTPUT_SHIFT: u32 = 13;
/// Hundredths of a seed for an output of 1: 504.
pub const CENTISEEDS_AN_OUTPUT: f32 = ((QA as i32 * QA as i32 * QB) as f32) / (1 << OUTPUT_SHIFT) as f32;

/// The sums of the hidden layer before activation, or a row to add to them.
pub type Accumulator = [i16; HIDDEN];

/// The weights of a network.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Network {
    /// The initial value of the accumulator.
    pub bias: Accumulator,
    /// [`Features::ROWS`] rows, one for each feature.
    pub rows: Vec<Accumulator>,
    /// The weights of the squares, by output bucket.
    pub output: [Accumulator; OUTPUT_BUCKETS],
    /// The bias of the output, by output bucket.
    pub output_bias: [i32; OUTPUT_BUCKETS],
}

impl Network {
    /// A network for the rules `R` that adds nothing to the lead.
    pub fn zero<R: Rules>() -> Network {
        Network {
            bias: [0; HIDDEN],
            rows: vec![[0; HIDDEN]; Features::<R>::ROWS],
            output: [[0; HIDDEN]; OUTPUT_BUCKETS],
            output_bias: [0; OUTPUT_BUCKETS],
        }
    }

    /// The network's output for a board, in hundredths of a seed, to be added to the lead.
    #[inline]
    pub fn evaluate<R: Rules>(&self, board: Board) -> i32 {
        let rows = Features::<R>::rows(board);
        let accumulator = self.accumulate(&rows);
        let bucket = output_bucket(board);
        let weights = &self.output[bucket];
        let mut total = self.output_bias[bucket];
        for (&sum, &weight) in accumulator.iter().zip(weights) {
            let clipped = sum.clamp(0, QA);
            total += i32::from(clipped * clipped) * i32::from(weight);
        }
        total >> OUTPUT_SHIFT
    }

    #[inline]
    fn accumulate(&self, rows: &[u16; INPUTS]) -> Accumulator {
        let mut accumulator = self.bias;
        for &row in rows {
            for (sum, &add) in accumulator.iter_mut().zip(&self.rows[usize::from(row)]) {
                *sum = sum.wrapping_add(add);
            }
        }
        accumulator
    }
}

/// The output bucket of a board.
#[inline]
pub fn output_bucket(board: Board) -> usize {
    (usize::from(board.seeds()) / SEEDS_A_BUCKET).min(OUTPUT_BUCKETS - 1)
}
