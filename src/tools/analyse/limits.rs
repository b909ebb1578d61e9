//! Search limits, and a search within them.

use crate::game::Game;
use crate::search::{Clock, MAX_DEPTH, Observer, Report, Request, Table, TimeLimits, search};
use crate::time::Instant;
use std::time::Duration;

/// The second look at a mistake gets this many times the time and the nodes of the first (chosen, not measured), and
/// [`DEEPER`] more plies.
const LONGER: u32 = 4;
const DEEPER: u8 = 2;

/// Limits of one search. The first that is reached ends it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    pub time: Option<Duration>,
    pub nodes: Option<u64>,
    pub depth: Option<u8>,
}

impl Limits {
    /// These limits, or the others if there are none.
    pub(super) fn or(self, others: Limits) -> Limits {
        let is_none = self.time.is_none() && self.nodes.is_none() && self.depth.is_none();
        if is_none { others } else { self }
    }

    /// Limits for a second look.
    pub(super) fn longer(self) -> Limits {
        Limits {
            time: self.time.map(|time| time * LONGER),
            nodes: self.nodes.map(|nodes| nodes.saturating_mul(LONGER.into())),
            depth: self.depth.map(|depth| depth.saturating_add(DEEPER).min(MAX_DEPTH)),
        }
    }

    /// The best lines in a game that is not over, and the time that the search took.
    pub(super) fn search(
        self,
        game: &Game,
        lines: usize,
        threads: usize,
        table: &Table,
    ) -> (Report, Duration) {
        let limits = TimeLimits { movetime: self.time, ..TimeLimits::default() };
        let clock = Clock::new(Instant::now(), limits);
        let all = Request::new(game);
        let (nodes, depth) = (self.nodes.unwrap_or(all.nodes), self.depth.unwrap_or(all.depth));
        let request = Request { nodes, depth, threads, multipv: lines, ..all };
        (search(&request, table, &mut Deadline(clock)), clock.elapsed())
    }
}

/// Ends a search when its time is up.
struct Deadline(Clock);

impl Observer for Deadline {
    fn stop(&mut self, _nodes: u64) -> bool {
        self.0.is_up()
    }

    fn iteration(&mut self, _report: &Report) -> bool {
        false
    }
}
