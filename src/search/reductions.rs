//! What is searched less deep, or not at all, because it is unlikely to matter: late-move reductions, internal
//! iterative reduction and reverse futility pruning.
//!
//! Nothing here touches what is proven: a reduced search that finds nothing proves nothing, and where the question is
//! the result of the game (a window beyond all estimates) nothing is reduced.
//!
//! `tests/bench/README.md` has the matches behind the numbers, and those of other numbers that were tried.

use crate::value::{Kind, Value};

/// Moves of a node that are searched in full before any is reduced. From the second move on: +17 ± 44 and −17 ± 38 Elo.
const FULL_MOVES: usize = 2;
/// Depth in plies below which nothing is reduced (chosen, not measured).
const MIN_REDUCED_DEPTH: u8 = 3;
/// From this depth on two plies are taken off … From 5 on: −17 ± 45 and −10 ± 40 Elo.
const DEEP: u8 = 7;
/// … if so many moves have been searched (chosen, not measured).
const LATE: usize = 3;

/// Depth in plies below which a node without a table's move is not reduced (chosen, not measured).
const MIN_DEPTH_WITHOUT_MOVE: u8 = 5;

/// The greatest depth in plies that an evaluation may stand for. To 7 in place of 4: +37 ± 36 and +44 ± 40 Elo; to 12 in
/// place of 7: +9 ± 38 and −10 ± 36.
const MAX_PRUNED_DEPTH: u8 = 7;
/// Hundredths of a seed that a ply is likely to cost at the most. Measured beside 140 to depth 5 and 60 to depth 8, which
/// were no better.
const MARGIN_PER_PLY: i32 = 80;

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
    (depth <= MAX_PRUNED_DEPTH && is_estimate(beta)).then(|| beta.shifted(MARGIN_PER_PLY * i32::from(depth)))
}

/// Late-move reductions, as chess programs do them since about 2003: plies taken off a quiet move that comes after so
/// many others in its node's order. A move that then proves better than the best is searched again in full.
///
/// Against none, 10,000 nodes a move: `awari` +29 ± 23 Elo (578 games, a sequential test accepted it), `oware` +42 ± 48.
#[inline]
pub fn late_move_reduction(depth: u8, searched: usize, alpha: Value) -> u8 {
    if depth < MIN_REDUCED_DEPTH || searched < FULL_MOVES || !is_estimate(alpha) {
        return 0;
    }
    1 + u8::from(depth >= DEEP && searched >= LATE)
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
    u8::from(depth >= MIN_DEPTH_WITHOUT_MOVE && !has_table_move && is_estimate(alpha))
}
