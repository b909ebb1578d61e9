//! The state of one node: its board, its window, the results of the moves searched, and the best line below it (a triangular
//! table collected on the way up).

use super::ordering::MAX_PLY;
use super::result::{NodeResult, PATH_INDEPENDENT, PathPly};
use crate::game::{Board, Pit};
use crate::value::{Bounds, Plies, Proof, Score, UNKNOWN_PLIES, Value};
use arrayvec::ArrayVec;

/// A node's place in the tree.
#[derive(Clone, Copy)]
pub struct Frame {
    pub board: Board,
    /// Its table key; leaves do not probe the table and have none.
    pub key: u64,
    /// Plies from the root.
    pub ply: usize,
    /// Boards on the path since the last capture; only these can repeat.
    pub quiet_plies: usize,
}

/// The range in which a node's value must be exact; outside it a bound is enough.
#[derive(Clone, Copy)]
pub struct Window {
    pub alpha: Value,
    pub beta: Value,
}

impl Window {
    pub fn new(alpha: Value, beta: Value) -> Window {
        Window { alpha, beta }
    }

    /// The null window (zero width) above a value: is the node's value higher?
    #[inline]
    pub fn above(alpha: Value) -> Window {
        Window { alpha, beta: alpha.next() }
    }

    /// Whether no value is between alpha and beta.
    #[inline]
    pub fn is_empty(self) -> bool {
        self.beta == self.alpha.next()
    }

    /// The window seen by the side to move after a move; `again` if the same side moves again.
    #[inline]
    pub fn seen_by_child(self, again: bool) -> Window {
        if again { self } else { Window { alpha: self.beta.turned(), beta: self.alpha.turned() } }
    }

    /// Whether a proven value is outside the window.
    #[inline]
    pub fn is_decided_by(self, value: Value, proof: Proof) -> bool {
        proof.at_least && value >= self.beta || proof.at_most && value <= self.alpha
    }
}

/// The results of the moves of a node that have been searched.
pub struct MoveLoop {
    /// The remaining window: alpha rises with the best value.
    pub window: Window,
    pub best: Value,
    pub best_pit: Option<Pit>,
    pub proof: Proof,
    at_least_depends_on: PathPly,
    at_most_depends_on: PathPly,
    /// Plies within which the best move's proof is realised, and within which those of all moves are.
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

    /// Adds the result of a move; returns whether its line is the best.
    ///
    /// A node's lower bound is proven if its best move's is, its upper bound if those of all moves are.
    pub fn add(&mut self, pit: Pit, result: NodeResult) -> bool {
        self.at_most_depends_on = self.at_most_depends_on.min(result.at_most_depends_on);
        self.proof.at_most &= result.proof.at_most;
        self.all_settle = self.all_settle.max(result.settles);
        self.searched.push(pit);
        // Of two equal values the proven one is better, and its move is played.
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

    /// Whether this is a beta cutoff.
    pub fn is_cutoff(&self) -> bool {
        self.window.alpha >= self.window.beta
    }

    /// The proven bounds of the node, from its moves.
    pub fn bounds(&self) -> Bounds {
        let score = Score { value: self.best, proof: self.proof };
        let least_within = self.settles(Proof::AT_LEAST);
        Bounds { least_within, ..Bounds::of(score, self.settles(Proof::AT_MOST)) }
    }

    /// The same if some moves were not searched. A side that returns to the node may choose one of those: an upper bound that
    /// depends on the path is then not proven.
    pub fn bounds_of_some_moves(&self) -> Bounds {
        let bounds = self.bounds();
        if self.at_most_depends_on == PATH_INDEPENDENT { bounds } else { bounds.only_least() }
    }

    /// Plies within which this part of the proof is realised.
    #[inline]
    pub fn settles(&self, proof: Proof) -> Plies {
        let below = match proof {
            Proof { at_most: true, .. } => self.all_settle,
            Proof { at_least: true, .. } => self.best_settles,
            Proof::NONE => return 0,
        };
        (below + 1).min(UNKNOWN_PLIES)
    }

    pub fn result(&self, proof: Proof, ply: usize) -> NodeResult {
        let (at_least_depends_on, at_most_depends_on) = (self.at_least_depends_on, self.at_most_depends_on);
        let settles = self.settles(proof);
        NodeResult { value: self.best, proof, at_least_depends_on, at_most_depends_on, settles }
            .with_cycles_closed(ply)
    }
}

/// A line of moves.
pub type Line = ArrayVec<Pit, MAX_PLY>;

/// The best line below each ply of the path. Lines are allocated as the search deepens.
#[derive(Default)]
pub struct PrincipalVariation {
    lines: Vec<Line>,
}

impl PrincipalVariation {
    /// Clears the line below a ply.
    #[inline]
    pub fn clear(&mut self, ply: usize) {
        match self.lines.get_mut(ply) {
            Some(line) => line.clear(),
            None => self.lines.resize_with(ply + 1, Line::new),
        }
    }

    /// Sets the line of this ply to a move and the line below it.
    pub fn update(&mut self, ply: usize, pit: Pit) {
        let (above, below) = self.lines.split_at_mut(ply + 1);
        let line = &mut above[ply];
        line.clear();
        line.push(pit);
        let room = line.remaining_capacity();
        line.extend(below[0].iter().copied().take(room));
    }

    /// The line from the root.
    pub fn line(&self) -> &Line {
        &self.lines[0]
    }
}
