//! One node of the tree: negamax with alpha and beta, principal variation search (Marsland and Campbell, "Parallel
//! search of strongly ordered game trees", 1982), the table, and the bookkeeping of what is certain.
//!
//! # What is certain
//! Every value comes with a [`Proof`]. The end of a game is certain on both sides, an estimate on neither. A node can
//! be sure to get a value if its best move is sure to; it can be sure to get no more if that is sure of every move.
//!
//! # Positions that come back
//! A position that stands on the path already is a leaf with the value of a cycle. That value hangs on the path, and
//! with it whatever was concluded from it, up to the node where the cycle began. [`Found::rests_on`] says how far down
//! the path a result hangs; the table gets its proof only if that is nowhere.
//!
//! Where the score stands ([`Cycle::ScoreStands`]) nothing else is needed: there a position's worth does not depend on
//! its past, and the side that follows a proof either ends the game as the proof says or goes round in a cycle that
//! the proof allowed for.
//!
//! Where a repetition ends the game ([`Cycle::EndsGame`]) a proof found on one path could be cut short on another
//! that has visited one of its positions before. It is only called independent of the path if it holds for the pay-out
//! of every position that such a visit could end it at; positions after a capture cannot have been visited.

use super::order::{Memory, PLIES};
use super::table::{Bound, Entry, Table};
use super::{Observer, pv::Variation};
use crate::evaluate::{Weights, evaluate, gain};
use crate::game::{Board, Cycle, Pit, Rules, Step, Zobrist, came_back};
use crate::value::{Proof, Score, Value, within_reach};
use arrayvec::ArrayVec;
use std::marker::PhantomData;

/// Nodes between two looks at the clock.
const POLL: u64 = 256;
/// A result that hangs on no position of the path.
const FREE: i16 = i16::MAX;
/// A result that hangs on what was before the root.
const HISTORY: i16 = -1;

/// Where in the tree a node is.
#[derive(Clone, Copy)]
pub(super) struct At {
    pub board: Board,
    pub ply: usize,
    /// How many boards of the path lie between this one and the last capture.
    pub quiet: usize,
}

/// What a node returns.
#[derive(Clone, Copy)]
pub(super) struct Found {
    pub value: Value,
    pub proof: Proof,
    /// The lowest ply of the path that the result hangs on.
    rests_on: i16,
}

impl Found {
    fn certain(value: Value, proof: Proof) -> Found {
        Found { value, proof, rests_on: FREE }
    }

    fn seen_from_above(self, again: bool) -> Found {
        if again {
            return self;
        }
        Found { value: self.value.turned(), proof: self.proof.turned(), ..self }
    }
}

/// A move of a node.
struct Child {
    pit: Pit,
    step: Step,
    gain: u8,
    promise: i32,
}

/// What a node knows while it tries its moves.
pub(super) struct Progress {
    alpha: Value,
    beta: Value,
    pub best: Value,
    pub best_pit: Option<Pit>,
    proof: Proof,
    rests_on: i16,
    tried: ArrayVec<Pit, 6>,
}

impl Progress {
    pub fn new(alpha: Value, beta: Value) -> Progress {
        let proof = Proof { at_least: false, at_most: true };
        let (best, best_pit, rests_on) = (Value::LEAST, None, FREE);
        Progress { alpha, beta, best, best_pit, proof, rests_on, tried: ArrayVec::new() }
    }

