//! One node of the tree: negamax alpha–beta with principal variation search (T. Marsland and M. Campbell, "Parallel search of
//! strongly ordered game trees", 1982), the table, and the bookkeeping of proofs.
//!
//! # Proofs
//! Every value comes with a [`Proof`]. The end of a game is proven on both sides, an estimate on neither. A node's lower bound
//! is proven if its best move's is, its upper bound if those of all moves are. No side gains more than the seeds left on the
//! board, so a majority cuts off as soon as it is safe.
//!
//! # Repetitions
//! A position that is already on the path is a leaf with the value of a cycle. That value depends on the path, and so does
//! every conclusion from it, up to the node where the cycle began (the graph-history interaction problem: `result.rs` has the
//! literature). [`NodeResult`] names, for each side of a result, the lowest ply of the path that it depends on. The table
//! stores a proof only if it depends on none, and only the move of a value that depends on the path: such a value never answers
//! another path.
//!
//! With [`Cycle::ScoreStands`] this is enough: a position's value does not depend on its past, and the side that follows a
//! proof either ends the game as the proof says or repeats a cycle that the proof allowed for.
//!
//! With [`Cycle::EndsGame`] a path that has visited one of a proof's positions before could cut the proof short. A proof counts
//! as independent of the path only if it holds for the pay-out of every position at which that could happen; positions after a
//! capture cannot have been visited.
//!
//! With [`Cycle::Impossible`] all this compiles to nothing.

use super::claims::settling_plies;
use super::frame::{Frame, MoveLoop, Window};
use super::ordering::{self, MAX_PLY, SearchOrder};
use super::reductions::{
    internal_iterative_reduction, is_estimate, late_move_reduction, reverse_futility_bound,
};
use super::result::{BEFORE_ROOT, NodeResult, PATH_INDEPENDENT};
use super::table::{Bound, Entry, proven_depth, table_key};
use super::thread::SearchThread;
use crate::evaluate::{evaluate, gain};
use crate::game::{Board, Cycle, Pit, Rules, Step};
use crate::value::{Bounds, Proof, Value, within_reach};
use arrayvec::ArrayVec;
use std::ops::ControlFlow::{Break, Continue};

/// A move of a node.
struct Child {
    pit: Pit,
    step: Step,
    /// Its table key; computed only if the table will be probed.
    key: u64,
    /// Seeds captured.
    gain: u8,
}

/// The least and the greatest value that the seeds of a board allow.
type Reach = (Value, Value);

