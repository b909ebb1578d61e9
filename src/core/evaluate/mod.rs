//! The value of a position without searching: the lead, and what a small network adds to it.
//!
//! # Why a network
//! The value of a pit depends on what lies where its sowing ends, and a sum of hand-made counts does not see that. The
//! network sees fourteen features of a board, one row of a table each ([`Features`]); the rows are added up, clipped,
//! squared and weighed ([`Network`], in the manner of NNUE). That costs about what six hand-made terms with a look for
//! the best capture did. A rule set without a network of its own counts the lead alone.
//!
//! At equal time the network beat hand-made terms, tuned or not, in every rule set, by 14 Elo in `awari1978` and by more than 600 in
//! `oware` and `awari`. `tests/bench/experiments.csv` has a row for each network and each kind of data that was tried.
//!
//! # What it must not see
//! In `ayoayo`, `awari1978` and `kalah` nothing ends the game but the seeds in the pits, so the network sees these
//! alone, and the values of equal pits with different leads differ by the leads alone. In `awari` and `oware` a store of
//! 25 wins, so there it sees both stores.
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
#[must_use]
#[inline]
pub fn evaluate<R: Rules>(board: Board, weights: &Weights) -> Value {
    Value::estimate(weights.centiseeds::<R>(board))
}

/// The seeds that a step put into the store of the side that made it.
#[must_use]
#[inline]
pub fn gain(before: Board, step: Step) -> u8 {
    let row = if step.again { step.board.mover } else { step.board.other };
    row.store() - before.mover.store()
}