    /// Takes in the result of a move; says whether its line leads from now on.
    fn take(&mut self, pit: Pit, found: Found) -> bool {
        self.rests_on = self.rests_on.min(found.rests_on);
        self.proof.at_most &= found.proof.at_most;
        self.tried.push(pit);
        // Of equal values the certain one is the better, and then it is the move to play.
        let surer = found.value == self.best && found.proof.at_least && !self.proof.at_least;
        if found.value > self.best || surer {
            self.proof.at_least = found.proof.at_least;
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
}

/// A search under the rules `R`, on one thread.
pub(super) struct Worker<'a, R> {
    pub table: &'a Table,
    pub weights: &'a Weights,
    pub zobrist: &'static Zobrist,
    pub observer: &'a mut dyn Observer,
    pub memory: Memory,
    pub variation: Variation,
    /// The boards that led here, those before the root first.
    pub path: Vec<Board>,
    /// Where the root stands in the path.
    pub root: usize,
    pub nodes: u64,
    pub node_limit: u64,
    pub next_poll: u64,
    pub deepest: usize,
    pub stopped: bool,
    /// The first iteration is not stopped, but for the limit of nodes: a few nodes, and there is something to say.
    pub may_stop: bool,
    pub rules: PhantomData<R>,
}

impl<R: Rules> Worker<'_, R> {
    /// The value of a node between alpha and beta, or a bound of it, after so many plies.
    fn node(&mut self, at: At, alpha: Value, beta: Value, depth: u8) -> Found {
        if self.has_to_stop() {
            return Found::certain(alpha, Proof::NONE);
        }
        self.nodes += 1;
        self.deepest = self.deepest.max(at.ply);
        self.variation.clear(at.ply);
        if let Some(ending) = R::ending(at.board) {
            return Found::certain(Value::of(&ending), Proof::EXACT);
        }
        if let Some(found) = self.cycle(at) {
            return found;
        }
        let (least, most) = within_reach::<R>(at.board);
        if most <= alpha {
            return Found::certain(most, Proof { at_least: false, at_most: true });
        }
        if least >= beta {
            return Found::certain(least, Proof { at_least: true, at_most: false });
        }
        if depth == 0 || at.ply + 1 >= PLIES {
            return self.estimate(at.board, least, most);
        }
        let key = self.key(at.board);
        let entry = self.table.probe(key);
        if let Some(entry) = entry
            && entry.answers(alpha, beta, depth)
            && (beta == alpha.next() || entry.proof.is_exact())
        {
            return Found::certain(entry.value, entry.proof);
        }
        let mut found = self.moves(at, key, (alpha, beta), depth, entry.and_then(|entry| entry.pit));
        if found.value >= most {
            found.proof.at_most = true;
        }
        if found.value <= least {
            found.proof.at_least = true;
        }
        found
    }

    /// Tries the moves of a node, and remembers what came of it.
    fn moves(
        &mut self,
        at: At,
        key: u64,
        (alpha, beta): (Value, Value),
        depth: u8,
        first: Option<Pit>,
    ) -> Found {
        let mut progress = Progress::new(alpha, beta);
        let legal = R::moves(at.board);
        self.path.push(at.board);
        let first = first.filter(|&pit| legal.contains(pit));
        if let Some(child) = first.and_then(|pit| self.child(at, pit)) {
            self.try_move(at, &child, &mut progress, depth);
        }
        if !progress.is_cut() && !self.stopped {
            let rest = legal.filter(|pit| Some(pit) != first);
            let mut children: ArrayVec<Child, 6> =
                rest.into_iter().filter_map(|pit| self.child(at, pit)).collect();
            children.sort_by_key(|child| -child.promise);
            for child in &children {
                self.try_move(at, child, &mut progress, depth);
                if progress.is_cut() || self.stopped {
                    break;
                }
            }
        }
        self.path.pop();
        if progress.best_pit.is_none() {
            return Found::certain(Value::of(&R::stuck(at.board)), Proof::EXACT);
        }
        self.close(at, key, alpha, &progress, depth)
    }

    /// The result of a node whose moves have been tried.
    fn close(&mut self, at: At, key: u64, alpha: Value, progress: &Progress, depth: u8) -> Found {
        let bound = if progress.is_cut() {
            Bound::AtLeast
        } else if progress.best > alpha {
            Bound::Exact
        } else {
            Bound::AtMost
        };
        let proof = match bound {
            Bound::AtLeast => Proof { at_most: false, ..progress.proof },
            Bound::AtMost => Proof { at_least: false, ..progress.proof },
            Bound::Exact => progress.proof,
        };
        // A cycle that began here is closed: nothing below hangs on the path any more.
        let own_cycle = progress.rests_on >= at.ply as i16;
        let rests_on = if own_cycle { FREE } else { progress.rests_on };
        if !self.stopped {
            let proof = if rests_on == FREE { proof } else { Proof::NONE };
            let pit = if bound == Bound::AtMost { None } else { progress.best_pit };
            let entry = Entry { value: progress.best, bound, proof, depth, pit };
            self.table.store(key, entry);
        }
        Found { value: progress.best, proof, rests_on }
    }

