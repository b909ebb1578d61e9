//! Late-move reductions, internal iterative reduction and reverse futility pruning.
//!
//! Nothing here affects proofs: a reduced search that fails low proves nothing, and nothing is reduced if the window is about
//! the result of the game.
//!
//! The parameters are in `parameters.rs`.

use super::parameters::{
    deep, full_moves, late, min_depth_without_move, min_reduced_depth, reduces_by_logarithms,
    reverse_futility,
};
use crate::game::Rules;
use crate::value::{Kind, Value};
use once_cell::sync::Lazy;

/// Whether a value is an estimate, not the result of a game.
#[inline]
pub fn is_estimate(value: Value) -> bool {
    matches!(value.kind(), Kind::Estimate(_))
}

/// Reverse futility pruning (also called static null-move pruning; futility pruning, E. Heinz, "Extended futility pruning",
/// 1998, seen from the other side): the evaluation that makes a search of `depth` plies unnecessary to prove beta; `None` if
/// the search is necessary.
///
/// Against no pruning, 10,000 nodes a move: `awari` +60 ± 46 Elo, `oware` +94 ± 43 to depth 4; to depth 7 another +37 ± 36 and
/// +44 ± 40. In `awari` with the current weights, to depth 12 by a wider margin, another +22 ± 17 (100,000 nodes a move).
#[inline]
pub fn reverse_futility_bound<R: Rules>(beta: Value, depth: u8) -> Option<Value> {
    let (max_depth, margin) = reverse_futility(R::VARIANT);
    let depth = i32::from(depth);
    (depth <= max_depth && is_estimate(beta)).then(|| beta.shifted(margin * depth))
}

/// Late-move reductions, as in chess programs since about 2003: the plies to take off a quiet move after `searched` others. If
/// its result is then better than the best, it is searched again at full depth.
///
/// Against no reductions, 10,000 nodes a move: `awari` +29 ± 23 Elo (578 games, accepted by a sequential test), `oware` +42 ±
/// 48.
///
/// In `oware` the reduction grows with the logarithms of depth and moves, as in chess programs: +14 ± 11 Elo against one or two
/// plies (100,000 nodes a move, 690 games, accepted by a sequential test). In `awari` −5 ± 16 (456 games, rejected); other rule
/// sets were not tried.
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

/// Greatest depth in plies with an entry of its own in the table below.
const LONGEST: usize = 63;
/// Maximum moves of a side.
pub const MOST_MOVES: usize = 6;

/// Plies to take off by depth and moves searched: 0.5 + ln(depth) × ln(moves + 1) / 2 (other factors were not tried).
static LOGARITHMIC: Lazy<[[u8; MOST_MOVES + 1]; LONGEST + 1]> = Lazy::new(|| {
    let logarithm = |number: usize| (number.max(1) as f64).ln();
    std::array::from_fn(|depth| {
        std::array::from_fn(|moves| (0.5 + logarithm(depth) * logarithm(moves + 1) / 2.0) as u8)
    })
});

/// Internal iterative reduction (E. Schröder, about 2020, a replacement of internal iterative deepening): the plies to take off a
/// node without a hash move. Its first move is a guess, and a full search is expensive; on the next visit the table has a move.
///
/// It needs a table that keeps the moves of nodes that failed low. With a table that forgot them it gained nothing: −3 ± 27 and
/// −2 ± 29 Elo. With one that keeps them: `awari` +68 ± 35, `oware` +68 ± 42 (20,000 nodes a move; both accepted by sequential
/// tests).
#[inline]
pub fn internal_iterative_reduction(depth: u8, has_table_move: bool, alpha: Value) -> u8 {
    u8::from(i32::from(depth) >= min_depth_without_move() && !has_table_move && is_estimate(alpha))
}
