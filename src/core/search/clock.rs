//! Time management: [`Clock::new`] turns time limits into two deadlines, after which no iteration starts and the search ends.

use super::parameters::score_drop;
use super::report::Report;
use crate::time::Instant;
use std::time::Duration;

/// Moves to spread the time over if the time control does not give a number: about half of the moves that a side makes in a
/// game (chosen, not measured).
const MOVES_TO_GO: u32 = 20;
/// An iteration takes about this many times as long as all before it: none starts after a move's share divided by this (chosen,
/// not measured).
const ITERATION_GROWTH: u32 = 2;
/// Maximum shares that a move may take (chosen, not measured).
const MAX_SHARES: u32 = 3;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TimeLimits {
    /// Exact time for the move.
    pub movetime: Option<Duration>,
    pub left: Option<Duration>,
    /// Time added after each move.
    pub increment: Duration,
    /// Moves to the next time control.
    pub moves_to_go: Option<u32>,
    /// Time lost in transit between the engine and the time keeper.
    pub overhead: Duration,
}

/// A clock, started when the search was requested.
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    started: Instant,
    /// No iteration starts after this time.
    pub soft: Option<Duration>,
    /// The search ends after this time.
    pub hard: Option<Duration>,
}

impl Clock {
    /// A clock for a move under these limits.
    pub fn new(started: Instant, limits: TimeLimits) -> Clock {
        let mut clock = Clock { started, soft: None, hard: limits.movetime.map(|time| less(time, limits)) };
        if let Some(left) = limits.left {
            let left = less(left, limits);
            let moves = limits.moves_to_go.unwrap_or(MOVES_TO_GO).clamp(1, MOVES_TO_GO);
            let share = left / moves + limits.increment * 3 / 4;
            let most = if moves == 1 { left * 9 / 10 } else { left / 2 };
            let hard = (share * MAX_SHARES).min(most);
            clock.hard = Some(clock.hard.map_or(hard, |movetime| movetime.min(hard)));
            clock.soft = Some(share.min(most) / ITERATION_GROWTH);
        }
        clock
    }

    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// The latest end of the search.
    pub fn end(&self) -> Option<Instant> {
        self.hard.map(|hard| self.started + hard)
    }

    pub fn is_up(&self) -> bool {
        self.hard.is_some_and(|hard| self.elapsed() >= hard)
    }

    /// Whether to start no further iteration: it would hardly end in time, or the position does not need it.
    pub fn is_late(&self, report: &Report) -> bool {
        let soft = self.soft.map(|soft| soft * share_in_percent(report) / 100);
        self.is_up() || soft.is_some_and(|soft| report.forced || self.elapsed() >= soft)
    }
}

/// The part of the ordinary time for a move that a position gets, in percent: more while the best move changes and when the
/// score falls, less when the winner is proven. The numbers were chosen, not measured.
pub fn share_in_percent(report: &Report) -> u32 {
    if report.score.proven().is_some() {
        return 25;
    }
    let by_stability = 150 - 12 * report.stable_iterations.min(6);
    if report.score_drop >= score_drop() { by_stability * 3 / 2 } else { by_stability }
}

/// A time minus the overhead, but at least half of it.
fn less(time: Duration, limits: TimeLimits) -> Duration {
    time.saturating_sub(limits.overhead).max(time / 2)
}
