//! A position's worth without searching: the lead, and what a small network adds to it.
mod features;
mod network;
mod weights;

use crate::game::{Board, Rules, Step};
use crate::value::Value;
pub use features::{Features, INPUTS, sees_stores};
pub use network::{
    CENTISEEDS_AN_OUTPUT, HIDDEN, LARGEST_OUTPUT, Network, ONE, OUTPUT_ONE, STAGES, Sums, stage,
};
pub use weights::{EvalFileError, Fault, Weights};

/// The worth of a board that is not over, for its mover.
#[must_use]
#[inline]
pub fn evaluate<R: Rules>(board: Board, weights: &Weights) -> Value {
    Value::estimate(weights.centiseeds::<R>(board))
}

/// The seeds that a step brought into the store of the side that made it.
#[must_use]
#[inline]
pub fn gain(before: Board, step: Step) -> u8 {
    let row = if step.again { step.board.mover } else { step.board.other };
    row.store() - before.mover.store()
}
