//! The reports of a search, and their receiver.

use crate::game::Move;
use crate::value::Score;

/// A line of a search, with the search that gave it.
#[derive(Clone, Debug, Default)]
pub struct ReportedLine {
    /// Plies searched.
    pub depth: u8,
    /// The score of its first move, for the side that makes it.
    pub score: Score,
    /// Whether the score is only a lower bound, because the search was stopped.
    pub is_lower_bound: bool,
    pub pv: Vec<Move>,
}

/// The state of a search after an iteration.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// Plies searched.
    pub depth: u8,
    /// Plies of the longest line searched (selective depth).
    pub seldepth: usize,
    /// The position's score for its side to move.
    pub score: Score,
    /// Whether the score is only a lower bound, because the search was stopped.
    pub is_lower_bound: bool,
    /// Nodes visited since the search began.
    pub nodes: u64,
    pub tablebase_hits: u64,
    /// How full the table is, in thousandths.
    pub hashfull: u16,
    /// The principal variation, the best line; never empty.
    pub pv: Vec<Move>,
    /// The next best lines by their scores, as many as were requested. After a stopped search, a line of the previous iteration
    /// may have a higher score than the best one.
    pub others: Vec<ReportedLine>,
    /// Whether there was only one move to choose from.
    pub forced: bool,
    /// Iterations since the best move changed.
    pub stable_iterations: u32,
    /// Hundredths of a seed by which the score has fallen since the previous iteration; below 0 if it has risen.
    pub score_drop: i32,
}

impl Report {
    /// Whether all lines are those of one iteration.
    pub fn is_whole(&self) -> bool {
        !self.is_lower_bound && self.others.iter().all(|line| line.depth == self.depth)
    }

    /// The best line, then the others.
    pub fn lines(&self) -> Vec<ReportedLine> {
        let Report { depth, score, is_lower_bound, ref pv, .. } = *self;
        let best = ReportedLine { depth, score, is_lower_bound, pv: pv.clone() };
        std::iter::once(best).chain(self.others.iter().cloned()).collect()
    }
}

/// The receiver of a search's reports, which may stop it.
pub trait Observer {
    /// Whether to stop; called every few hundred nodes.
    fn stop(&mut self, nodes: u64) -> bool;

    /// Whether to stop; called during work that visits no nodes, such as a conversion. A node limit that other threads reach
    /// meanwhile does not stop it.
    fn interrupts(&mut self) -> bool {
        self.stop(0)
    }

    /// An iteration is complete, or was stopped after it had found a better line. Returns whether to stop.
    fn iteration(&mut self, report: &Report) -> bool;

    /// The search starts a move of the root at a depth in plies; `number` is its place in the order, from 1.
    fn current(&mut self, _depth: u8, _mv: Move, _number: usize) {}

    /// Fewer threads search than were requested, because the system starts no more.
    fn fewer_threads(&mut self, _searching: usize, _wanted: usize) {}

    /// The search has paid for the endgame databases with up to `seeds` seeds. Under
    /// [`TablebasePolicy::Available`](super::TablebasePolicy::Available) it does not build them itself; the observer may, in
    /// the background.
    fn wants_endgames(&mut self, _seeds: u8) {}
}

/// An observer that ignores all reports and never stops a search; its limits do.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Observer for Silent {
    fn stop(&mut self, _nodes: u64) -> bool {
        false
    }

    fn iteration(&mut self, _report: &Report) -> bool {
        false
    }
}
