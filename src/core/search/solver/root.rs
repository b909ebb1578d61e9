//! The solver at the root: the exact value of its moves, and the line to show.

use super::aim::Aim;
use super::bounds::{ProvenBounds, max_seeds};
use super::node::SolverNode;
use super::solution::Solution;
use super::state::Solver;
use crate::game::{Board, Cycle, Pit, Position, Rules};
use crate::search::claims::{MoveLimit, settling_plies};
use crate::search::frame::Line;
use crate::search::joint_proof::{Claim, ClaimAnswer};
use crate::search::request::Request;
use crate::search::root::Root;
use crate::search::smp::SmpState;
use crate::search::thread::SearchThread;
use crate::under;
use crate::value::{Question, Value, by_margin};

/// Least depth in plies before the solver starts: below it the best move is too uncertain a guide. From 4 to 10 the nodes to a
/// proof are the same.
const MIN_DEPTH: u8 = 6;
/// Nodes for the solver in an ordinary search, in percent of those of iterative deepening. Chosen, not measured; with it
/// `awari1978` is solved from the start in 0.6 to 0.8 s (commit 06352f7).
const SHARE: u64 = 25;
/// The share in an analysis: no move is pending, so ten of eleven nodes go to the solver (chosen, not measured).
const SHARE_OF_ANALYSIS: u64 = 1000;
/// The solver's share in an ordinary search when it is likely to suffice, in percent of the nodes of iterative deepening: then
/// the position is solved soon, or hardly later than without it. 150 positions of `kalah` with 32 seeds or fewer took 1.9
/// million nodes, and 6.1 million with 25 throughout; 1000 gains nothing.
const SHARE_THAT_SUFFICES: u64 = 400;
/// The least depth where the solver gets most of the nodes (chosen, not measured).
const MIN_DEPTH_OF_ANALYSIS: u8 = 16;
/// Sixteenths of the table for proven bounds, where a game can be solved. The same in every kind of search, so that the
/// following moves can use an analysis.
const TABLE_SHARE: usize = 12;
/// Nodes to find the rest of an exact line: this minimum, or one in `NODES_FOR_LINE` of those that the value took (both chosen,
/// not measured).
const MIN_NODES_FOR_LINE: u64 = 1000;
const NODES_FOR_LINE: u64 = 50;

/// Whether the solver can solve positions with `seeds` seeds in the pits.
fn can_solve<R: Rules>(seeds: u8) -> bool {
    R::LEAD_ADDS && matches!(R::CYCLE, Cycle::Impossible) && seeds <= max_seeds::<R>()
}

/// Whether the solver can solve a position, given time.
pub fn takes(position: &Position) -> bool {
    under!(position.variant(), R => can_solve::<R>(position.board().seeds()))
}

/// The solution of the first plies, if the search may use it and the game is long enough.
fn solution<R: Rules>(request: &Request) -> Option<&'static Solution> {
    let board = request.position().board();
    let is_usable =
        request.solution && MoveLimit::new(request).allows(0, settling_plies::<R>(board, board.seeds()));
    if is_usable { Solution::built_in::<R>() } else { None }
}

/// Adds what the solution knows of the root's moves, unless it knows the value: then the solver soon has the line, too.
pub fn add_known<R: Rules>(request: &Request, root: &mut Root) {
    let board = root.frame.board;
    let Some(solution) = solution::<R>(request) else { return };
    if root.multipv == 1 && solution.gain(board).is_some() {
        return;
    }
    let plies = settling_plies::<R>(board, board.seeds());
    for index in 0..root.moves.len() {
        let Some(step) = R::play(board, root.moves[index].pit) else { continue };
        let Some(known) = solution.bounds(step.board) else { continue };
        root.add_bounds(index, known.of_board(step.board.lead(), plies).before_move(step.again));
    }
}

/// Sixteenths of the table for proven bounds.
pub fn table_share<R: Rules>() -> usize {
    if can_solve::<R>(R::SEEDS.min(max_seeds::<R>())) { TABLE_SHARE } else { 0 }
}

/// The nodes for the solver, in percent of those of the main thread, after `nodes` nodes of all threads from a root with `seeds`
/// seeds.
fn solver_share(request: &Request, nodes: u64, seeds: u8) -> u64 {
    let suffices = nodes.saturating_mul(SHARE_THAT_SUFFICES) / 100 >= likely_nodes(seeds);
    match request.is_analysis() {
        true => SHARE_OF_ANALYSIS,
        false if suffices => SHARE_THAT_SUFFICES,
        false => SHARE,
    }
}

