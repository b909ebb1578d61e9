//! What a search tells while it runs, and whom.

use crate::game::Move;
use crate::value::Score;

/// What an iteration has found.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// Plies searched.
    pub depth: u8,
    /// Plies of the longest line searched (selective depth).
    pub seldepth: usize,
    /// What the position is worth to its side to move.
    pub score: Score,
    /// Nodes visited since the search began.
    pub nodes: u64,
    /// Positions found in the endgame tablebase.
    pub tablebase_hits: u64,
    /// How full the table is, in thousandths.
    pub hashfull: u16,
    /// The principal variation, the best line; never empty.
    pub pv: Vec<Move>,
    /// The next best lines with their scores, as many as were asked for and found.
    pub others: Vec<(Score, Vec<Move>)>,
    /// Whether there was no choice.
    pub forced: bool,
    /// Iterations since the best move changed.
    pub stable_iterations: u32,
    /// Hundredths of a seed by which the score has fallen since the iteration before; below 0 if it has risen.
    pub score_drop: i32,
}

/// Who a search reports to.
pub trait Observer {
    /// Asked every few hundred nodes or so: is it enough?
    fn stop(&mut self, nodes: u64) -> bool;

    /// Asked during work that visits no nodes, such as a conversion: is it enough? A limit of nodes that other threads reach
    /// meanwhile does not end it.
    fn interrupts(&mut self) -> bool {
        self.stop(0)
    }

    /// An iteration is complete, or was stopped after it had found a better line. Is it enough?
    fn iteration(&mut self, report: &Report) -> bool;

    /// A move of the root is searched next, to so many plies: which, and its place in the order, from 1.
    fn current(&mut self, _depth: u8, _mv: Move, _number: usize) {}

    /// Fewer threads search than were asked for: the system starts no more.
    fn fewer_threads(&mut self, _searching: usize, _wanted: usize) {}

    /// The levels of the endgame tablebase with up to so many seeds have become worth their cost. A search that may use
    /// whatever there is builds none itself: somebody may build them beside it.
    fn wants_endgames(&mut self, _seeds: u8) {}
}

/// An observer that listens to nothing and never ends a search: its limits do.
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
