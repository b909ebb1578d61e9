//! The representation of a value while its database is being built: one byte or two.
//!
//! *One byte is enough in `awari`.* There the two thresholds of a board differ by at most one, because a side draws with at most
//! one size of its store. Play that never ends leaves the score as it is, the end of a game and the capture of everything fix it:
//! each is a draw with one size at most. A capture passes on the thresholds of another board, clamped. Of two moves, one is
//! better in neither threshold, or equal in one and better by one in the other, or better in both. The sum of both thresholds
//! therefore gives both (it is even if they are equal), and the better of two boards has the smaller sum.
//!
//! The bounds of `oware` may lie apart, and take a byte each.

use crate::endgames::probe::thresholds::Thresholds;
use crate::game::Rules;
use bytemuck::Pod;

/// The known value of a board, for a side: the smaller each byte the better. See [`Thresholds`].
pub trait Cell: Pod + Eq + Send + Sync {
    /// Worse than anything.
    const WORST: Self;

    const NUMBERS: usize = 1 << (8 * size_of::<Self>());

    /// A number for it, below [`Cell::NUMBERS`].
    fn number(self) -> usize;

    fn from_number(number: usize) -> Self;

    fn new(thresholds: Thresholds) -> Self;

    fn thresholds(self) -> Thresholds;

    /// The same for the side that left the board to the other with a move without a capture, and back.
    fn turned<R: Rules>(self, seeds: u8) -> Self;

    /// The same, or worse than anything if all bits of the mask are set. Otherwise none is.
    fn masked(self, mask: u8) -> Self;

    /// Another one if all bits of the mask are set, else the same. Otherwise none is.
    fn replaced(self, other: Self, mask: u8) -> Self;

    /// Not 0 if the other is different.
    fn difference(self, other: Self) -> u8;

    /// The better of two, byte by byte.
    fn better(self, other: Self) -> Self;

    /// The distance from the start, summed over its bytes.
    fn distance(self, start: Self) -> u8;

    /// The one of two that is further from the start, byte by byte.
    fn further(self, other: Self, start: Self) -> Self;
}

/// Whether a byte says all that is known of a board.
pub const fn fits_in_a_byte<R: Rules>() -> bool {
    R::SWEEP_WINS
}

pub const fn cell_bytes<R: Rules>() -> usize {
    if fits_in_a_byte::<R>() { size_of::<u8>() } else { size_of::<[u8; 2]>() }
}

/// Improves the best so far by offers, byte by byte.
#[inline]
pub fn take_better<C: Pod>(best: &mut [C], offers: &[C]) {
    let offers: &[u8] = bytemuck::cast_slice(offers);
    for (best, &offer) in bytemuck::cast_slice_mut::<C, u8>(best).iter_mut().zip(offers) {
        *best = (*best).min(offer);
    }
}

impl Cell for u8 {
    const WORST: u8 = u8::MAX;

    #[inline]
    fn number(self) -> usize {
        usize::from(self)
    }

    #[inline]
    fn from_number(number: usize) -> u8 {
        number as u8
    }

    #[inline]
    fn new(thresholds: Thresholds) -> u8 {
        let [wins, draws] = thresholds.0;
        debug_assert!(wins - draws <= 1, "there is at most one store with which a side draws");
        wins.saturating_add(draws)
    }

    #[inline]
    fn thresholds(self) -> Thresholds {
        Thresholds([self.div_ceil(2), self / 2])
    }

    #[inline]
    fn turned<R: Rules>(self, seeds: u8) -> u8 {
        2 * Thresholds::most::<R>(seeds) - self
    }

    #[inline]
    fn masked(self, mask: u8) -> u8 {
        self | mask
    }

    #[inline]
    fn replaced(self, other: u8, mask: u8) -> u8 {
        self & !mask | other & mask
    }

    #[inline]
    fn difference(self, other: u8) -> u8 {
        self ^ other
    }

    #[inline]
    fn better(self, other: u8) -> u8 {
        self.min(other)
    }

    #[inline]
    fn distance(self, start: u8) -> u8 {
        self.abs_diff(start)
    }

    #[inline]
    fn further(self, other: u8, start: u8) -> u8 {
        if other.abs_diff(start) > self.abs_diff(start) { other } else { self }
    }
}

impl Cell for [u8; 2] {
    const WORST: [u8; 2] = Thresholds::WORST.0;

    #[inline]
    fn number(self) -> usize {
        usize::from(u16::from_le_bytes(self))
    }

    #[inline]
    fn from_number(number: usize) -> [u8; 2] {
        (number as u16).to_le_bytes()
    }

    #[inline]
    fn new(thresholds: Thresholds) -> [u8; 2] {
        thresholds.0
    }

    #[inline]
    fn thresholds(self) -> Thresholds {
        Thresholds(self)
    }

    #[inline]
    fn turned<R: Rules>(self, seeds: u8) -> [u8; 2] {
        Thresholds(self).turned::<R>(seeds).0
    }

    #[inline]
    fn masked(self, mask: u8) -> [u8; 2] {
        [self[0] | mask, self[1] | mask]
    }

    #[inline]
    fn replaced(self, other: [u8; 2], mask: u8) -> [u8; 2] {
        [self[0].replaced(other[0], mask), self[1].replaced(other[1], mask)]
    }

    #[inline]
    fn difference(self, other: [u8; 2]) -> u8 {
        (self[0] ^ other[0]) | (self[1] ^ other[1])
    }

    #[inline]
    fn better(self, other: [u8; 2]) -> [u8; 2] {
        [self[0].min(other[0]), self[1].min(other[1])]
    }

    #[inline]
    fn distance(self, start: [u8; 2]) -> u8 {
        self[0].distance(start[0]) + self[1].distance(start[1])
    }

    #[inline]
    fn further(self, other: [u8; 2], start: [u8; 2]) -> [u8; 2] {
        [self[0].further(other[0], start[0]), self[1].further(other[1], start[1])]
    }
}
