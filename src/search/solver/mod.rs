//! Solving: the exact value of the root by searches that know no horizon.
//!
//! Where nothing can come back, every line ends, so a search without a limit of depth ends as well, and it needs no
//! estimates: only whether the final difference can be so large. That is asked with empty windows, from the value that
//! iterative deepening believes in, up or down until both sides meet (MTD(f), A. Plaat and others, "Best-first
//! fixed-depth minimax algorithms", 1996). What has been answered of the boards below stays in the table (`proven.rs`),
//! so an attempt that runs out of its share of nodes is not lost: the next one goes on from there.

mod node;
mod ordering;
mod proven;

use crate::game::{Board, Cycle, Pit, Rules};
use crate::search::Request;
use crate::search::node::Worker;
use crate::search::pv::Line;
use crate::search::root::Root;
use crate::value::{CENTISEEDS, Proof, Score, by_margin};
use node::Open;
pub(in crate::search) use proven::FACT;

/// Before this many plies the best move is too uncertain a guide.
const FIRST_DEPTH: u8 = 10;
/// The same where most of the nodes go into solving.
const SURE_DEPTH: u8 = 16;
/// Boards of the endgames that are worked out in the time of a node.
const BOARDS_A_NODE: u64 = 4;
/// A line is led on with so many nodes, or with this part of those that solving it took.
const NODES_FOR_A_LINE: u64 = 1000;
const PART_FOR_A_LINE: u64 = 50;

/// Whether positions of a rule set can be solved.
const fn solves<R: Rules>() -> bool {
    R::LEAD_ADDS && matches!(R::CYCLE, Cycle::Impossible)
}

/// How many sixteenths of the table are for facts.
pub(in crate::search) fn part_of_table<R: Rules>(request: &Request) -> usize {
    match request.solving_share {
        _ if !solves::<R>() => 0,
        ..=Request::SOLVING_SHARE => 4,
        _ => 14,
    }
}

impl<R: Rules> Worker<'_, R> {
    /// Tries to find the exact values of the lines that are wanted, with a share of the nodes so far. Says whether it
    /// did.
    pub(in crate::search) fn try_to_solve(&mut self, root: &mut Root, request: &Request, depth: u8) -> bool {
        let share = request.solving_share;
        let first = if share > Request::SOLVING_SHARE { SURE_DEPTH } else { FIRST_DEPTH };
        if !solves::<R>() || depth < first {
            return false;
        }
        let limit = self.node_limit;
        self.node_limit = limit.min(self.nodes + self.nodes.saturating_mul(share) / 100);
        (self.next_poll, self.solving) = (0, true);
        let before = root.moves.clone();
        let solved = (0..root.lines).all(|line| self.solve_line(root, line));
        if !solved {
            root.moves = before;
        }
        self.solving = false;
        if self.stopped && self.nodes < limit && !self.observer.stop(self.nodes) {
            self.stopped = false;
        }
        (self.node_limit, self.next_poll) = (limit, 0);
        solved
    }

    /// Builds endgames in the middle of the tree: nothing that is known becomes wrong by knowing more.
    #[cold]
    pub(in crate::search) fn grow_endgames(&mut self) {
        self.next_growth = self.nodes + self.nodes / 8;
        let worth = self.nodes.saturating_mul(BOARDS_A_NODE);
        let wanted = self.table.endgames_worth_their_cost::<R>(worth, 0);
        let wanted = wanted.map(|seeds| seeds.min(self.most_covered)).filter(|_| self.most_covered > 0);
        if wanted <= self.covered || self.stopped {
            return;
        }
        let (observer, nodes) = (&mut self.observer, self.nodes);
        if let Some(wanted) = wanted
            && self.endgames.build::<R>(wanted, &mut || observer.stop(nodes))
        {
            self.covered = Some(wanted);
        }
    }

    /// The exact value of the best of the moves from an index on, and that move brought there.
    fn solve_line(&mut self, root: &mut Root, index: usize) -> bool {
        let known = root.moves[index].score;
        if known.is_some_and(|score| score.proof.is_exact()) {
            return true;
        }
        let before = self.nodes;
        let believed = known.map_or(0, |score| score.value.centiseeds());
        let (lead, left) = (root.at.board.lead(), root.at.board.seeds() as i8);
        let (mut at_least, mut at_most) = (lead - left, lead + left);
        let mut guess =
            ((believed + CENTISEEDS / 2).div_euclid(CENTISEEDS) as i8).clamp(at_least + 1, at_most);
        while at_least < at_most {
            let Some(found) = self.root_reaches(root, index, guess) else { return false };
            if found >= guess {
                at_least = found;
                guess = at_least + 1;
            } else {
                at_most = found;
                guess = at_most;
            }
        }
        root.moves[index].score = Some(Score { value: by_margin(at_least), proof: Proof::EXACT });
        root.moves[index].line = self.exact_line(root, root.moves[index].pit, at_least, self.nodes - before);
        true
    }

    /// Whether one of the moves from an index on leads to such a margin: a bound of it, as a node gives. The move that
    /// does is brought there.
    fn root_reaches(&mut self, root: &mut Root, first: usize, target: i8) -> Option<i8> {
        let mut best = i8::MIN;
        for index in first..root.moves.len() {
            let step = R::play(root.at.board, root.moves[index].pit)?;
            let margin = match R::ending(step.board) {
                Some(ending) => ending.margin(),
                None => {
                    let lead = step.board.lead();
                    let needs = if step.again { target } else { 1 - target } - lead;
                    lead + self.gains(Open::new(step.board), needs, 1)
                }
            };
            if self.stopped {
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
        let limit = self.node_limit;
        self.node_limit = limit.min(self.nodes + NODES_FOR_A_LINE.max(took / PART_FOR_A_LINE));
        self.next_poll = 0;
        let (mut board, mut margin): (Board, i8) = (root.at.board, margin);
        let (mut line, mut next) = (Line::new(), Some(first));
        while let Some(pit) = next
            && !line.is_full()
            && let Some(step) = R::play(board, pit)
        {
            line.push(pit);
            (board, margin) = (step.board, if step.again { margin } else { -margin });
            let over = R::ending(board).is_some();
            next = if over { None } else { self.move_that_gains(board, margin - board.lead()) };
        }
        // The line may have run out of its nodes, and the search not.
        if self.nodes < limit && !self.observer.stop(self.nodes) {
            self.stopped = false;
        }
        (self.node_limit, self.next_poll) = (limit, 0);
        line
    }
}
