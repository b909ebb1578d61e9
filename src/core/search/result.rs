//! What a node returns: a value, what of it is proven, and which positions of the path that depends on.
//!
//! The last is the bookkeeping against the graph-history interaction (GHI) problem: the value of a board can depend on
//! the moves that led to it, which a table that knows boards alone forgets (A. Palay, "Searching with Probabilities",
//! 1983; A. Kishimoto and M. Müller, "A General Solution to the Graph History Interaction Problem", AAAI 2004). Here a
//! result names the lowest ply of the path that it depends on, once for either side of its value.

use crate::value::{Proof, Value};

/// A ply of the path, counted from the root, that a result depends on.
pub type PathPly = i16;
/// The result depends on no position of the path.
pub const PATH_INDEPENDENT: PathPly = PathPly::MAX;
/// The result depends on what was before the root.
pub const BEFORE_ROOT: PathPly = -1;

/// Plies from a node on.
pub type Plies = u16;
/// More plies than any game is looked ahead.
pub const NEVER_SETTLES: Plies = 1023;

/// What a node returns, seen by its side to move.
#[derive(Clone, Copy)]
pub struct NodeResult {
    pub value: Value,
    pub proof: Proof,
    /// The lowest ply of the path that "at least this value" depends on.
    pub at_least_depends_on: PathPly,
    /// The lowest ply of the path that "at most this value" depends on.
    pub at_most_depends_on: PathPly,
    /// Plies within which what is proven comes about, whatever the other side plays.
    pub settles: Plies,
}

impl NodeResult {
    /// A result that holds on every path.
    #[inline]
    pub fn path_independent(value: Value, proof: Proof) -> NodeResult {
        let (at_least_depends_on, at_most_depends_on) = (PATH_INDEPENDENT, PATH_INDEPENDENT);
        NodeResult { value, proof, at_least_depends_on, at_most_depends_on, settles: 0 }
    }

    /// The same of a proof that takes so many plies to come about.
    #[inline]
    pub fn settling(value: Value, proof: Proof, settles: Plies) -> NodeResult {
        NodeResult { settles, ..NodeResult::path_independent(value, proof) }
    }

    /// An estimate: nothing of it is proven.
    #[inline]
    pub fn unproven(value: Value) -> NodeResult {
        NodeResult::path_independent(value, Proof::NONE)
    }

    /// The value is proven, on every path.
    #[inline]
    pub fn exact(value: Value) -> NodeResult {
        NodeResult::path_independent(value, Proof::EXACT)
    }

    /// The result seen by the side that moved to the node; `again` if that is to move there as well.
    #[inline]
    pub fn seen_by_parent(self, again: bool) -> NodeResult {
        if again {
            return self;
        }
        NodeResult {
            value: self.value.turned(),
            proof: self.proof.turned(),
            at_least_depends_on: self.at_most_depends_on,
            at_most_depends_on: self.at_least_depends_on,
            settles: self.settles,
        }
    }

    /// What of the proof holds on every path: the table may keep it.
    #[inline]
    pub fn path_independent_proof(&self) -> Proof {
        Proof {
            at_least: self.proof.at_least && self.at_least_depends_on == PATH_INDEPENDENT,
            at_most: self.proof.at_most && self.at_most_depends_on == PATH_INDEPENDENT,
        }
    }

    /// The result at a ply. A cycle that began there is closed: whatever depended on it is true on every path.
    #[inline]
    pub fn with_cycles_closed(self, ply: usize) -> NodeResult {
        let closed = |began: PathPly| if began >= ply as PathPly { PATH_INDEPENDENT } else { began };
        NodeResult {
            at_least_depends_on: closed(self.at_least_depends_on),
            at_most_depends_on: closed(self.at_most_depends_on),
            ..self
        }
    }
}
