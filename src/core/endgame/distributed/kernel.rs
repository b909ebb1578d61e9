//! What a move offers to the boards of one row of the mover, read from a slab: plain slices in, plain slices out.

use super::super::move_tables::Pattern;
use std::ops::Range;

/// Reads what a move offers against a stretch of other rows from the slab of the row that it leaves. Where a capture
/// follows all bits are set, which is worse than anything.
pub(super) fn look(slab: &[u16], pattern: Option<&Pattern>, rows: Range<usize>, offers: &mut [u16]) {
    let Some(pattern) = pattern else { return offers.copy_from_slice(&slab[rows]) };
    pattern.sowing.gather_exactly(slab, &rows, offers);
    if !pattern.captured.is_empty() {
        for (offer, &captured) in offers.iter_mut().zip(&pattern.captured[rows]) {
            *offer |= u16::from_le_bytes([captured; 2]);
        }
    }
}
