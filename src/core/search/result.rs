//! The result of a node: a value, its proof, and the positions of the path that the proof depends on.
//!
//! The dependence is the bookkeeping against the graph-history interaction (GHI) problem: the value of a board can depend on
//! the moves that led to it, which a table keyed by boards forgets (A. Palay, "Searching with Probabilities", 1983; A.
//! Kishimoto and M. Müller, "A General Solution to the Graph History Interaction Problem", AAAI 2004). A result names the
//! lowest ply of the path that it depends on, for each side of its value.

use crate::value::{Plies, Proof, Value};

/// A ply of the path, counted from the root, that a result depends on.
pub type PathPly = i16;
/// Depends on no position of the path.
pub const PATH_INDEPENDENT: PathPly = PathPly::MAX;
/// Depends on positions before the root.
pub const BEFORE_ROOT: PathPly = -1;

/// The result of a node, seen by its side to move.
#[derive(Clone, Copy)]
pub struct NodeResult {
    pub value: Value,
    pub proof: Proof,
    /// The lowest ply of the path that "at least this value" depends on.
    pub at_least_depends_on: PathPly,
    /// The lowest ply of the path that "at most this value" depends on.
    pub at_most_depends_on: PathPly,
    /// Plies within which the proof is realised, against any play.
    pub settles: Plies,
}

impl NodeResult {
    /// A result that holds on every path.
    #[inline]
    pub fn path_independent(value: Value, proof: Proof) -> NodeResult {
        let (at_least_depends_on, at_most_depends_on) = (PATH_INDEPENDENT, PATH_INDEPENDENT);
        NodeResult { value, proof, at_least_depends_on, at_most_depends_on, settles: 0 }
    }

    /// The same for a proof that is realised within `settles` plies.
    #[inline]
    pub fn settling(value: Value, proof: Proof, settles: Plies) -> NodeResult {
        NodeResult { settles, ..NodeResult::path_independent(value, proof) }
    }

    /// An estimate: neither side is proven.
    #[inline]
    pub fn unproven(value: Value) -> NodeResult {
        NodeResult::path_independent(value, Proof::NONE)
    }

    /// A value proven on every path.
    #[inline]
    pub fn exact(value: Value) -> NodeResult {
        NodeResult::path_independent(value, Proof::EXACT)
    }

    /// The result seen by the side that moved to the node; `again` if the same side moves there.
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

    /// The part of the proof that holds on every path, which the table may store.
    #[inline]
    pub fn path_independent_proof(&self) -> Proof {
        Proof {
            at_least: self.proof.at_least && self.at_least_depends_on == PATH_INDEPENDENT,
            at_most: self.proof.at_most && self.at_most_depends_on == PATH_INDEPENDENT,
        }
    }

    /// The result at a ply. A cycle that began there is closed: results that depended on it hold on every path.
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
