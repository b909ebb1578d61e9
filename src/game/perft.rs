//! Counting move sequences, the test of a move generator and its speedometer.

use super::{Board, Pit, Rules};

/// The number of move sequences of a length. A game that ends earlier has none, and no game ends by repetition.
///
/// The last move of a sequence is counted, not made, unless only making it shows that it is legal.
#[must_use]
pub fn perft<R: Rules>(board: Board, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    if R::ending(board).is_some() {
        return 0;
    }
    if depth == 1 {
        return u64::from(R::count_moves(board));
    }
    R::moves(board)
        .into_iter()
        .filter_map(|pit| R::play(board, pit))
        .map(|step| perft::<R>(step.board, depth - 1))
        .sum()
}

/// [`perft`] by the first move, in the order of the pits.
#[must_use]
pub fn divide<R: Rules>(board: Board, depth: u32) -> Vec<(Pit, u64)> {
    if depth == 0 || R::ending(board).is_some() {
        return Vec::new();
    }
    let below = |pit| Some((pit, perft::<R>(R::play(board, pit)?.board, depth - 1)));
    R::moves(board).into_iter().filter_map(below).collect()
}
