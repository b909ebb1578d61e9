//! The solver at the root: MTD(f), and the line to show.

use super::bounds::max_seeds;
use super::node::SolverNode;
use super::solution::Solution;
use super::state::Solver;
use crate::game::{Board, Cycle, Pit, Position, Rules, Visitor};
use crate::search::move_limit::settling_plies;
use crate::search::pv::Line;
use crate::search::request::Request;
use crate::search::root::Root;
use crate::search::thread::SearchThread;
use crate::value::{CENTISEEDS, Proof, Score, by_margin};

/// Before this depth in plies the best move is too uncertain a guide. From 4 to 10 the nodes to a proof are the same.
const MIN_DEPTH: u8 = 6;
/// Nodes for the solver in an ordinary search that are likely to be enough, in hundredths of those of iterative deepening:
/// then the position is solved soon, or hardly later than without. 150 positions of `kalah` with 32 seeds or fewer took 1.9
/// million nodes so, and 6.1 million with a quarter throughout; two and a half times as many as 400 gain nothing.
const SHARE_THAT_SUFFICES: u64 = 400;
/// The same where most of the nodes are the solver's (chosen, not measured).
const MIN_DEPTH_OF_ANALYSIS: u8 = 16;
/// Sixteenths of the table that are the solver's own, for proven bounds, where a game can be solved. It is the same in every
/// kind of search, so what an analysis has proven is there for the moves that follow.
const TABLE_SHARE: usize = 12;
/// Nodes to find the rest of an exact line, or if that is more, this part of those that the value took (both chosen, not
/// measured).
const MIN_NODES_FOR_LINE: u64 = 1000;
const NODES_FOR_LINE: u64 = 50;

/// Whether the solver can solve positions with so many seeds in the pits.
fn can_solve<R: Rules>(seeds: u8) -> bool {
    R::LEAD_ADDS && matches!(R::CYCLE, Cycle::Impossible) && seeds <= max_seeds::<R>()
}

/// Whether the solver can solve a position, if it is given the time.
#[must_use]
pub fn takes(position: &Position) -> bool {
    struct Seeds(u8);
    impl Visitor for Seeds {
        type Output = bool;
        fn visit<R: Rules>(self) -> bool {
            can_solve::<R>(self.0)
        }
    }
    position.variant().visit(Seeds(position.board().seeds()))
}

/// Whether most of the nodes of a search are the solver's.
fn is_analysis(request: &Request) -> bool {
    request.solver_share > Request::SOLVER_SHARE
}

/// What the first plies are worth, if the search is to know it.
fn solution<R: Rules>(request: &Request) -> Option<&'static Solution> {
    if request.solution { Solution::built_in::<R>() } else { None }
}

/// How many sixteenths of the table are for proven bounds.
pub fn table_share<R: Rules>() -> usize {
    if can_solve::<R>(R::SEEDS.min(max_seeds::<R>())) { TABLE_SHARE } else { 0 }
}

/// Nodes for the solver after so many of iterative deepening from a root with so many seeds, in hundredths of these.
fn solver_share(request: &Request, nodes: u64, seeds: u8) -> u64 {
    let suffices = nodes.saturating_mul(SHARE_THAT_SUFFICES) / 100 >= likely_nodes(seeds);
    match request.solver_share {
        Request::SOLVER_SHARE if suffices => SHARE_THAT_SUFFICES,
        share => share,
    }
}

/// Nodes that are likely to solve a position with so many seeds: eight times as many for five seeds more, fitted by eye to 350
/// positions of `kalah` and `awari1978` (medians of 3,000 with 24 seeds, 78,000 with 30, 0.7 million with 36).
fn likely_nodes(seeds: u8) -> u64 {
    1 << (u32::from(seeds) * 3 / 5).saturating_sub(3)
}

