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
        // `awari1978` is small: its start takes 1.6 million nodes with an ordinary share, and 4.0 with forty times as much.
        let share = if R::SECOND_MOVE { Request::SOLVING_SHARE } else { request.solving_share };
        let first = if share > Request::SOLVING_SHARE { SURE_DEPTH } else { FIRST_DEPTH };
        if R::CYCLE != Cycle::Impossible || depth < first || self.busy.is_some() {
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
    ///
    /// `kalah` fills about four boards in the time of a node, so that is what the nodes so far are worth; `awari1978`,
    /// with its second moves, one.
    #[cold]
    pub(super) fn grow_endgames(&mut self) {
        let boards_a_node = if R::SECOND_MOVE { 1 } else { 4 };
        self.next_growth = self.nodes + self.nodes / 8;
        let wanted = self.table.endgames_worth_their_cost::<R>(self.nodes.saturating_mul(boards_a_node), 0);
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
