//! The solver's node: whether a board gains `target` seeds by the end of the game.
//!
//! Everything here is proven, so a node is simpler than one with a horizon: a board with empty stores, a target, and a bound as
//! the answer. A node's cost is memory latency: reading a table of hundreds of MiB takes longer than making all moves. So a
//! node first computes where its children are in the table and in the endgames, and only then reads: with endgames of 24 seeds
//! that saves an eighth of the time. Boards a few seeds larger than the tablebase are searched quickly and never stored;
//! somewhat larger ones are looked up only when they are searched. Looking up all children before the first is searched
//! (enhanced transposition cutoffs: J. Schaeffer, A. Plaat, "New advances in alpha-beta searching", 1996) saves a fifth of the
//! nodes.

use super::bounds::{ProvenBounds, TableSlot, board_index};
use super::ordering::{EVALUATED, EVALUATED_BEYOND, expected_score, move_score};
use super::state::Solver;
use crate::endgames::Place;
use crate::game::{Board, Pit, Rules};
use arrayvec::ArrayVec;
use std::cmp::Reverse;

/// Seeds above the tablebase limit up to which no bounds are stored (chosen, not measured).
const NOT_STORED: u8 = 2;
/// Seeds above the tablebase limit up to which boards are looked up only when they are searched.
/// `5-0-0-6-6-1-0-6-6-5-0-7-4-2-S` takes 13.6 million nodes with it, 18.5 if every board is looked up only then.
const NOT_PROBED_EARLY: u8 = 4;

/// A board to solve: not over, with empty stores.
#[derive(Clone, Copy)]
pub(super) struct SolverNode<'a> {
    pub board: Board,
    pub seeds: u8,
    /// Its slot in the table, if computed.
    pub slot: Option<TableSlot<'a>>,
    /// The move to try first.
    pub first: Option<Pit>,
}

impl SolverNode<'_> {
    pub fn new(board: Board) -> SolverNode<'static> {
        SolverNode { board: board.without_stores(), seeds: board.seeds(), slot: None, first: None }
    }
}

/// A move of a node, seen by the side that makes it.
#[derive(Clone, Copy)]
struct Child<'a> {
    pit: Pit,
    again: bool,
    /// Seeds banked for this side, less those banked for the other.
    banks: i8,
    /// Bounds of its total gain.
    at_least: i8,
    at_most: i8,
    to: SolverNode<'a>,
    /// Its place in the endgames, if they have it.
    endgame: Option<Place<'a>>,
    score: i32,
}

impl Child<'_> {
    /// The gain that the next side to move needs for this move to gain `target`; if that is the other side, to prevent it.
    fn needs(&self, target: i8) -> i8 {
        if self.again { target - self.banks } else { self.banks - target + 1 }
    }

    /// The move's gain if the next side to move gains `next`.
    fn gains(&self, next: i8) -> i8 {
        self.banks + if self.again { next } else { -next }
    }

    /// What the endgames or the table know of the resulting node.
    fn look_up(&self) -> Option<ProvenBounds> {
        match self.endgame {
            Some(place) => place.gain().map(ProvenBounds::exact),
            None => self.to.slot.and_then(TableSlot::load),
        }
    }

    /// Sets the bounds from those of the resulting node.
    fn set_bounds(&mut self, bounds: ProvenBounds) {
        let ProvenBounds { at_least, at_most, pit } = bounds;
        let (worse, better) = if self.again { (at_least, at_most) } else { (at_most, at_least) };
        (self.at_least, self.at_most) = (self.gains(worse), self.gains(better));
        self.to.first = pit;
    }
}

type Children<'a> = ArrayVec<Child<'a>, 6>;