    /// A move made, if the sowing ends.
    fn child(&self, at: At, pit: Pit) -> Option<Child> {
        let step = R::play(at.board, pit)?;
        let gain = gain(at.board, step);
        Some(Child { pit, step, gain, promise: self.memory.promise(at.board, pit, gain, at.ply) })
    }

    /// Searches a move: the first of a node with the whole window, the others with an empty one until they prove
    /// better.
    fn try_move(&mut self, at: At, child: &Child, progress: &mut Progress, depth: u8) {
        let Step { board, again } = child.step;
        let quiet = if child.gain > 0 { 0 } else { at.quiet + 1 };
        let below = At { board, ply: at.ply + 1, quiet };
        let (alpha, beta) = (progress.alpha, progress.beta);
        let mut found = if progress.tried.is_empty() {
            self.below(below, again, alpha, beta, depth - 1)
        } else {
            self.below(below, again, alpha, alpha.next(), depth - 1)
        };
        if !progress.tried.is_empty() && found.value > alpha && found.value < beta && !self.stopped {
            found = self.below(below, again, alpha, beta, depth - 1);
        }
        if self.stopped {
            return;
        }
        let in_window = alpha.next() < beta;
        if progress.take(child.pit, found) {
            if in_window {
                self.variation.lead_with(at.ply, child.pit);
            }
            if progress.is_cut() && child.gain == 0 {
                let vain = &progress.tried[..progress.tried.len() - 1];
                self.memory.refuted(at.board, child.pit, vain, at.ply, depth);
            }
        }
    }

    /// The result of a node, seen by the side that moved there.
    fn below(&mut self, at: At, again: bool, alpha: Value, beta: Value, depth: u8) -> Found {
        let (low, high) = if again { (alpha, beta) } else { (beta.turned(), alpha.turned()) };
        let mut found = self.node(at, low, high, depth);
        if R::CYCLE == Cycle::EndsGame && at.quiet > 0 && !holds_if_visited::<R>(at.board, &found) {
            found.rests_on = HISTORY;
        }
        found.seen_from_above(again)
    }

    /// The value of a board that stands on the path already, with the same side to move and no capture since.
    fn cycle(&self, at: At) -> Option<Found> {
        if R::CYCLE == Cycle::Impossible {
            return None;
        }
        let began = came_back(&self.path, at.quiet, at.board)?;
        let rests_on = if began < self.root { HISTORY } else { (began - self.root) as i16 };
        Some(Found { value: Value::of(&R::cycle(at.board)), proof: Proof::EXACT, rests_on })
    }

    /// The evaluation, but never outside what the seeds allow.
    fn estimate(&self, board: Board, least: Value, most: Value) -> Found {
        let value = evaluate::<R>(board, self.weights).clamp(least, most);
        Found::certain(value, Proof { at_least: value == least, at_most: value == most })
    }

    /// The key of a board in the table. Equal boards of two rule sets are two positions.
    pub fn key(&self, board: Board) -> u64 {
        self.zobrist.keys(board).key() ^ (R::VARIANT as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }

    fn has_to_stop(&mut self) -> bool {
        if self.nodes >= self.next_poll && !self.stopped {
            self.stopped = self.nodes >= self.node_limit || self.may_stop && self.observer.stop(self.nodes);
            self.next_poll = self.node_limit.min(self.nodes + POLL);
        }
        self.stopped
    }

    /// Tries one move of the root.
    pub fn try_root_move(&mut self, at: At, pit: Pit, progress: &mut Progress, depth: u8) {
        if let Some(child) = self.child(at, pit) {
            self.path.push(at.board);
            self.try_move(at, &child, progress, depth);
            self.path.pop();
        }
    }
}

/// Whether what was found of a board would be as certain if the board had been visited before, which ends the game.
fn holds_if_visited<R: Rules>(board: Board, found: &Found) -> bool {
    if found.proof == Proof::NONE {
        return true;
    }
    let paid = Value::of(&R::cycle(board));
    (!found.proof.at_least || paid >= found.value) && (!found.proof.at_most || paid <= found.value)
}
