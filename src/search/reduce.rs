//! What is searched less deep, because it is unlikely to matter.
//!
//! Nothing here touches what is certain: a reduced search that finds nothing proves nothing, and where the question is
//! the result of the game (a window beyond all estimates) nothing is reduced.

use crate::value::{Kind, Value};

/// Moves of a node that are searched in full before any is reduced.
const FULL_MOVES: usize = 2;
/// Plies below which nothing is reduced.
const FULL_PLIES: u8 = 3;
/// From so many plies on two plies are taken off …
const DEEP: u8 = 7;
/// … if so many moves have been tried.
const LATE: usize = 3;

/// Plies taken off a quiet move that comes late in its node's order (late-move reductions, as chess programs do them
/// since about 2003). A move that then proves better than the best is searched again in full.
#[inline]
pub fn late(depth: u8, tried: usize, alpha: Value) -> u8 {
    if depth < FULL_PLIES || tried < FULL_MOVES || !matches!(alpha.kind(), Kind::Estimate(_)) {
        return 0;
    }
    1 + u8::from(depth >= DEEP && tried >= LATE)
}
