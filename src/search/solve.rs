//! Solving: the exact value of the root by searches that know no horizon.
//!
//! Where nothing can come back, every line ends, so a search without a limit of depth ends as well, and it needs no
//! estimates: only whether the final difference can be so large. That is asked with empty windows, from the value that
//! iterative deepening believes in, up or down until both sides meet (MTD(f), A. Plaat and others, "Best-first
//! fixed-depth minimax algorithms", 1996). Each answer stays in the table, so an attempt that runs out of its share of
//! nodes is not lost: the next one goes on from there.

use super::Request;
use super::node::Worker;
use super::root::Root;
use crate::game::{Cycle, Rules};
use crate::value::{CENTISEEDS, Proof, Score, Value, by_margin};

/// As good as no limit of depth.
const ENDLESS: u8 = 250;
/// Before this many plies the best move is too uncertain a guide.
const FIRST_DEPTH: u8 = 10;
/// The same where most of the nodes go into solving.
const SURE_DEPTH: u8 = 16;

impl<R: Rules> Worker<'_, R> {
    /// Tries to find the exact values of the lines that are wanted, with a share of the nodes so far. Says whether it
    /// did.
    pub(super) fn try_to_solve(&mut self, root: &mut Root, request: &Request, depth: u8) -> bool {
        let first = if request.solving_share > 100 { SURE_DEPTH } else { FIRST_DEPTH };
        if R::CYCLE != Cycle::Impossible || depth < first || self.busy.is_some() {
            return false;
        }
        let end = self.nodes + self.nodes.saturating_mul(request.solving_share) / 100;
        while self.nodes < end && !self.stopped {
            // A long attempt is made in slices, so that the endgames grow with it.
            let slice = end.min(self.nodes + self.nodes / 2);
            self.consult(root);
            if self.attempt(root, slice) {
                return true;
            }
        }
        false
    }

    /// Tries up to a count of nodes.
    fn attempt(&mut self, root: &mut Root, end: u64) -> bool {
        let limit = self.node_limit;
        self.node_limit = limit.min(end);
        self.next_poll = 0;
        self.solving = true;
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

    /// The exact value of the best of the moves from an index on, and that move brought there.
    fn solve_line(&mut self, root: &mut Root, index: usize) -> bool {
        let known = root.moves[index].score;
        if known.is_some_and(|score| score.proof.is_exact()) {
            return true;
        }
        let believed = known.map_or(0, |score| score.value.centiseeds());
        let most = root.at.board.lead() + root.at.board.seeds() as i8;
        let least = root.at.board.lead() - root.at.board.seeds() as i8;
        let (mut at_least, mut at_most) = (least, most);
        let mut guess = ((believed + CENTISEEDS / 2).div_euclid(CENTISEEDS) as i8).clamp(least + 1, most);
        while at_least < at_most {
            let window = (by_margin(guess - 1), by_margin(guess));
            let progress = self.root_moves(root, index, window, ENDLESS);
            if self.stopped {
                return false;
            }
            let found = (progress.best.centiseeds() / CENTISEEDS) as i8;
            let enough = progress.best >= window.1;
            let Proof { at_least: sure_of_more, at_most: sure_of_less } = progress.score().proof;
            if !(if enough { sure_of_more } else { sure_of_less }) {
                return false;
            }
            if enough {
                at_least = found.max(guess);
                guess = at_least + 1;
            } else {
                at_most = found.min(guess - 1);
                guess = at_most;
            }
        }
        let value: Value = by_margin(at_least);
        root.moves[index].score = Some(Score { value, proof: Proof::EXACT });
        self.complete_line(root, index);
        true
    }

    /// Leads a line on through the table, as far as that knows moves.
    fn complete_line(&mut self, root: &mut Root, index: usize) {
        let mut board = root.at.board;
        let mut line = super::pv::Line::new();
        let mut next = Some(root.moves[index].pit);
        while let Some(pit) = next
            && !line.is_full()
            && R::moves(board).contains(pit)
            && let Some(step) = R::play(board, pit)
        {
            line.push(pit);
            board = step.board;
            next = if R::ending(board).is_some() {
                None
            } else {
                self.known(self.key(board), board).and_then(|entry| entry.pit)
            };
        }
        root.moves[index].line = line;
    }
}