/// Nodes that are likely to solve a position with `seeds` seeds: eightfold for every five seeds, fitted by eye to 350 positions
/// of `kalah` and `awari1978` (medians of 3,000 with 24 seeds, 78,000 with 30, 0.7 million with 36).
fn likely_nodes(seeds: u8) -> u64 {
    1 << (u32::from(seeds) * 3 / 5).saturating_sub(3)
}

/// Tries to find the exact values of all requested lines after an iteration, with a share of the nodes so far; returns whether
/// it did.
pub fn try_to_solve<R: Rules>(thread: &mut SearchThread<'_, R>, root: &mut Root, depth: u8) -> bool {
    let request = thread.shared.request;
    let is_known = solution::<R>(request).is_some_and(|solution| solution.gain(root.frame.board).is_some());
    let min_depth = if is_known {
        1
    } else if request.is_analysis() {
        MIN_DEPTH_OF_ANALYSIS
    } else {
        MIN_DEPTH
    };
    let (board, seeds) = (root.frame.board, root.frame.board.seeds());
    let is_in_time = thread.move_limit.allows(0, settling_plies::<R>(board, seeds));
    let can_solve = can_solve::<R>(seeds) && is_in_time && request.solver;
    if !can_solve || depth < min_depth {
        return false;
    }
    let nodes = thread.counters.nodes;
    let all = nodes + thread.shared.smp.map_or(0, SmpState::helper_nodes);
    let share = solver_share(request, all, seeds);
    let least = if is_known { MIN_NODES_FOR_LINE } else { 0 };
    let limit = thread.stop.node_limit.min(nodes + least.max(nodes.saturating_mul(share) / 100));
    let before = root.moves.clone();
    let mut solver = Solver::new(thread, limit);
    solver.shares = share > SHARE;
    let solved = (0..root.multipv).all(|line| solver.solve_line(root, line));
    let Solver { counters, tablebase, stop, .. } = solver;
    let stopped = stop.stopped;
    (thread.counters, thread.tablebase) = (counters, tablebase);
    if !solved {
        root.moves = before;
    }
    // The solver may have stopped at its share, not at the search's limit.
    let nodes = thread.counters.nodes;
    thread.stop.stopped = stopped && (nodes >= thread.stop.node_limit || thread.stop.observer.stop(nodes));
    thread.stop.next_poll = 0;
    solved
}

/// The answer to a claim: see [`prove`](crate::search::prove).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Proven {
    /// A bound of the margin, in seeds: at least this if it reaches the target, otherwise at most this. `None` if the search was
    /// stopped.
    pub bound: Option<i8>,
    /// The move that reaches the target, if one does.
    pub pit: Option<Pit>,
    /// Nodes visited.
    pub nodes: u64,
}

/// Proves whether one of the requested moves reaches the margin `target`.
pub fn prove<R: Rules>(thread: &mut SearchThread<'_, R>, target: i8) -> Proven {
    let mut root = Root::new::<R>(thread.shared.request);
    thread.stop.interruptible = true;
    let mut solver = Solver::new(thread, thread.stop.node_limit);
    solver.shares = true;
    let first = solver.move_in_table(root.frame.board);
    bring_forward(&mut root, first);
    let known = solution::<R>(solver.shared.request).and_then(|known| known.bounds(root.frame.board));
    bring_forward(&mut root, known.and_then(|known| known.pit));
    let bound = solver.root_reaches(&mut root, 0, target);
    let pit = bound.filter(|&bound| bound >= target).map(|_| root.best().pit);
    Proven { bound, pit, nodes: solver.counters.nodes }
}

/// Brings a move of the root, if it is there, to the front.
fn bring_forward(root: &mut Root, pit: Option<Pit>) {
    if let Some(index) = root.moves.iter().position(|mv| Some(mv.pit) == pit) {
        root.moves[..=index].rotate_right(1);
    }
}

