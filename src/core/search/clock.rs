//! How long to think about a move.

use super::parameters::score_drop;
use super::report::Report;
use crate::time::Instant;
use std::time::Duration;

/// Moves that the time is spread over if nobody says how many there are to go: about half the moves that a side makes in a
/// game (chosen, not measured).
const MOVES_TO_GO: u32 = 20;
/// An iteration takes about this many times as long as all before it, so none is begun past this part of a move's share
/// (chosen, not measured).
const ITERATION_GROWTH: u32 = 2;
/// A move never takes longer than this many times its share (chosen, not measured).
const MAX_SHARES: u32 = 3;

/// The time that a side has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TimeLimits {
    /// Exactly this long for the move.
    pub movetime: Option<Duration>,
    /// What is left on the clock.
    pub left: Option<Duration>,
    /// What the clock gains with each move.
    pub increment: Duration,
    /// Moves to the next time control.
    pub moves_to_go: Option<u32>,
    /// What is lost on the way between the engine and whoever keeps the time.
    pub overhead: Duration,
}

/// A clock that was started when the search was asked for.
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    started: Instant,
    /// After this long no iteration is begun.
    soft: Option<Duration>,
    /// After this long the search ends.
    hard: Option<Duration>,
}

impl Clock {
    /// A clock for a move under these limits.
    #[must_use]
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

    /// How long it has been running.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// When the search ends at the latest.
    #[must_use]
    pub fn end(&self) -> Option<Instant> {
        self.hard.map(|hard| self.started + hard)
    }

    /// Whether the time is up.
    #[must_use]
    pub fn is_up(&self) -> bool {
        self.hard.is_some_and(|hard| self.elapsed() >= hard)
    }

    /// Whether one more iteration would hardly end in time, or is not worth it.
    #[must_use]
    pub fn is_late(&self, report: &Report) -> bool {
        let soft = self.soft.map(|soft| soft * share_in_percent(report) / 100);
        self.is_up() || soft.is_some_and(|soft| report.forced || self.elapsed() >= soft)
    }
}

/// What a position deserves of the time for an ordinary move, in hundredths: more while the best move changes and
/// when the score falls, less when the winner is proven. The numbers were chosen, not measured.
fn share_in_percent(report: &Report) -> u32 {
    if report.score.proven().is_some() {
        return 25;
    }
    let by_stability = 150 - 12 * report.stable_iterations.min(6);
    if report.score_drop >= score_drop() { by_stability * 3 / 2 } else { by_stability }
}

/// A time less the overhead, but never less than a half of it.
fn less(time: Duration, limits: TimeLimits) -> Duration {
    time.saturating_sub(limits.overhead).max(time / 2)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::{Proof, Score, Value};

    const MS: Duration = Duration::from_millis(1);

    fn clock(limits: TimeLimits) -> Clock {
        Clock::new(Instant::now(), limits)
    }

    #[test]
    fn a_move_time_is_used_but_for_the_overhead() {
        let limits = TimeLimits { movetime: Some(100 * MS), overhead: 10 * MS, ..TimeLimits::default() };
        assert_eq!(clock(limits).hard, Some(90 * MS));
        assert_eq!(clock(limits).soft, None);
        let short = TimeLimits { movetime: Some(4 * MS), ..limits };
        assert_eq!(clock(short).hard, Some(2 * MS));
    }

    #[test]
    fn a_game_clock_is_never_used_up() {
        for left in [1, 5, 20, 100, 1000, 60_000] {
            for moves_to_go in [None, Some(1), Some(2), Some(40)] {
                for increment in [0, 10, 5000] {
                    let limits = TimeLimits {
                        left: Some(left * MS),
                        increment: increment * MS,
                        moves_to_go,
                        overhead: 10 * MS,
                        ..TimeLimits::default()
                    };
                    let hard = clock(limits).hard.expect("a limit");
                    assert!(hard < left * MS, "{left} {moves_to_go:?} {increment}");
                    assert!(clock(limits).soft.expect("a limit") <= hard);
                }
            }
        }
    }

    fn report(stable_iterations: u32, score_drop: i32, forced: bool) -> Report {
        let score = Score { value: Value::DRAW, proof: Proof::NONE };
        Report { score, stable_iterations, score_drop, forced, ..Report::default() }
    }

    #[test]
    fn doubt_takes_time_and_proof_saves_it() {
        let share = |stable, drop| share_in_percent(&report(stable, drop, false));
        assert!(share(0, 0) > share(1, 0) && share(1, 0) > share(6, 0) && share(6, 0) == share(7, 0));
        assert!(share(3, score_drop()) > share(3, 0) && share(3, -score_drop()) == share(3, 0));
        let mut proven = report(0, score_drop(), false);
        proven.score.proof = Proof::EXACT;
        assert!(share_in_percent(&proven) < share(6, 0));
    }

    #[test]
    fn a_forced_move_is_played_at_once_by_the_clock() {
        let left = TimeLimits { left: Some(60_000 * MS), ..TimeLimits::default() };
        assert!(clock(left).is_late(&report(0, 0, true)) && !clock(left).is_late(&report(0, 0, false)));
    }

    #[test]
    fn without_limits_there_is_no_end() {
        let clock = clock(TimeLimits::default());
        assert!(!clock.is_up() && !clock.is_late(&report(0, 0, true)));
    }
}
