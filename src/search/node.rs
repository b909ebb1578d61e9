//! One node of the tree: negamax with alpha and beta, principal variation search (Marsland and Campbell, "Parallel
//! search of strongly ordered game trees", 1982), the table, and the bookkeeping of what is certain.
//!
//! # What is certain
//! Every value comes with a [`Proof`]. The end of a game is certain on both sides, an estimate on neither. A node can
//! be sure to get a value if its best move is sure to; it can be sure to get no more if that is sure of every move.
//! Nobody can gain more than is left on the board, so a majority cuts off as soon as nothing can change it.
//!
//! # Positions that come back
//! A position that stands on the path already is a leaf with the value of a cycle. That value hangs on the path, and
//! with it whatever was concluded from it, up to the node where the cycle began. [`Found`] says for each side of a
//! result how far down the path it hangs. The table keeps a proof only if that is nowhere, and of a value that hangs on
//! the path only its move: another path is never answered with it.
//!
//! Where the score stands ([`Cycle::ScoreStands`]) nothing else is needed: there a position's worth does not depend on
//! its past, and the side that follows a proof either ends the game as the proof says or goes round in a cycle that
//! the proof allowed for.
//!
//! Where a repetition ends the game ([`Cycle::EndsGame`]) a proof found on one path could be cut short on another
//! that has visited one of its positions before. It is only called independent of the path if it holds for the pay-out
//! of every position that such a visit could end it at; positions after a capture cannot have been visited.
//!
//! Where nothing comes back ([`Cycle::Impossible`]) all this compiles to nothing.

use super::ordering::{Memory, PLIES};
use super::result::{Found, HISTORY, Progress};
use super::smp::Team;
use super::table::{Bound, Entry, Table, certainty};
use super::{Given, Observer, ordering, pv::PrincipalVariation, reductions, reductions::is_estimate};
use crate::endgame::Endgames;
use crate::evaluate::{Weights, evaluate, gain};
use crate::game::{Board, Cycle, Pit, Rules, Step, Zobrist, came_back};
use crate::value::{Proof, Value, within_reach};
use arrayvec::ArrayVec;
use std::marker::PhantomData;

/// Nodes between two looks at the clock.
const POLL: u64 = 256;

/// Where in the tree a node is.
#[derive(Clone, Copy)]
pub(super) struct At {
    pub board: Board,
    pub ply: usize,
    /// How many boards of the path lie between this one and the last capture.
    pub quiet: usize,
}

/// A move of a node.
struct Child {
    pit: Pit,
    step: Step,
    gain: u8,
    promise: i32,
}

/// A search under the rules `R`, on one thread.
pub(super) struct Worker<'a, R> {
    pub table: &'a Table,
    pub endgames: &'static Endgames,
    /// Boards with at most so many seeds are looked up, if any are.
    pub covered: Option<u8>,
    /// No boards with more seeds are looked up.
    pub most_covered: u8,
    /// Which endgames are there from the beginning.
    pub given: Given,
    /// The seeds and the worth of a root that the endgames know, and that is to be brought about.
    pub goal: Option<(u8, Value)>,
    pub weights: &'a Weights,
    pub zobrist: &'static Zobrist,
    pub observer: &'a mut dyn Observer,
    pub memory: Memory,
    pub variation: PrincipalVariation,
    /// The other threads, if there are any.
    pub team: Option<&'a Team>,
    /// The iteration that a quicker thread may take over.
    pub aim: u8,
    /// A quicker thread has.
    pub overtaken: bool,
    /// The boards that led here, those before the root first.
    pub path: Vec<Board>,
    /// Where the root stands in the path.
    pub root: usize,
    pub nodes: u64,
    pub hits: u64,
    pub node_limit: u64,
    pub next_poll: u64,
    /// When solving looks again whether larger endgames are worth their cost.
    pub next_growth: u64,
    pub deepest: usize,
    pub stopped: bool,
    /// The first iteration is not stopped, but for the limit of nodes: a few nodes, and there is something to say.
    pub may_stop: bool,
    /// Endgames are built in the middle of the tree.
    pub solving: bool,
    pub rules: PhantomData<R>,
}