impl<R: Rules> Solver<'_, '_, R> {
    /// The exact value of the best of the root's moves from an index on; the move is brought there.
    fn solve_line(&mut self, root: &mut Root, index: usize) -> bool {
        if root.is_solved(index) {
            return true;
        }
        let (nodes_before, board) = (self.counters.nodes, root.frame.board);
        let plies = settling_plies::<R>(board, board.seeds());
        let bounds = ProvenBounds::of_seeds(board.seeds()).of_board(board.lead(), plies);
        let guess = root.value(index).unwrap_or(Value::DRAW).rounded_seeds();
        let mut aim = Aim { bounds, guess };
        if index == 0
            && !root.restricted
            && let Some(known) = solution::<R>(self.shared.request).and_then(|known| known.bounds(board))
        {
            // Of the value at least known only the move is missing.
            aim.bounds.at_most = by_margin(board.lead() + known.at_most);
            aim.guess = aim.guess.max(board.lead() + known.at_least);
            bring_forward(root, known.pit);
        }
        while let Some(target) = aim.target(Question::Value) {
            let Some(found) = self.root_reaches(root, index, target) else { return false };
            aim.learn(target, found);
        }
        let (value, took) = (aim.bounds.at_least, self.counters.nodes - nodes_before);
        root.set_score(index, value, aim.bounds);
        root.moves[index].line = self.exact_line(root, root.moves[index].pit, value.rounded_seeds(), took);
        true
    }

    /// Searches the root's moves from an index on until one reaches the margin `target`, which is brought to that index. Returns
    /// a bound of their best margin, like a node; `None` if the search was stopped.
    fn root_reaches(&mut self, root: &mut Root, first: usize, target: i8) -> Option<i8> {
        let pits = root.moves[first..].iter().map(|mv| mv.pit).collect();
        let claim = Claim { pits, target };
        let (best, reaches) = match self.shared.smp.filter(|_| self.shares) {
            Some(smp) => self.prove_together(smp, root.frame.board, &claim),
            None => self.first_that_reaches(root.frame.board, &claim),
        }?;
        if let Some(index) = claim.pits.iter().position(|&pit| Some(pit) == reaches) {
            root.moves[first..=first + index].rotate_right(1);
        }
        Some(best)
    }

    /// Searches moves until one reaches a claim's margin. Returns a bound of their best margin, like a node, and that move;
    /// `None` if the search was stopped.
    pub(super) fn first_that_reaches(&mut self, board: Board, claim: &Claim) -> Option<ClaimAnswer> {
        let target = claim.target;
        let solution = solution::<R>(self.shared.request);
        let mut best = i8::MIN;
        for &pit in &claim.pits {
            let step = R::play(board, pit)?;
            let margin = match R::ending(step.board) {
                Some(ending) => ending.margin(),
                None => {
                    let lead = step.board.lead();
                    let needs = if step.again { target } else { 1 - target } - lead;
                    let known = solution.and_then(|solution| solution.bounds(step.board)?.decides(needs));
                    lead + known.unwrap_or_else(|| self.node(SolverNode::new(step.board), needs, 1))
                }
            };
            if self.stop.stopped {
                return None;
            }
            let margin = if step.again { margin } else { -margin };
            best = best.max(margin);
            if margin >= target {
                return Some((margin, Some(pit)));
            }
        }
        Some((best, None))
    }

    /// The line of a move that reaches a margin, to the end of the game or as far as its node limit allows.
    fn exact_line(&mut self, root: &Root, first: Pit, margin: i8, took: u64) -> Line {
        let limit = self.stop.node_limit;
        let solution = solution::<R>(self.shared.request);
        let for_line = MIN_NODES_FOR_LINE.max(took / NODES_FOR_LINE);
        self.stop.node_limit = limit.min(self.counters.nodes + for_line);
        self.stop.next_poll = 0;
        let (mut board, mut margin): (Board, i8) = (root.frame.board, margin);
        let (mut line, mut next) = (Line::new(), Some(first));
        while let Some(pit) = next
            && !line.is_full()
            && let Some(step) = R::play(board, pit)
        {
            line.push(pit);
            (board, margin) = (step.board, if step.again { margin } else { -margin });
            let over = R::ending(board).is_some();
            next = if over {
                None
            } else {
                let gain = margin - board.lead();
                let known = solution.and_then(|solution| solution.move_that_gains(board, gain));
                known.or_else(|| self.move_that_gains(board, gain))
            };
        }
        // The line may have stopped at its own limit, not at the solver's.
        if self.counters.nodes < limit && !self.stop.observer.stop(self.counters.nodes) {
            self.stop.stopped = false;
        }
        (self.stop.node_limit, self.stop.next_poll) = (limit, 0);
        line
    }
}
