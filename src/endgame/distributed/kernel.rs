//! What a move offers to the boards of one row of the mover, read from a slab: plain slices in, plain slices out.

use super::super::move_tables::{CAPTURED, Pattern};
use std::ops::Range;

/// Reads what a move offers against a stretch of other rows from the slab of the row that it leaves. Where a capture
/// follows all bits are set, which is worse than anything.
pub(super) fn look(slab: &[u16], pattern: Option<&Pattern>, rows: Range<usize>, offers: &mut [u16]) {
    match pattern {
        None => offers.copy_from_slice(&slab[rows]),
        Some(pattern) => {
            for (offer, &target) in offers.iter_mut().zip(&pattern.targets[rows]) {
                let out = ((target as i32) >> 31) as u16;
                *offer = slab[(target & !CAPTURED) as usize] | out;
            }
        }
    }
}

/// Takes offers into the best so far, byte by byte.
pub(super) fn take_better(best: &mut [u16], offers: &[u16]) {
    let offers: &[u8] = bytemuck::cast_slice(offers);
    for (best, &offer) in bytemuck::cast_slice_mut::<u16, u8>(best).iter_mut().zip(offers) {
        *best = (*best).min(offer);
    }
}
