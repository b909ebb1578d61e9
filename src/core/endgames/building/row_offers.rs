//! The values that the moves of rows offer against the rows of the other side, in a database without cycles.

use super::row_moves::{Left, Sown};
use crate::game::Pit;
use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

/// The values that a move offers against the rows with the same number of seeds, by their rank.
pub(super) enum Offer<'a> {
    /// The other row stays, and the database too: the value is at this place and the rank.
    Inside(usize),
    Banked(Banked<'a>),
    Met(Met<'a>),
    /// Known only by making the move.
    Played(Pit),
}

/// A move that leaves the other row as it is, and banks seeds. The value is in a database below, at the rank times the stride.
pub(super) struct Banked<'a> {
    pub values: &'a [u8],
    pub stride: usize,
    pub lead: i8,
    pub again: bool,
}

impl Banked<'_> {
    #[inline]
    pub fn offer(&self, rank: usize) -> i8 {
        let rest = self.values[rank * self.stride] as i8;
        self.lead + if self.again { rest } else { -rest }
    }
}

/// A move that makes another one of the other row.
pub(super) struct Met<'a> {
    pub sown: Sown,
    /// The other row after the move, by its rank before.
    pub rows: &'a [Left],
    /// The values without a capture, by the rank that the other row has then.
    pub values: ValueSlice<'a>,
    /// The lead without a capture.
    pub lead: i8,
}

pub(super) enum ValueSlice<'a> {
    Here(&'a [AtomicU8]),
    Below(&'a [u8]),
}

impl ValueSlice<'_> {
    #[inline]
    pub fn get(&self, index: usize) -> i8 {
        match self {
            ValueSlice::Here(values) => values[index].load(Relaxed) as i8,
            ValueSlice::Below(values) => values[index] as i8,
        }
    }
}

/// The moves of the rows of a block, each with its row's place in the block. Moves of a kind are together, which keeps branches
/// predictable.
#[derive(Default)]
pub(super) struct Columns<'a> {
    pub inside: Vec<(usize, usize)>,
    pub banked: Vec<(usize, Banked<'a>)>,
    pub met: Vec<(usize, Met<'a>)>,
    pub played: Vec<(usize, Pit)>,
}

impl<'a> Columns<'a> {
    pub fn new(offers: impl Iterator<Item = (usize, Offer<'a>)>) -> Columns<'a> {
        let mut columns = Columns::default();
        for (column, offer) in offers {
            match offer {
                Offer::Inside(first) => columns.inside.push((column, first)),
                Offer::Banked(banked) => columns.banked.push((column, banked)),
                Offer::Met(met) => columns.met.push((column, met)),
                Offer::Played(pit) => columns.played.push((column, pit)),
            }
        }
        // Against one row, a pattern always makes a capture or never.
        columns.met.sort_by_key(|(_, met)| met.sown.meeting);
        columns
    }
}
