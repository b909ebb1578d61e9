//! The key of a position in the table.

use crate::game::{Board, Rules, Zobrist};

/// The table key of a board. It omits the stores in rule sets in which these only add to the value of the pits, so one entry
/// serves every lead. Equal boards of two rule sets have different keys, and so do equal boards near the move limit with
/// different numbers of moves left (`MoveLimit::key`).
#[inline]
pub fn table_key<R: Rules>(zobrist: &Zobrist, board: Board, moves_left: u64) -> u64 {
    let board = if R::LEAD_ADDS { board.without_stores() } else { board };
    let rules = (R::VARIANT.index() as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    zobrist.keys(board).key() ^ rules ^ moves_left
}
