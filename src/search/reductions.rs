//! What is searched less deep, or not at all, because it is unlikely to matter: late-move reductions, internal
//! iterative reduction and reverse futility pruning.
//!
//! Nothing here touches what is proven: a reduced search that finds nothing proves nothing, and where the question is
//! the result of the game (a window beyond all estimates) nothing is reduced.
//!
//! The numbers are those of `parameters.rs`.

use super::parameters::{
    deep, full_moves, late, margin_per_ply, max_pruned_depth, min_depth_without_move, min_reduced_depth,
};
use crate::value::{Kind, Value};

/// Whether a value is an estimate, and not the result of a game.
#[inline]
pub fn is_estimate(value: Value) -> bool {
    matches!(value.kind(), Kind::Estimate(_))
}

/// Reverse futility pruning (also called static null-move pruning; futility pruning, E. Heinz, "Extended futility
/// pruning", 1998, seen from the other side): what an evaluation must reach so that a search of so many plies is not
/// needed to see that beta holds; `None` if it is needed.
///
/// Against none, 10,000 nodes a move: `awari` +60 ± 46 Elo, `oware` +94 ± 43 to depth 4; to depth 7 another +37 ± 36
/// and +44 ± 40.
#[inline]
pub fn reverse_futility_bound(beta: Value, depth: u8) -> Option<Value> {
    let depth = i32::from(depth);
    (depth <= max_pruned_depth() && is_estimate(beta)).then(|| beta.shifted(margin_per_ply() * depth))
}

/// Late-move reductions, as chess programs do them since about 2003: plies taken off a quiet move that comes after so
/// many others in its node's order. A move that then proves better than the best is searched again in full.
///
/// Against none, 10,000 nodes a move: `awari` +29 ± 23 Elo (578 games, a sequential test accepted it), `oware` +42 ± 48.
#[inline]
pub fn late_move_reduction(depth: u8, searched: usize, alpha: Value) -> u8 {
    let (depth, searched) = (i32::from(depth), searched as i32);
    if depth < min_reduced_depth() || searched < full_moves() || !is_estimate(alpha) {
        return 0;
    }
    1 + u8::from(depth >= deep() && searched >= late())
}

/// Internal iterative reduction (E. Schröder, about 2020, in place of internal iterative deepening): plies taken off a node of
/// which the table knows no move. Its first move is a guess, so a full search is dear; when the node comes back, there is a
/// move.
///
/// It needs a table that keeps the moves of nodes that failed low. While these were forgotten it won nothing: −3 ± 27 and
/// −2 ± 29 Elo. Since they are kept: `awari` +68 ± 35,
/// `oware` +68 ± 42 (20,000 nodes a move; both accepted by sequential tests).
#[inline]
pub fn internal_iterative_reduction(depth: u8, has_table_move: bool, alpha: Value) -> u8 {
    u8::from(i32::from(depth) >= min_depth_without_move() && !has_table_move && is_estimate(alpha))
}
