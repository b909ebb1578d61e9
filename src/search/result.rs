//! What a node returns, and what it knows while it tries its moves: values, proofs, and what these hang on.

use crate::game::Pit;
use crate::value::{Proof, Score, Value};
use arrayvec::ArrayVec;

/// A result that hangs on no position of the path.
pub const FREE: i16 = i16::MAX;
/// A result that hangs on what was before the root.
pub const HISTORY: i16 = -1;

/// What a node returns.
#[derive(Clone, Copy)]
pub struct Found {
    pub value: Value,
    pub proof: Proof,
    /// The lowest ply of the path that the side to move leans on to get the value.
    pub least_rests_on: i16,
    /// The lowest ply of the path that the other side leans on to hold it to the value.
    pub most_rests_on: i16,
}

impl Found {
    /// A result that hangs on nothing.
    #[inline]
    pub fn free(value: Value, proof: Proof) -> Found {
        Found { value, proof, least_rests_on: FREE, most_rests_on: FREE }
    }

    /// The result for the side that moved to the node.
    #[inline]
    pub fn seen_from_above(self, again: bool) -> Found {
        if again {
            return self;
        }
        Found {
            value: self.value.turned(),
            proof: self.proof.turned(),
            least_rests_on: self.most_rests_on,
            most_rests_on: self.least_rests_on,
        }
    }

    /// What of the proof holds on any path.
    #[inline]
    pub fn free_proof(&self) -> Proof {
        Proof {
            at_least: self.proof.at_least && self.least_rests_on == FREE,
            at_most: self.proof.at_most && self.most_rests_on == FREE,
        }
    }
}

/// What a node knows while it tries its moves.
pub struct Progress {
    pub alpha: Value,
    pub beta: Value,
    pub best: Value,
    pub best_pit: Option<Pit>,
    pub proof: Proof,
    least_rests_on: i16,
    most_rests_on: i16,
    pub tried: ArrayVec<Pit, 6>,
}

impl Progress {
    pub fn new(alpha: Value, beta: Value) -> Progress {
        let proof = Proof { at_least: false, at_most: true };
        let (best, best_pit, tried) = (Value::LEAST, None, ArrayVec::new());
        Progress { alpha, beta, best, best_pit, proof, least_rests_on: FREE, most_rests_on: FREE, tried }
    }

    /// Takes in the result of a move; says whether its line leads from now on.
    pub fn take(&mut self, pit: Pit, found: Found) -> bool {
        self.most_rests_on = self.most_rests_on.min(found.most_rests_on);
        self.proof.at_most &= found.proof.at_most;
        self.tried.push(pit);
        // Of equal values the certain one is the better, and then it is the move to play.
        let surer = found.value == self.best && found.proof.at_least && !self.proof.at_least;
        if found.value > self.best || surer {
            self.proof.at_least = found.proof.at_least;
            self.least_rests_on = found.least_rests_on;
            self.best = found.value;
            self.best_pit = Some(pit);
        }
        let better = found.value > self.alpha;
        self.alpha = self.alpha.max(found.value);
        better || surer
    }

    pub fn is_cut(&self) -> bool {
        self.alpha >= self.beta
    }

    pub fn score(&self) -> Score {
        Score { value: self.best, proof: self.proof }
    }

    /// The score where the node has moves that were not to be tried. Whoever comes back to it may choose one of these,
    /// so that nothing which hangs on the path says "no more than that".
    pub fn score_of_some(&self) -> Score {
        let at_most = self.proof.at_most && self.most_rests_on == FREE;
        Score { value: self.best, proof: Proof { at_most, ..self.proof } }
    }

    /// The result of a node at a ply. A cycle that began there is closed: nothing below hangs on the path any more.
    pub fn found(&self, proof: Proof, ply: usize) -> Found {
        let closed = |began: i16| if began >= ply as i16 { FREE } else { began };
        Found {
            value: self.best,
            proof,
            least_rests_on: closed(self.least_rests_on),
            most_rests_on: closed(self.most_rests_on),
        }
    }
}