impl<R: Rules> SearchThread<'_, R> {
    /// The value of a node at a depth, or a bound if the value is outside the window.
    fn node(&mut self, frame: Frame, window: Window, depth: u8) -> NodeResult {
        if self.must_stop() {
            return NodeResult::unproven(window.alpha);
        }
        self.enter(frame);
        if let Some(ending) = R::ending(frame.board) {
            return NodeResult::exact(Value::of(&ending));
        }
        // First, because in some rule sets the move that reaches the limit may end the game by repetition.
        if let Some(result) = self.repetition(frame) {
            return result;
        }
        if let Some(value) = self.move_limit.decides(frame.board, frame.ply) {
            return NodeResult::exact(value);
        }
        let reach = within_reach::<R>(frame.board);
        if let Some(result) = decided_by_seeds(reach, window) {
            return result;
        }
        if let Some(result) = self.probe_tablebase(frame, window) {
            return result;
        }
        if depth == 0 || frame.ply + 1 >= MAX_PLY {
            return self.leaf(frame.board, reach);
        }
        debug_assert_eq!(frame.key, self.key(frame.board, frame.ply), "the move that led here made it");
        let entry = self.probe_table(frame);
        if let Some(result) = table_cutoff(entry, window, depth) {
            return result;
        }
        if let Some(result) = self.reverse_futility(frame.board, window, depth, reach) {
            return result;
        }
        let table_move = entry.and_then(|entry| entry.pit);
        let depth = depth - internal_iterative_reduction(depth, table_move.is_some(), window.alpha);
        let first = match self.first_move(frame, window, depth, entry) {
            Continue(first) => first,
            Break(result) => return result,
        };
        let result = self.search_moves(frame, window, depth, first);
        proven_by_seeds(result, reach)
    }

    #[inline]
    fn enter(&mut self, frame: Frame) {
        self.counters.nodes += 1;
        self.counters.seldepth = self.counters.seldepth.max(frame.ply);
        self.variation.clear(frame.ply);
    }

    /// The value of a repetition: a board that is already on the path, with the same side to move and no capture since.
    #[inline]
    fn repetition(&self, frame: Frame) -> Option<NodeResult> {
        if R::CYCLE == Cycle::Impossible {
            return None;
        }
        if R::CYCLE == Cycle::ScoreStands && self.move_limit.is_near() {
            // Fewer moves are left than at the first occurrence: the limit ends play, not the repetition.
            return None;
        }
        let ply = self.path.repetition(frame.quiet_plies, frame.board)?;
        let value = Value::of(&R::cycle(frame.board));
        // A repetition either ends the game at once, or play continues.
        let settles = if R::CYCLE == Cycle::EndsGame {
            0
        } else {
            settling_plies::<R>(frame.board, frame.board.seeds())
        };
        let proof = if self.move_limit.allows(frame.ply, settles) { Proof::EXACT } else { Proof::NONE };
        Some(NodeResult { value, proof, at_least_depends_on: ply, at_most_depends_on: ply, settles })
    }

    /// The evaluation at the horizon, within the bounds that the seeds give.
    fn leaf(&self, board: Board, (least, most): Reach) -> NodeResult {
        let value = evaluate::<R>(board, self.shared.weights).clamp(least, most);
        let proof = Proof { at_least: value == least, at_most: value == most };
        NodeResult::path_independent(value, proof)
    }

    /// Reverse futility pruning: returns the evaluation without a search if it exceeds beta by more than the remaining plies
    /// are likely to change. It proves nothing.
    #[inline]
    fn reverse_futility(
        &self,
        board: Board,
        window: Window,
        depth: u8,
        (least, most): Reach,
    ) -> Option<NodeResult> {
        if !window.is_empty() {
            return None;
        }
        let bound = reverse_futility_bound::<R>(window.beta, depth)?;
        let value = evaluate::<R>(board, self.shared.weights).clamp(least, most);
        (value >= bound && is_estimate(value)).then(|| NodeResult::unproven(value))
    }

    /// Searches the moves of a node, starting with the hash move at the depth that [`SearchThread::first_move`] gives, and
    /// stores the result.
    fn search_moves(
        &mut self,
        frame: Frame,
        window: Window,
        depth: u8,
        first: Option<(Pit, u8)>,
    ) -> NodeResult {
        let mut moves = MoveLoop::new(window);
        let nodes_before = self.counters.nodes;
        self.path.push(frame.board);
        if let Some((pit, depth)) = first
            && let Some(child) = self.child(frame, pit, depth)
        {
            self.search_move(frame, &child, &mut moves, depth);
        }
        let first = first.map(|(pit, _)| pit);
        if !moves.is_cutoff() && !self.stop.stopped {
            self.search_others(frame, first, &mut moves, depth);
        }
        self.path.pop();
        if moves.best_pit.is_none() && !self.stop.stopped {
            return NodeResult::exact(Value::of(&R::stuck(frame.board)));
        }
        let before = (window.alpha, first);
        self.store_result(frame, before, &moves, (depth, self.counters.nodes - nodes_before))
    }

    /// Searches all moves of a node except `but`, by descending score, until one cuts off.
    pub fn search_others(&mut self, frame: Frame, but: Option<Pit>, moves: &mut MoveLoop, depth: u8) {
        let mut children = ArrayVec::<Child, 6>::new();
        let mut order = SearchOrder::new();
        for pit in R::moves(frame.board).filter(|pit| Some(pit) != but) {
            if let Some(child) = self.child(frame, pit, depth) {
                order.add(children.len(), self.score(frame, &child));
                children.push(child);
            }
        }
        while let Some(index) = order.next() {
            self.search_move(frame, &children[index], moves, depth);
            if moves.is_cutoff() || self.stop.stopped {
                break;
            }
        }
    }

    /// Makes a move, if the sowing ends; it will be searched one ply less deep than `depth`.
    #[inline(always)]
    fn child(&self, frame: Frame, pit: Pit, depth: u8) -> Option<Child> {
        let step = R::play(frame.board, pit)?;
        let key = if depth > 1 { self.key_on_its_way(step.board, frame.ply + 1) } else { 0 };
        Some(Child { pit, step, key, gain: gain(frame.board, step) })
    }

    #[inline]
    fn score(&self, frame: Frame, child: &Child) -> i32 {
        if child.step.again && !R::SECOND_MOVE {
            ordering::keeps_the_turn(child.pit)
        } else {
            self.ordering.score(frame.board, child.pit, child.gain, frame.ply)
        }
    }

    /// Principal variation search: the first move has the full window, the others a null window until they prove better; late
    /// ones are reduced until they fail high.
    fn search_move(&mut self, frame: Frame, child: &Child, moves: &mut MoveLoop, depth: u8) {
        let Step { board, again } = child.step;
        let quiet_plies = if child.gain > 0 { 0 } else { frame.quiet_plies + 1 };
        let below = Frame { board, key: child.key, ply: frame.ply + 1, quiet_plies };
        let window = moves.window;
        let quiet = child.gain == 0 && !again;
        let result = if moves.searched.is_empty() {
            self.search_child(below, again, window, depth - 1)
        } else {
            let searched = moves.searched.len();
            let less = if quiet { late_move_reduction::<R>(depth, searched, window.alpha) } else { 0 };
            let empty = Window::above(window.alpha);
            let mut result = self.search_child(below, again, empty, depth - 1 - less);
            if less > 0 && result.value > window.alpha && !self.stop.stopped {
                result = self.search_child(below, again, empty, depth - 1);
            }
            if result.value > window.alpha && result.value < window.beta && !self.stop.stopped {
                result = self.search_child(below, again, window, depth - 1);
            }
            result
        };
        if self.stop.stopped {
            return;
        }
        if moves.add(child.pit, result) {
            if !window.is_empty() {
                self.variation.update(frame.ply, child.pit);
            }
            if quiet && moves.is_cutoff() {
                let in_vain = &moves.searched[..moves.searched.len() - 1];
                self.ordering.quiet_cutoff(frame.board, child.pit, in_vain, frame.ply, depth);
            }
        }
    }

    /// The result of a child, seen by the side that moved there.
    fn search_child(&mut self, frame: Frame, again: bool, window: Window, depth: u8) -> NodeResult {
        let mut result = self.node(frame, window.seen_by_child(again), depth);
        if R::CYCLE == Cycle::EndsGame && frame.quiet_plies > 0 && result.proof != Proof::NONE {
            // A path that has visited the board before ends the game here with the pay-out of a repetition.
            let paid = Value::of(&R::cycle(frame.board));
            if result.proof.at_least && paid < result.value {
                result.at_least_depends_on = BEFORE_ROOT;
            }
            if result.proof.at_most && paid > result.value {
                result.at_most_depends_on = BEFORE_ROOT;
            }
        }
        result.seen_by_parent(again)
    }

    /// The result of a searched node; the table stores the part that holds on every path.
    fn store_result(
        &mut self,
        frame: Frame,
        (alpha, table_move): (Value, Option<Pit>),
        moves: &MoveLoop,
        (depth, nodes): (u8, u64),
    ) -> NodeResult {
        let (bound, proof) = if moves.is_cutoff() {
            (Bound::Lower, Proof { at_most: false, ..moves.proof })
        } else if moves.best > alpha {
            (Bound::Exact, moves.proof)
        } else {
            (Bound::Upper, Proof { at_least: false, ..moves.proof })
        };
        let result = moves.result(proof, frame.ply);
        if !self.stop.stopped {
            let path_dependent = bound != Bound::Upper && result.at_least_depends_on != PATH_INDEPENDENT
                || bound != Bound::Lower && result.at_most_depends_on != PATH_INDEPENDENT;
            // All moves failed low: the old hash move remains the best guess, while the first of the equally bad moves is no
            // guess at all. Forgetting it lost 42 ± 29 Elo in `awari` and 50 ± 33 in `oware` at 20,000 nodes a move.
            let pit = if bound == Bound::Upper { table_move } else { moves.best_pit };
            let depth = if path_dependent { 0 } else { depth };
            let proof = result.path_independent_proof();
            let entry = Entry { value: result.value, bound, proof, depth, pit, settles: result.settles };
            let depth = if entry.is_proven() { proven_depth(nodes) } else { depth };
            self.store_in_table(frame, Entry { depth, ..entry });
        }
        result
    }

    /// The table key of a board at a ply; prefetches its slot.
    #[inline]
    fn key_on_its_way(&self, board: Board, ply: usize) -> u64 {
        let key = self.key(board, ply);
        self.shared.table.transpositions.prefetch(key);
        key
    }

    #[inline]
    fn key(&self, board: Board, ply: usize) -> u64 {
        table_key::<R>(self.shared.zobrist, board, self.move_limit.key(ply))
    }

    /// The entry of a node. Of a proof that comes too late for the move limit only the move is left.
    #[inline]
    pub fn probe_table(&self, Frame { board, key, ply, .. }: Frame) -> Option<Entry> {
        let entry = self.shared.table.transpositions.probe(key)?;
        let value = if R::LEAD_ADDS { entry.value.with_lead(board.lead()) } else { entry.value };
        if entry.proof != Proof::NONE && !self.move_limit.allows(ply, entry.settles) {
            return Some(Entry { value, proof: Proof::NONE, depth: 0, ..entry });
        }
        Some(Entry { value, ..entry })
    }

    /// Stores an entry for a board.
    #[inline]
    pub fn store_in_table(&self, Frame { board, key, .. }: Frame, entry: Entry) {
        let value =
            if R::LEAD_ADDS { entry.value.without_lead(entry.proof, board.lead()) } else { entry.value };
        self.shared.table.transpositions.store(key, Entry { value, ..entry });
    }

    /// The path-independent bounds that the table has of a move of the root. There are none for a visited board where a
    /// repetition ends the game.
    pub fn recall_bounds(&self, root: Frame, pit: Pit) -> Option<Bounds> {
        let Step { board, again } = R::play(root.board, pit)?;
        if R::CYCLE == Cycle::EndsGame && self.path.comes_back(root.quiet_plies, board) {
            return None;
        }
        let entry = self.probe_table(self.frame_of(board, root.ply + 1))?;
        Some(entry.bounds().before_move(again))
    }

    /// A move that wins at least `least`, if the table still has the proof.
    pub fn winning_move(&self, frame: Frame, least: Value) -> Option<Pit> {
        let wins = |bounds: Bounds| bounds.at_least >= least;
        let own = self.probe_table(frame).filter(|entry| wins(entry.bounds()));
        own.and_then(|entry| entry.pit).or_else(|| {
            let found = |&pit: &Pit| self.recall_bounds(frame, pit).is_some_and(wins);
            R::moves(frame.board).into_iter().find(found)
        })
    }

    /// A board at a ply, outside the search of a tree.
    pub fn frame_of(&self, board: Board, ply: usize) -> Frame {
        Frame { board, key: self.key(board, ply), ply, quiet_plies: 0 }
    }

    /// Searches one move of the root.
    pub fn search_root_move(&mut self, root: Frame, pit: Pit, moves: &mut MoveLoop, depth: u8) {
        if let Some(child) = self.child(root, pit, depth) {
            self.path.push(root.board);
            self.search_move(root, &child, moves, depth);
            self.path.pop();
        }
    }
}

/// A bound, if the seeds left cannot bring the value inside the window.
#[inline]
fn decided_by_seeds((least, most): Reach, window: Window) -> Option<NodeResult> {
    if most <= window.alpha {
        return Some(NodeResult::path_independent(most, Proof::AT_MOST));
    }
    if least >= window.beta {
        return Some(NodeResult::path_independent(least, Proof::AT_LEAST));
    }
    None
}

/// Adds the proofs that the seeds alone give to a result.
#[inline]
fn proven_by_seeds(mut result: NodeResult, (least, most): Reach) -> NodeResult {
    result.proof.at_most |= result.value >= most;
    result.proof.at_least |= result.value <= least;
    result
}

/// The table's answer instead of a search, if it has one. A node of the principal variation is searched unless its value is
/// exact: a line to show is needed.
#[inline]
fn table_cutoff(entry: Option<Entry>, window: Window, depth: u8) -> Option<NodeResult> {
    let entry = entry.filter(|entry| entry.answers(window.alpha, window.beta, depth))?;
    (window.is_empty() || entry.proof.is_exact())
        .then(|| NodeResult::settling(entry.value, entry.proof, entry.settles))
}
