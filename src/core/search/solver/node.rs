//! The nodes of the solver: whether a board gains so much, to the end of the game.
//!
//! Everything is proven here, so a node is simpler than one that looks ahead: a board with empty stores, a number of
//! seeds to gain, and the answer as a bound. What a node costs is memory: a table of hundreds of MiB takes longer to
//! answer than all moves take to make. So a node first works out where the proven bounds of its children would be, and
//! only then looks. Boards with a few seeds more than the endgame tablebase has are searched in no time and not looked up
//! at all, and those with some more only when they are searched. Asking about all children before any is searched
//! (enhanced transposition cutoffs: J. Schaeffer, A. Plaat, "New advances in alpha-beta searching", 1996) saves a fifth of
//! the nodes.

use super::bounds::{ProvenBounds, TableSlot, board_index};
use super::ordering::move_score;
use super::state::Solver;
use crate::game::{Board, Pit, Rules};
use crate::value::CENTISEEDS;
use arrayvec::ArrayVec;
use std::cmp::Reverse;

/// Boards with no more seeds than the tablebase limit and these have no proven bounds stored (chosen, not measured).
const NOT_STORED: u8 = 2;
/// Boards with no more seeds than the tablebase limit and these are looked up only when they are searched. With it
/// `5-0-0-6-6-1-0-6-6-5-0-7-4-2-S` takes 13.6 million nodes; 18.5 if every board is looked up only then.
const NOT_PROBED_EARLY: u8 = 4;

/// A board to solve: it is not over, and its stores are empty.
#[derive(Clone, Copy)]
pub(super) struct SolverNode<'a> {
    pub board: Board,
    pub seeds: u8,
    /// Where its proven bounds are in the table, if that has been worked out.
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
    /// Seeds that it banks, less those that it banks for the other side.
    banks: i8,
    /// What it gains in all, at least and at most.
    at_least: i8,
    at_most: i8,
    /// The node that it leads to.
    to: SolverNode<'a>,
    /// Its move-ordering score.
    score: i32,
}

impl Child<'_> {
    /// What the side to move next has to gain so that this gains so much, or, if that is the other side, so that it
    /// does not.
    fn needs(&self, target: i8) -> i8 {
        if self.again { target - self.banks } else { self.banks - target + 1 }
    }

    /// What it gains if the side to move next gains so much.
    fn gains(&self, next: i8) -> i8 {
        self.banks + if self.again { next } else { -next }
    }

    /// Takes in what is proven of the node that it leads to.
    fn set_bounds(&mut self, bounds: ProvenBounds) {
        let ProvenBounds { at_least, at_most, pit } = bounds;
        let (worse, better) = if self.again { (at_least, at_most) } else { (at_most, at_least) };
        (self.at_least, self.at_most) = (self.gains(worse), self.gains(better));
        self.to.first = pit;
    }
}

type Children<'a> = ArrayVec<Child<'a>, 6>;

impl<'a, R: Rules> Solver<'_, 'a, R> {
    /// Whether the side to move can gain so much: a bound of its gain, from below if that is no less than the target,
    /// otherwise from above. If the search was stopped it says nothing.
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
        let (best, pit) = self.search_children(node.board, target, ply, first);
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

    /// The bound that the moves of a node give, and the move that gives it if it is enough.
    fn search_children(
        &mut self,
        board: Board,
        target: i8,
        ply: usize,
        first: Option<Pit>,
    ) -> (i8, Option<Pit>) {
        let mut children = self.children(board, target);
        for child in &mut children {
            if let Some(bounds) = child.to.slot.and_then(TableSlot::load) {
                child.set_bounds(bounds);
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
        for index in 0..children.len() {
            match known {
                Some(known) if index == 0 => children.swap(0, known),
                _ => bring_best_forward::<R>(board, &mut children[index..], index == first),
            }
            let child = children[index];
            let found = child.gains(self.node(child.to, child.needs(target), ply + 1));
            if self.stop.stopped {
                return (target, None);
            }
            best = best.max(found);
            if found >= target {
                return (found, Some(child.pit));
            }
        }
        (best, None)
    }

    /// The moves of a node, and what the rules, the seeds and the endgame tablebase say of them.
    #[inline]
    fn children(&mut self, board: Board, target: i8) -> Children<'a> {
        let mut children = Children::new();
        for pit in R::moves(board) {
            let Some(step) = R::play(board, pit) else { continue };
            let (again, lead) = (step.again, step.board.lead());
            let to = SolverNode::new(step.board);
            let banks = if again { lead } else { -lead };
            let mut child = Child { pit, again, banks, at_least: 0, at_most: 0, to, score: 0 };
            if let Some(gain) = self.known_gain(to) {
                child.set_bounds(ProvenBounds { at_least: gain, at_most: gain, pit: None });
            } else {
                child.set_bounds(ProvenBounds::of_seeds(to.seeds));
                let open = child.at_least < target && child.at_most >= target;
                if open && to.seeds > self.beyond_tablebase(NOT_PROBED_EARLY) {
                    let slot = self.slot(to.board, to.seeds);
                    slot.prefetch();
                    child.to.slot = Some(slot);
                }
            }
            children.push(child);
        }
        children
    }

    /// The gain of a board that is over or that the endgame tablebase knows.
    #[inline]
    fn known_gain(&mut self, node: SolverNode<'_>) -> Option<i8> {
        if let Some(ending) = R::ending(node.board) {
            return Some(ending.margin());
        }
        if self.tablebase.limit.is_none_or(|limit| node.seeds > limit) {
            return None;
        }
        self.stop.poll_sooner(self.shared.endgames.is_mapped::<R>(node.seeds));
        let score = self.shared.endgames.probe::<R>(node.board, node.seeds)?;
        self.counters.tablebase_hits += 1;
        Some((score.value.centiseeds() / CENTISEEDS) as i8)
    }

    /// So many seeds more than the tablebase limit.
    #[inline]
    fn beyond_tablebase(&self, seeds: u8) -> u8 {
        self.tablebase.limit.map_or(0, |limit| limit + seeds)
    }

    /// Where the proven bounds of a board are in the table.
    #[inline]
    fn slot(&self, board: Board, seeds: u8) -> TableSlot<'a> {
        TableSlot::of(&self.shared.table.transpositions, board_index::<R>(board, seeds))
    }

    /// A move of a board that gains so much, if one does and is found.
    pub(super) fn move_that_gains(&mut self, board: Board, target: i8) -> Option<Pit> {
        let known = self.slot(board.without_stores(), board.seeds()).load();
        let first = known.and_then(|bounds| bounds.pit);
        let (best, pit) = self.search_children(board.without_stores(), target, 1, first);
        pit.filter(|_| best >= target && !self.stop.stopped)
    }
}

/// Brings the child with the highest score to the front of those that are left. Mostly the first is enough, so nothing is
/// sorted.
fn bring_best_forward<R: Rules>(board: Board, children: &mut [Child<'_>], fresh: bool) {
    if fresh && children.len() > 1 {
        for child in &mut *children {
            child.score = move_score::<R>(board, child.pit, child.to.board, child.again, child.banks);
        }
    }
    let best = (0..children.len())
        .max_by_key(|&index| (children[index].score, Reverse(children[index].pit.index())));
    children.swap(0, best.unwrap_or(0));
}