/// Tries to find the exact values of the lines that are wanted, after an iteration of a depth, with a share of the nodes
/// so far. Says whether it did.
pub fn try_to_solve<R: Rules>(thread: &mut SearchThread<'_, R>, root: &mut Root, depth: u8) -> bool {
    let request = thread.shared.request;
    let is_known = solution::<R>(request).is_some_and(|solution| solution.gain(root.frame.board).is_some());
    let min_depth = if is_known {
        1
    } else if is_analysis(request) {
        MIN_DEPTH_OF_ANALYSIS
    } else {
        MIN_DEPTH
    };
    let can_solve = can_solve::<R>(root.frame.board.seeds()) && !thread.move_limit.is_near();
    if !can_solve || depth < min_depth {
        return false;
    }
    let nodes = thread.counters.nodes;
    let share = solver_share(request, nodes, root.frame.board.seeds());
    let limit = thread.stop.node_limit.min(nodes + nodes.saturating_mul(share) / 100);
    let before = root.moves.clone();
    let mut solver = Solver::new(thread, limit);
    let solved = (0..root.multipv).all(|line| solver.solve_line(root, line));
    let Solver { counters, tablebase, stop, .. } = solver;
    let stopped = stop.stopped;
    (thread.counters, thread.tablebase) = (counters, tablebase);
    if !solved {
        root.moves = before;
    }
    // The solver may have run out of its share, and the search not.
    let nodes = thread.counters.nodes;
    thread.stop.stopped = stopped && (nodes >= thread.stop.node_limit || thread.stop.observer.stop(nodes));
    thread.stop.next_poll = 0;
    solved
}

impl<R: Rules> Solver<'_, '_, R> {
    /// The exact value of the best of the root's moves from an index on, and that move brought there.
    fn solve_line(&mut self, root: &mut Root, index: usize) -> bool {
        let known = root.moves[index].score;
        if known.is_some_and(|score| score.proof.is_exact()) {
            return true;
        }
        let nodes_before = self.counters.nodes;
        let Some(margin) = self.mtdf(root, index) else { return false };
        let took = self.counters.nodes - nodes_before;
        let settles = settling_plies::<R>(root.frame.board.seeds());
        root.set_score(index, Score { value: by_margin(margin), proof: Proof::EXACT }, settles);
        root.moves[index].line = self.exact_line(root, root.moves[index].pit, margin, took);
        true
    }

    /// MTD(f): searches with empty windows until the margin that is proven from below is that proven from above.
    fn mtdf(&mut self, root: &mut Root, index: usize) -> Option<i8> {
        let believed = root.moves[index].score.map_or(0, |score| score.value.centiseeds());
        let (lead, left) = (root.frame.board.lead(), root.frame.board.seeds() as i8);
        let (mut at_least, mut at_most) = (lead - left, lead + left);
        let in_seeds = (believed + CENTISEEDS / 2).div_euclid(CENTISEEDS) as i8;
        let mut guess = in_seeds.clamp(at_least + 1, at_most);
        if index == 0
            && !root.restricted
            && let Some(gain) =
                solution::<R>(self.shared.request).and_then(|known| known.gain(root.frame.board))
        {
            // Only the move is to be found.
            (at_most, guess) = (lead + gain, lead + gain);
        }
        while at_least < at_most {
            let found = self.root_reaches(root, index, guess)?;
            if found >= guess {
                at_least = found;
                guess = at_least + 1;
            } else {
                at_most = found;
                guess = at_most;
            }
        }
        Some(at_least)
    }

    /// Whether one of the root's moves from an index on leads to such a margin: a bound of it, as a node gives. The move
    /// that does is brought there.
    fn root_reaches(&mut self, root: &mut Root, first: usize, target: i8) -> Option<i8> {
        let solution = solution::<R>(self.shared.request);
        let mut best = i8::MIN;
        for index in first..root.moves.len() {
            let step = R::play(root.frame.board, root.moves[index].pit)?;
            let margin = match R::ending(step.board) {
                Some(ending) => ending.margin(),
                None => {
                    let lead = step.board.lead();
                    let known = solution.and_then(|solution| solution.gain(step.board));
                    let needs = if step.again { target } else { 1 - target } - lead;
                    lead + known.unwrap_or_else(|| self.node(SolverNode::new(step.board), needs, 1))
                }
            };
            if self.stop.stopped {
                return None;
            }
            let margin = if step.again { margin } else { -margin };
            best = best.max(margin);
            if margin >= target {
                root.moves[first..=index].rotate_right(1);
                break;
            }
        }
        Some(best)
    }

    /// The line of a move that leads to a margin, to the end of the game or as far as it takes few nodes to know.
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
                let known = solution.and_then(|solution| solution.best_move::<R>(board));
                known.or_else(|| self.move_that_gains(board, margin - board.lead()))
            };
        }
        // The line may have run out of its nodes, and the solver not.
        if self.counters.nodes < limit && !self.stop.observer.stop(self.counters.nodes) {
            self.stop.stopped = false;
        }
        (self.stop.node_limit, self.stop.next_poll) = (limit, 0);
        line
    }
}
