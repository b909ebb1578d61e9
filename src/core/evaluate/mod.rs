//! Static evaluation: the lead, plus the output of a small network.
//!
//! # Why a network
//! The value of a pit depends on the pit where its sowing ends, which a sum of hand-made counts ignores. The network has
//! fourteen features of a board, one table row each ([`Features`]); the rows are added up, clipped, squared and weighted
//! ([`Network`], in the manner of NNUE). That costs about as much as six hand-made terms with a search for the best capture. A
//! rule set without a network of its own uses the lead alone.
//!
//! At equal time the network beat hand-made terms, tuned or not, in every rule set, by 14 Elo in `awari1978` and by more than
//! 600 in `oware` and `awari`. `docs/experiments.csv` has a row for each network and each kind of training data that was
//! tried.
//!
//! # Inputs
//! In `ayoayo`, `awari1978` and `kalah` only the pits end the game, so the network sees only them, and the values of equal pits
//! differ by their leads alone. In `awari` and `oware` a store of 25 wins, so the network sees both stores.
mod features;
mod network;
mod weights;

use crate::game::{Board, Rules, Step};
use crate::value::Value;
pub use features::{Features, INPUTS, sees_stores};
pub use network::{
    Accumulator, CENTISEEDS_AN_OUTPUT, HIDDEN, LARGEST_OUTPUT, Network, OUTPUT_BUCKETS, QA, QB, output_bucket,
};
pub use weights::{EvalFault, EvalFileError, Weights};

/// The value of a board that is not over, for its mover.
#[inline]
pub fn evaluate<R: Rules>(board: Board, weights: &Weights) -> Value {
    Value::estimate(weights.centiseeds::<R>(board))
}

/// The seeds that a step banks for the side that made it.
#[inline]
pub fn gain(before: Board, step: Step) -> u8 {
    let row = if step.again { step.board.mover } else { step.board.other };
    row.store() - before.mover.store()
}
