//! A position's worth without searching: a sum of terms, each a count with a weight.
//!
//! Each term counts something of the mover's less the same of the other's. The weights are a row of numbers a rule
//! set, looked up once before a search; nothing here asks for the name of the rules again.

mod weights;

use crate::game::{Board, Pits, Row, Rules, Step};
use crate::value::Value;
pub use weights::Weights;

/// The names of the terms, in the order of [`terms`].
pub const NAMES: [&str; TERMS] = ["stores", "row", "mobility", "kroos", "prey", "danger"];
/// How many terms there are.
pub const TERMS: usize = 6;

/// A pit of more seeds than this is a kroo: it goes round the whole board.
const KROO: u8 = 12;

/// The worth of a board that is not over, for its mover.
#[must_use]
#[inline]
pub fn evaluate<R: Rules>(board: Board, weights: &Weights) -> Value {
    let counts = terms::<R>(board, weights);
    let sum: i32 = counts.iter().zip(weights.of_terms()).map(|(count, weight)| count * weight).sum();
    Value::estimate(sum + weights.tempo)
}

/// What each term counts, the mover's less the other's. A term without weight is not counted.
#[must_use]
#[inline]
pub fn terms<R: Rules>(board: Board, weights: &Weights) -> [i32; TERMS] {
    let Board { mover, other } = board;
    [
        i32::from(board.lead()),
        i32::from(mover.seeds()) - i32::from(other.seeds()),
        mobility(mover) - mobility(other),
        if weights.kroos == 0 { 0 } else { kroos(mover) - kroos(other) },
        if weights.prey == 0 { 0 } else { prey::<R>(board) },
        if weights.danger == 0 { 0 } else { prey::<R>(board.unflagged().turned()) },
    ]
}

/// Pits that can be sown.
#[inline]
fn mobility(row: Row) -> i32 {
    row.occupied().len() as i32
}

/// Pits of more than twelve seeds.
#[inline]
fn kroos(row: Row) -> i32 {
    row.pits().into_iter().filter(|&seeds| seeds > KROO).count() as i32
}

/// The seeds that the mover's best move would bank at once.
#[inline]
fn prey<R: Rules>(board: Board) -> i32 {
    let pits: Pits = board.mover.occupied();
    let gains = pits.into_iter().filter_map(|pit| R::play(board, pit)).map(|step| gain(board, step));
    i32::from(gains.max().unwrap_or(0))
}

/// The seeds that a step brought into the store of the side that made it.
#[must_use]
#[inline]
pub fn gain(before: Board, step: Step) -> u8 {
    let row = if step.again { step.board.mover } else { step.board.other };
    row.store() - before.mover.store()
}