impl<'a, R: Rules> Solver<'_, 'a, R> {
    /// A bound of the side to move's gain: a lower bound if at least `target`, otherwise an upper bound. Meaningless if the
    /// search was stopped.
    pub(super) fn node(&mut self, node: SolverNode<'a>, target: i8, ply: usize) -> i8 {
        if self.must_stop() {
            return target;
        }
        let nodes_before = self.counters.nodes;
        self.counters.nodes += 1;
        self.counters.seldepth = self.counters.seldepth.max(ply);
        let (mut slot, mut first) = (node.slot, node.first);
        if slot.is_none() && node.seeds > self.beyond_tablebase(NOT_STORED) {
            let own = self.slot(node.board, node.seeds);
            slot = Some(own);
            if let Some(bounds) = own.load() {
                if bounds.at_least >= target {
                    return bounds.at_least;
                }
                if bounds.at_most < target {
                    return bounds.at_most;
                }
                first = bounds.pit;
            }
        }
        let shared = slot.filter(|_| self.is_shared(node.seeds));
        if let Some(slot) = shared {
            self.enter(slot, target);
        }
        let (best, pit) = self.search_children(SolverNode { first, ..node }, target, ply);
        if shared.is_some()
            && let Some(bound) = self.leave()
        {
            return bound;
        }
        if self.stop.stopped {
            return target;
        }
        if let Some(slot) = slot {
            let known = slot.load().unwrap_or(ProvenBounds::of_seeds(node.seeds));
            let bounds = if best >= target {
                ProvenBounds { at_least: best.max(known.at_least), pit, ..known }
            } else {
                ProvenBounds { at_most: best.min(known.at_most), ..known }
            };
            slot.store(
                bounds,
                self.counters.nodes - nodes_before,
                self.shared.table.transpositions.generation(),
            );
        }
        best
    }

    /// The bound from a node's moves, and the move that reaches the target, if any.
    fn search_children(&mut self, node: SolverNode<'a>, target: i8, ply: usize) -> (i8, Option<Pit>) {
        let SolverNode { board, first, .. } = node;
        let mut children = self.children(board, target);
        for child in &mut children {
            if let Some(bounds) = child.look_up() {
                child.set_bounds(bounds);
                self.counters.tablebase_hits += u64::from(child.endgame.is_some());
            }
            if child.at_least >= target {
                return (child.at_least, Some(child.pit));
            }
        }
        let failed = |child: &Child<'_>| if child.at_most < target { child.at_most } else { i8::MIN };
        let mut best = children.iter().map(failed).fold(i8::MIN, i8::max);
        children.retain(|child| child.at_most >= target);
        let known = children.iter().position(|child| Some(child.pit) == first);
        let first = usize::from(known.is_some());
        let shared = self.is_shared(node.seeds);
        let (mut index, mut deferred) = (0, 0);
        while index < children.len() {
            let end = children.len() - deferred;
            match known {
                _ if index >= end => {}
                Some(known) if index == 0 => children.swap(0, known),
                _ => self.bring_best_forward(node, &mut children[index..end], index == first),
            }
            let child = children[index];
            if shared && index > 0 && index < end && self.is_deferred(&child) {
                children[index..].rotate_left(1);
                deferred += 1;
                continue;
            }
            let found = if shared {
                self.shared_child(child, target, ply)
            } else {
                child.gains(self.node(child.to, child.needs(target), ply + 1))
            };
            if self.stop.stopped {
                return (target, None);
            }
            best = best.max(found);
            if found >= target {
                return (found, Some(child.pit));
            }
            index += 1;
        }
        (best, None)
    }

    fn is_deferred(&self, child: &Child<'_>) -> bool {
        child.to.slot.is_some_and(|slot| self.is_searched_elsewhere(slot))
    }

    /// The bound of a move of a shared node. Other threads may have proven one since it was looked up.
    fn shared_child(&mut self, mut child: Child<'a>, target: i8, ply: usize) -> i8 {
        if let Some(bounds) = child.to.slot.and_then(TableSlot::load) {
            child.set_bounds(bounds);
            if child.at_least >= target {
                return child.at_least;
            }
            if child.at_most < target {
                return child.at_most;
            }
        }
        let mark = child.to.slot.and_then(|slot| self.mark(slot));
        let found = child.gains(self.node(child.to, child.needs(target), ply + 1));
        self.unmark(mark);
        found
    }

    /// The moves of a node, bounded by the rules and the seeds. What else is known of them is being fetched.
    #[inline]
    fn children(&mut self, board: Board, target: i8) -> Children<'a> {
        let mut children = Children::new();
        for pit in R::moves(board) {
            let Some(step) = R::play(board, pit) else { continue };
            let (again, lead) = (step.again, step.board.lead());
            let to = SolverNode::new(step.board);
            let banks = if again { lead } else { -lead };
            let ending = R::ending(to.board);
            let endgame = if ending.is_none() { self.endgame(to) } else { None };
            let mut child = Child { pit, again, banks, at_least: 0, at_most: 0, to, endgame, score: 0 };
            let of_seeds = ProvenBounds::of_seeds(to.seeds);
            child.set_bounds(ending.map_or(of_seeds, |ending| ProvenBounds::exact(ending.margin())));
            if let Some(place) = endgame {
                place.prefetch();
                self.stop.poll_sooner(place.is_mapped());
            } else if child.at_least < target
                && child.at_most >= target
                && to.seeds > self.beyond_tablebase(NOT_PROBED_EARLY)
            {
                let slot = self.slot(to.board, to.seeds);
                slot.prefetch();
                child.to.slot = Some(slot);
            }
            children.push(child);
        }
        children
    }

    /// The place in the endgames of a board that is not over.
    #[inline]
    fn endgame(&self, node: SolverNode<'_>) -> Option<Place<'a>> {
        self.tablebase.limit.filter(|&limit| node.seeds <= limit)?;
        self.shared.endgames.place::<R>(node.board, node.seeds)
    }

    /// The tablebase limit plus `seeds`; 0 without a limit.
    #[inline]
    fn beyond_tablebase(&self, seeds: u8) -> u8 {
        self.tablebase.limit.map_or(0, |limit| limit + seeds)
    }

    #[inline]
    fn slot(&self, board: Board, seeds: u8) -> TableSlot<'a> {
        TableSlot::of(&self.shared.table.transpositions, board_index::<R>(board, seeds))
    }

    /// The best move of a board that the table knows.
    pub(super) fn move_in_table(&self, board: Board) -> Option<Pit> {
        self.slot(board.without_stores(), board.seeds()).load()?.pit
    }

    /// A move that gains `target`, if there is one and the search finds it.
    pub(super) fn move_that_gains(&mut self, board: Board, target: i8) -> Option<Pit> {
        let node = SolverNode { first: self.move_in_table(board), ..SolverNode::new(board) };
        let (best, pit) = self.search_children(node, target, 1);
        pit.filter(|_| best >= target && !self.stop.stopped)
    }

    /// Brings the remaining child with the highest score to the front. The first one usually suffices, so sorting would be wasted.
    fn bring_best_forward(&self, node: SolverNode<'_>, children: &mut [Child<'_>], fresh: bool) {
        if fresh && children.len() > 1 {
            for Child { pit, again, banks, to, score, .. } in &mut *children {
                *score = move_score::<R>(node.board, *pit, to.board, *again, *banks);
                if node.seeds > self.beyond_tablebase(EVALUATED_BEYOND).max(EVALUATED) {
                    *score += expected_score::<R>(self.shared.weights, to.board, *again, *banks);
                }
            }
        }
        let best = (0..children.len())
            .max_by_key(|&index| (children[index].score, Reverse(children[index].pit.index())));
        children.swap(0, best.unwrap_or(0));
    }
}
