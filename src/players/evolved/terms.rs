//! The six terms, and their weighted sum.
//!
//! A floating-point sum depends on its order, which is fixed: from left to right in the order of the terms here. Every faster
//! method must give the same bits. [`Evaluator`] has tables of parts of that sum, and bounds of it: rounding never reverses the
//! order of two numbers, so replacing a term by a greater one never lowers the sum.

use super::captures::CaptureTargets;
use crate::game::{Board, COUNTS, ROW, Rules};

/// Entries of a table for each pair of pit counts, 0 to 6.
const PAIRS: usize = 64;

/// The names of the six weights, in the order of the terms: α2, α3, β2, β3, αs, βs.
pub const TERM_NAMES: [&str; 6] = ["a2", "a3", "b2", "b3", "as", "bs"];

/// The terms of a board, for one player.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Terms {
    /// α2 and α3: the opponent's pits in which two seeds can be captured, and three.
    pub theirs: Threats,
    /// β2 and β3: the same for the player's own pits.
    pub own: Threats,
    /// αs: the opponent's store.
    pub their_store: u8,
    /// βs: the player's store.
    pub own_store: u8,
}

/// The pits of a row that a single legal move of the other side would capture.
///
/// A pit in which one move captures two seeds and another three counts as both.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Threats {
    /// Pits in which two seeds can be captured.
    pub twos: u8,
    /// Pits in which three can.
    pub threes: u8,
}

impl Threats {
    /// The pits of the other's row that the mover of a board can capture, even if it is not its turn.
    #[inline]
    pub fn of<R: Rules>(board: Board) -> Threats {
        let CaptureTargets { twos, threes } = CaptureTargets::of::<R>(board);
        Threats { twos: twos.len() as u8, threes: threes.len() as u8 }
    }
}

impl Terms {
    /// The terms of a board for the side to move, or for the other.
    #[inline]
    pub fn of<R: Rules>(board: Board, for_mover: bool) -> Terms {
        let board = board.unflagged();
        let (own, theirs) = if for_mover { (board, board.turned()) } else { (board.turned(), board) };
        Terms {
            theirs: Threats::of::<R>(own),
            own: Threats::of::<R>(theirs),
            their_store: own.other.store(),
            own_store: own.mover.store(),
        }
    }
}

/// The evaluation f by six weights: tables of parts of its sum, and bounds of them.
#[derive(Clone, Debug, PartialEq)]
pub struct Evaluator {
    /// w1·α2 + w2·α3, by both counts.
    theirs: [f64; PAIRS],
    /// w3·β2.
    own_twos: [f64; 8],
    /// w4·β3.
    own_threes: [f64; 8],
    /// w5·αs.
    their_store: [f64; COUNTS],
    /// w6·βs.
    own_store: [f64; COUNTS],
    /// The least and the greatest value of the terms of the opponent's pits.
    theirs_within: [f64; 2],
    /// The least and the greatest value of β2's term, and of β3's.
    own_within: [[f64; 2]; 2],
}

impl Evaluator {
    /// The evaluation by weights in the order of [`TERM_NAMES`].
    pub fn new(weights: [f64; 6]) -> Evaluator {
        let [w1, w2, w3, w4, w5, w6] = weights;
        let times = |weight: f64| move |count: usize| weight * count as f64;
        let within = |weight: f64| [f64::min(0.0, weight * ROW as f64), f64::max(0.0, weight * ROW as f64)];
        let [low, high] = [0, 1].map(|end| within(w1)[end] + within(w2)[end]);
        Evaluator {
            theirs: std::array::from_fn(|index| w1 * (index / 8) as f64 + w2 * (index % 8) as f64),
            own_twos: std::array::from_fn(times(w3)),
            own_threes: std::array::from_fn(times(w4)),
            their_store: std::array::from_fn(times(w5)),
            own_store: std::array::from_fn(times(w6)),
            theirs_within: [low, high],
            own_within: [within(w3), within(w4)],
        }
    }

    /// f, the six products added up from left to right.
    #[inline]
    pub fn value(&self, terms: Terms) -> f64 {
        let Terms { theirs, own, their_store, own_store } = terms;
        self.sum(self.of_theirs(theirs), self.of_own(own), [their_store, own_store])
    }

    /// f of a board, or a bound of it that is at most `low` or at least `high`.
    #[inline]
    pub(super) fn within<R: Rules>(&self, board: Board, for_mover: bool, low: f64, high: f64) -> f64 {
        let board = board.unflagged();
        let (own, theirs) = if for_mover { (board, board.turned()) } else { (board.turned(), board) };
        let stores = [own.other.store(), own.mover.store()];
        let bound =
            |end: usize, threats: f64| self.sum(threats, self.own_within.map(|within| within[end]), stores);
        let outside = |threats: [f64; 2]| {
            let (least, greatest) = (bound(0, threats[0]), bound(1, threats[1]));
            if greatest <= low { Some(greatest) } else { (least >= high).then_some(least) }
        };
        if let Some(bound) = outside(self.theirs_within) {
            return bound;
        }
        let threats = self.of_theirs(Threats::of::<R>(own));
        if let Some(bound) = outside([threats; 2]) {
            return bound;
        }
        self.sum(threats, self.of_own(Threats::of::<R>(theirs)), stores)
    }

    /// f if no pit can be captured.
    #[inline]
    pub(super) fn of_stores(&self, board: Board, for_mover: bool) -> f64 {
        let (mover, other) = (board.mover.store(), board.other.store());
        self.sum(0.0, [0.0; 2], if for_mover { [other, mover] } else { [mover, other] })
    }

    #[inline]
    fn of_theirs(&self, Threats { twos, threes }: Threats) -> f64 {
        self.theirs[(usize::from(twos) * 8 + usize::from(threes)) % PAIRS]
    }

    #[inline]
    fn of_own(&self, Threats { twos, threes }: Threats) -> [f64; 2] {
        [self.own_twos[usize::from(twos) % 8], self.own_threes[usize::from(threes) % 8]]
    }

    /// The sum in its fixed order; of the stores, the opponent's comes first.
    #[inline]
    fn sum(&self, theirs: f64, own: [f64; 2], stores: [u8; 2]) -> f64 {
        let [their_store, own_store] = stores.map(|store| usize::from(store) % COUNTS);
        theirs + own[0] + own[1] + self.their_store[their_store] + self.own_store[own_store]
    }
}
