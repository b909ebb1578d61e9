//! The state of one node: where it is, its window, and what it has found among its moves so far.

use super::result::{NEVER_SETTLES, NodeResult, PATH_INDEPENDENT, PathPly, Plies};
use crate::game::{Board, Pit};
use crate::value::{Proof, Score, Value};
use arrayvec::ArrayVec;

/// Where in the tree a node is.
#[derive(Clone, Copy)]
pub struct Frame {
    pub board: Board,
    /// Its key in the table. A leaf does not ask for it and has none.
    pub key: u64,
    /// Plies from the root.
    pub ply: usize,
    /// Boards of the path between this one and the last capture: only these can come back.
    pub quiet_plies: usize,
}

/// Between which values a node's value is wanted; outside of them a bound is enough.
#[derive(Clone, Copy)]
pub struct Window {
    pub alpha: Value,
    pub beta: Value,
}

impl Window {
    pub fn new(alpha: Value, beta: Value) -> Window {
        Window { alpha, beta }
    }

    /// The empty window (zero width) above a value: it only asks whether a node is worth more.
    #[inline]
    pub fn above(alpha: Value) -> Window {
        Window { alpha, beta: alpha.next() }
    }

    /// Whether the window is empty: nothing lies between alpha and beta.
    #[inline]
    pub fn is_empty(self) -> bool {
        self.beta == self.alpha.next()
    }

    /// The window seen by the side to move after a move; `again` if that is the same side.
    #[inline]
    pub fn seen_by_child(self, again: bool) -> Window {
        if again { self } else { Window { alpha: self.beta.turned(), beta: self.alpha.turned() } }
    }

    /// Whether what is proven of a value puts it outside the window.
    #[inline]
    pub fn is_decided_by(self, value: Value, proof: Proof) -> bool {
        proof.at_least && value >= self.beta || proof.at_most && value <= self.alpha
    }
}

/// What a node knows while it loops over its moves.
pub struct MoveLoop {
    /// The window that is left: alpha rises with the best value.
    pub window: Window,
    pub best: Value,
    pub best_pit: Option<Pit>,
    pub proof: Proof,
    at_least_depends_on: PathPly,
    at_most_depends_on: PathPly,
    /// Plies within which the best move's proof, and those of all moves, come about.
    best_settles: Plies,
    all_settle: Plies,
    pub searched: ArrayVec<Pit, 6>,
}

impl MoveLoop {
    pub fn new(window: Window) -> MoveLoop {
        MoveLoop {
            window,
            best: Value::LEAST,
            best_pit: None,
            proof: Proof::AT_MOST,
            at_least_depends_on: PATH_INDEPENDENT,
            at_most_depends_on: PATH_INDEPENDENT,
            best_settles: 0,
            all_settle: 0,
            searched: ArrayVec::new(),
        }
    }

    /// Takes in the result of a move; says whether its line is the best from now on.
    ///
    /// A node is sure of its value if its best move is, and of no more than that if every move is.
    pub fn add(&mut self, pit: Pit, result: NodeResult) -> bool {
        self.at_most_depends_on = self.at_most_depends_on.min(result.at_most_depends_on);
        self.proof.at_most &= result.proof.at_most;
        self.all_settle = self.all_settle.max(result.settles);
        self.searched.push(pit);
        // Of equal values the proven one is the better, and then it is the move to play.
        let surer = result.value == self.best && result.proof.at_least && !self.proof.at_least;
        if result.value > self.best || surer {
            self.proof.at_least = result.proof.at_least;
            self.at_least_depends_on = result.at_least_depends_on;
            self.best_settles = result.settles;
            self.best = result.value;
            self.best_pit = Some(pit);
        }
        let better = result.value > self.window.alpha;
        self.window.alpha = self.window.alpha.max(result.value);
        better || surer
    }

    /// Whether the other side would not let it come to this: a beta cutoff.
    pub fn is_cutoff(&self) -> bool {
        self.window.alpha >= self.window.beta
    }

    /// The score of the best move.
    pub fn score(&self) -> Score {
        Score { value: self.best, proof: self.proof }
    }

    /// The score where the node has moves that were not to be searched. Whoever comes back to it may choose one of
    /// these, so nothing that depends on the path says "at most".
    pub fn score_of_some_moves(&self) -> Score {
        let at_most = self.proof.at_most && self.at_most_depends_on == PATH_INDEPENDENT;
        Score { value: self.best, proof: Proof { at_most, ..self.proof } }
    }

    /// Plies within which so much of the score comes about.
    #[inline]
    pub fn settles(&self, proof: Proof) -> Plies {
        let below = match proof {
            Proof { at_most: true, .. } => self.all_settle,
            Proof { at_least: true, .. } => self.best_settles,
            Proof::NONE => return 0,
        };
        (below + 1).min(NEVER_SETTLES)
    }

    /// The result of the node, at a ply, with what is proven of it.
    pub fn result(&self, proof: Proof, ply: usize) -> NodeResult {
        let (at_least_depends_on, at_most_depends_on) = (self.at_least_depends_on, self.at_most_depends_on);
        let settles = self.settles(proof);
        NodeResult { value: self.best, proof, at_least_depends_on, at_most_depends_on, settles }
            .with_cycles_closed(ply)
    }
}
