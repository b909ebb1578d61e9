//! Probes of the endgame tablebase ([`crate::endgames`]).
//!
//! Every node probes boards with no more seeds than the limit; `known.rs` sets that, and looks the root up. With a move limit
//! the deadlines of the smallest boards come first: a database's result that may come too late is an estimate.

use super::claims::settling_plies;
use super::frame::{Frame, Window};
use super::result::NodeResult;
use super::thread::SearchThread;
use crate::endgames::probe::deadlines::{Deadline, sure_value};
use crate::game::{Board, Cycle, Rules, Verdict};
use crate::value::{Bounds, Proof, Score, Value};

impl<R: Rules> SearchThread<'_, R> {
    /// The tablebase's result for a board, if it decides the window.
    ///
    /// Where a repetition ends the game, the tablebase is right only for boards just after a capture, before which nothing can
    /// repeat.
    #[inline]
    pub fn probe_tablebase(&mut self, frame: Frame, window: Window) -> Option<NodeResult> {
        let seeds = frame.board.seeds();
        if R::CYCLE == Cycle::EndsGame && frame.quiet_plies > 0 {
            return None;
        }
        if self.tablebase.deadlines.is_some_and(|most| seeds <= most)
            && let Some(result) = self.probe_deadline(frame, window)
        {
            self.counters.tablebase_hits += 1;
            return Some(result);
        }
        let score = if self.tablebase.limit.is_some_and(|limit| seeds <= limit) {
            self.probe_board(frame.board, seeds)?
        } else {
            self.leaves_known_result(frame, seeds)?
        };
        let is_enough = window.is_decided_by(score.value, score.proof) || score.proof.is_exact();
        is_enough.then(|| {
            self.counters.tablebase_hits += 1;
            let plies = settling_plies::<R>(frame.board, seeds);
            if self.move_limit.allows(frame.ply, plies) {
                NodeResult::settling(score.value, score.proof, plies)
            } else {
                NodeResult::unproven(score.value)
            }
        })
    }

    /// The result that is sure before the move limit, if it decides the window.
    fn probe_deadline(&self, frame: Frame, window: Window) -> Option<NodeResult> {
        let deadline = self.shared.endgames.deadline::<R>(frame.board)?;
        let in_time = |_: Verdict, _: bool, plies| self.move_limit.allows(frame.ply, plies);
        let sure = sure_bounds::<R>(frame.board, deadline, in_time);
        let Bounds { at_least, at_most, least_within, most_within } = sure;
        if let Some(value) = sure.value() {
            return Some(NodeResult::settling(value, Proof::EXACT, least_within.max(most_within)));
        }
        if at_least >= window.beta {
            return Some(NodeResult::settling(at_least, Proof::AT_LEAST, least_within));
        }
        (at_most <= window.alpha).then(|| NodeResult::settling(at_most, Proof::AT_MOST, most_within))
    }

    #[inline]
    fn probe_board(&mut self, board: Board, seeds: u8) -> Option<Score> {
        self.stop.poll_sooner(self.shared.endgames.is_mapped::<R>(seeds));
        self.shared.endgames.probe::<R>(board, seeds)
    }

    /// The tablebase's result for a board with as many seeds as a root with a known result, if the board has lost that result.
    /// Boards that keep it are searched for a way to convert it.
    #[inline]
    fn leaves_known_result(&mut self, frame: Frame, seeds: u8) -> Option<Score> {
        let (_, value) = self.tablebase.known_root.filter(|known| known.0 == seeds)?;
        let score = self.probe_board(frame.board, seeds)?;
        // Sides alternate in every rule set with cycles.
        let seen_by_root = if frame.ply.is_multiple_of(2) { score.value } else { score.value.turned() };
        (seen_by_root != value).then_some(score)
    }
}

/// The best results that a deadline makes sure: at least for the side to move, and at most. `counts` says whether one counts, by
/// the result that a side is sure of, whether that is the side to move, and the plies.
pub fn sure_bounds<R: Rules>(
    board: Board,
    deadline: Deadline,
    counts: impl Fn(Verdict, bool, u16) -> bool,
) -> Bounds {
    let best = |mine: bool| {
        [Verdict::Win, Verdict::Draw].into_iter().find_map(|verdict| {
            let plies = deadline.plies(verdict, mine).filter(|&plies| counts(verdict, mine, plies))?;
            let result = if mine { verdict } else { verdict.turned() };
            Some((sure_value::<R>(board, result), plies))
        })
    };
    let (at_least, least_within) = best(true).unwrap_or((Value::LEAST, 0));
    let (at_most, most_within) = best(false).unwrap_or((Value::MOST, 0));
    Bounds { at_least, at_most, least_within, most_within }
}