impl<R: Rules> Worker<'_, R> {
    /// The value of a node between alpha and beta, or a bound of it, after so many plies.
    fn node(&mut self, at: At, alpha: Value, beta: Value, depth: u8) -> Found {
        if self.has_to_stop() {
            return Found::free(alpha, Proof::NONE);
        }
        self.nodes += 1;
        self.deepest = self.deepest.max(at.ply);
        self.variation.clear(at.ply);
        if let Some(ending) = R::ending(at.board) {
            return Found::free(Value::of(&ending), Proof::EXACT);
        }
        if let Some(found) = self.cycle(at) {
            return found;
        }
        let (least, most) = within_reach::<R>(at.board);
        if most <= alpha {
            return Found::free(most, Proof { at_least: false, at_most: true });
        }
        if least >= beta {
            return Found::free(least, Proof { at_least: true, at_most: false });
        }
        if let Some(found) = self.look_up(at, alpha, beta) {
            return found;
        }
        if depth == 0 || at.ply + 1 >= PLIES {
            return self.estimate(at.board, least, most);
        }
        let key = self.key(at.board);
        let entry = self.known(key, at.board);
        if let Some(entry) = entry
            && entry.answers(alpha, beta, depth)
            && (beta == alpha.next() || entry.proof.is_exact())
        {
            return Found::free(entry.value, entry.proof);
        }
        if let Some(found) = self.stands_well(at.board, (alpha, beta), depth, (least, most)) {
            return found;
        }
        let mut found = self.moves(at, key, (alpha, beta), depth, entry.and_then(|entry| entry.pit));
        found.proof.at_most |= found.value >= most;
        found.proof.at_least |= found.value <= least;
        found
    }

    /// The evaluation in place of a search of a few plies, if it is better than beta by more than they are likely to
    /// change (reverse futility pruning, also called static null move). It proves nothing.
    ///
    /// Against none, 10,000 nodes a move: `awari` +60 ± 46 Elo, `oware` +94 ± 43 to depth 4; to depth 7 another +37 ± 36
    /// and +44 ± 40.
    #[inline]
    fn stands_well(
        &self,
        board: Board,
        (alpha, beta): (Value, Value),
        depth: u8,
        (least, most): (Value, Value),
    ) -> Option<Found> {
        if beta != alpha.next() {
            return None;
        }
        let enough = reductions::enough(beta, depth)?;
        let value = evaluate::<R>(board, self.weights).clamp(least, most);
        (value >= enough && is_estimate(value)).then(|| Found::free(value, Proof::NONE))
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
        let before = self.nodes;
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
        if progress.best_pit.is_none() && !self.stopped {
            return Found::free(Value::of(&R::stuck(at.board)), Proof::EXACT);
        }
        self.close(at, key, alpha, &progress, (depth, self.nodes - before))
    }

    /// The result of a node whose moves have been tried.
    fn close(
        &mut self,
        at: At,
        key: u64,
        alpha: Value,
        progress: &Progress,
        (depth, nodes): (u8, u64),
    ) -> Found {
        let (bound, proof) = if progress.is_cut() {
            (Bound::AtLeast, Proof { at_most: false, ..progress.proof })
        } else if progress.best > alpha {
            (Bound::Exact, progress.proof)
        } else {
            (Bound::AtMost, Proof { at_least: false, ..progress.proof })
        };
        let found = progress.found(proof, at.ply);
        if !self.stopped {
            let hangs = bound != Bound::AtMost && found.least_rests_on != super::result::FREE
                || bound != Bound::AtLeast && found.most_rests_on != super::result::FREE;
            let pit = if bound == Bound::AtMost { None } else { progress.best_pit };
            let depth = if hangs { 0 } else { depth };
            let entry = Entry { value: found.value, bound, proof: found.free_proof(), depth, pit };
            let depth = if entry.is_certain() { certainty(nodes) } else { depth };
            self.remember(key, at.board, Entry { depth, ..entry });
        }
        found
    }

    /// A move made, if the sowing ends.
    fn child(&self, at: At, pit: Pit) -> Option<Child> {
        let step = R::play(at.board, pit)?;
        let gain = gain(at.board, step);
        let promise = if step.again && !R::SECOND_MOVE {
            ordering::again(pit)
        } else {
            self.memory.promise(at.board, pit, gain, at.ply)
        };
        Some(Child { pit, step, gain, promise })
    }

    /// Searches a move: the first of a node with the whole window, the others with an empty one until they prove
    /// better, and unlikely ones less deep until they surprise.
    fn try_move(&mut self, at: At, child: &Child, progress: &mut Progress, depth: u8) {
        let Step { board, again } = child.step;
        let quiet = if child.gain > 0 { 0 } else { at.quiet + 1 };
        let below = At { board, ply: at.ply + 1, quiet };
        let (alpha, beta) = (progress.alpha, progress.beta);
        let found = if progress.tried.is_empty() {
            self.below(below, again, alpha, beta, depth - 1)
        } else {
            let quiet = child.gain == 0 && !again;
            let less = if quiet { reductions::late(depth, progress.tried.len(), alpha) } else { 0 };
            let mut found = self.below(below, again, alpha, alpha.next(), depth - 1 - less);
            if less > 0 && found.value > alpha && !self.stopped {
                found = self.below(below, again, alpha, alpha.next(), depth - 1);
            }
            if found.value > alpha && found.value < beta && !self.stopped {
                found = self.below(below, again, alpha, beta, depth - 1);
            }
            found
        };
        if self.stopped {
            return;
        }
        let in_window = alpha.next() < beta;
        if progress.take(child.pit, found) {
            if in_window {
                self.variation.lead_with(at.ply, child.pit);
            }
            if progress.is_cut() && child.gain == 0 && !again {
                let vain = &progress.tried[..progress.tried.len() - 1];
                self.memory.refuted(at.board, child.pit, vain, at.ply, depth);
            }
        }
    }

    /// The result of a node, seen by the side that moved there.
    fn below(&mut self, at: At, again: bool, alpha: Value, beta: Value, depth: u8) -> Found {
        let (low, high) = if again { (alpha, beta) } else { (beta.turned(), alpha.turned()) };
        let mut found = self.node(at, low, high, depth);
        if R::CYCLE == Cycle::EndsGame && at.quiet > 0 && found.proof != Proof::NONE {
            // What was found may not be certain on a path that has visited the board before, which ends the game.
            let paid = Value::of(&R::cycle(at.board));
            if found.proof.at_least && paid < found.value {
                found.least_rests_on = HISTORY;
            }
            if found.proof.at_most && paid > found.value {
                found.most_rests_on = HISTORY;
            }
        }
        found.seen_from_above(again)
    }

    /// The value of a board that stands on the path already, with the same side to move and no capture since.
    fn cycle(&self, at: At) -> Option<Found> {
        if R::CYCLE == Cycle::Impossible {
            return None;
        }
        let began = came_back(&self.path, at.quiet, at.board)?;
        let ply = if began < self.root { HISTORY } else { (began - self.root) as i16 };
        let value = Value::of(&R::cycle(at.board));
        Some(Found { value, proof: Proof::EXACT, least_rests_on: ply, most_rests_on: ply })
    }

    /// The evaluation, but never outside what the seeds allow.
    fn estimate(&self, board: Board, least: Value, most: Value) -> Found {
        let value = evaluate::<R>(board, self.weights).clamp(least, most);
        Found::free(value, Proof { at_least: value == least, at_most: value == most })
    }

    /// The key of a board in the table: without the stores where these only add to what the pits decide, so that one
    /// entry serves every lead. Equal boards of two rule sets are two positions.
    #[inline]
    pub fn key(&self, board: Board) -> u64 {
        let board = if R::LEAD_ADDS { board.without_stores() } else { board };
        self.zobrist.keys(board).key() ^ (R::VARIANT as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }

    /// What the table knows of a board.
    #[inline]
    pub fn known(&self, key: u64, board: Board) -> Option<Entry> {
        let entry = self.table.probe(key)?;
        let value = if R::LEAD_ADDS { entry.value.with_lead(board.lead()) } else { entry.value };
        Some(Entry { value, ..entry })
    }

    /// Puts into the table what is known of a board.
    #[inline]
    pub fn remember(&self, key: u64, board: Board, entry: Entry) {
        let value =
            if R::LEAD_ADDS { entry.value.without_lead(entry.proof, board.lead()) } else { entry.value };
        self.table.store(key, Entry { value, ..entry });
    }

    pub(super) fn has_to_stop(&mut self) -> bool {
        if self.nodes >= self.next_poll && !self.stopped {
            self.stopped = self.nodes >= self.node_limit || self.may_stop && self.observer.stop(self.nodes);
            self.overtaken = !self.stopped && self.may_stop && self.is_overtaken();
            self.stopped |= self.overtaken;
            self.next_poll = self.node_limit.min(self.nodes + POLL);
            if self.solving && self.nodes >= self.next_growth {
                self.grow_endgames();
            }
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
