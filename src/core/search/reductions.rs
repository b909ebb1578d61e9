//! What is searched less deep, or not at all, because it is unlikely to matter: late-move reductions, internal
//! iterative reduction and reverse futility pruning.
//!
//! Nothing here touches what is proven: a reduced search that finds nothing proves nothing, and where the question is
//! the result of the game (a window beyond all estimates) nothing is reduced.
//!
//! The numbers are those of `parameters.rs`.

use super::parameters::{
    deep, full_moves, late, min_depth_without_move, min_reduced_depth, reduces_by_logarithms,
    reverse_futility,
};
use crate::game::Rules;
use crate::value::{Kind, Value};
use once_cell::sync::Lazy;

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
/// and +44 ± 40. In `awari` with today's weights, to depth 12 by a wider margin, another +22 ± 17 (100,000 nodes a move).
#[inline]
pub fn reverse_futility_bound<R: Rules>(beta: Value, depth: u8) -> Option<Value> {
    let (max_depth, margin) = reverse_futility(R::VARIANT);
    let depth = i32::from(depth);
    (depth <= max_depth && is_estimate(beta)).then(|| beta.shifted(margin * depth))
}

/// Late-move reductions, as chess programs do them since about 2003: plies taken off a quiet move that comes after so
/// many others in its node's order. A move that then proves better than the best is searched again in full.
///
/// Against none, 10,000 nodes a move: `awari` +29 ± 23 Elo (578 games, a sequential test accepted it), `oware` +42 ± 48.
///
/// In `oware` the plies grow with the logarithms of both, as in chess programs: +14 ± 11 Elo against one ply and two (100,000
/// nodes a move, 690 games, a sequential test accepted it). In `awari` −5 ± 16 (456 games, rejected); in the other rule sets
/// they were not tried.
#[inline]
pub fn late_move_reduction<R: Rules>(depth: u8, searched: usize, alpha: Value) -> u8 {
    let (plies, moves) = (i32::from(depth), searched as i32);
    if plies < min_reduced_depth() || moves < full_moves() || !is_estimate(alpha) {
        return 0;
    }
    if reduces_by_logarithms(R::VARIANT) {
        return LOGARITHMIC[usize::from(depth).min(LONGEST)][searched.min(MOST_MOVES)];
    }
    1 + u8::from(plies >= deep() && moves >= late())
}

/// The greatest depth in plies that the table below tells apart.
const LONGEST: usize = 63;
/// A side has no more moves.
pub const MOST_MOVES: usize = 6;

/// Plies taken off by depth and moves searched: 0.5 + ln(depth) × ln(moves + 1) / 2 (other factors were not tried).
static LOGARITHMIC: Lazy<[[u8; MOST_MOVES + 1]; LONGEST + 1]> = Lazy::new(|| {
    let logarithm = |number: usize| (number.max(1) as f64).ln();
    std::array::from_fn(|depth| {
        std::array::from_fn(|moves| (0.5 + logarithm(depth) * logarithm(moves + 1) / 2.0) as u8)
    })
});

/// Internal iterative reduction (E. Schröder, about 2020, in place of internal iterative deepening): plies taken off a node of
/// which the table knows no move. Its first move is a guess, so a full search is dear; when the node comes back, there is a
/// move.
///
/// It needs a table that keeps the moves of nodes that failed low. While these were forgotten it won nothing: −3 ± 27 and
/// −2 ± 29 Elo. Since they are kept: `awari` +68 ± 35, `oware` +68 ± 42 (20,000 nodes a move; both accepted by sequential
/// tests).
#[inline]
pub fn internal_iterative_reduction(depth: u8, has_table_move: bool, alpha: Value) -> u8 {
    u8::from(i32::from(depth) >= min_depth_without_move() && !has_table_move && is_estimate(alpha))
}
