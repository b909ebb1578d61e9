//! Perft: counts move sequences, to test and time a move generator.

use super::{Board, Rules};

/// The number of move sequences of length `depth`. A game that ends earlier has none; repetitions do not end a game.
///
/// The last move of a sequence is counted without being made, unless only making it shows its legality.
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

/// [`perft`] that returns `None` if `stop` does; it is called before each subtree of a few plies.
pub fn perft_unless<R: Rules>(board: Board, depth: u32, stop: &dyn Fn() -> bool) -> Option<u64> {
    if depth <= UNSTOPPED {
        return Some(perft::<R>(board, depth));
    }
    if stop() {
        return None;
    }
    if R::ending(board).is_some() {
        return Some(0);
    }
    let steps = R::moves(board).into_iter().filter_map(|pit| R::play(board, pit));
    steps.map(|step| perft_unless::<R>(step.board, depth - 1, stop)).sum()
}

/// Plies counted without a call of `stop`: less than a millisecond in most rule sets.
const UNSTOPPED: u32 = 6;
