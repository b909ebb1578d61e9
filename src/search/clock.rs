//! How long to think about a move.

use std::time::{Duration, Instant};

/// Moves that a clock without a count of moves to go is spread over: about half the moves a side makes in a game.
const HORIZON: u32 = 20;
/// An iteration takes about this many times as long as all before it, so none is begun past the rest of its share.
const NEXT_ITERATION: u32 = 2;

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
            let moves = limits.moves_to_go.unwrap_or(HORIZON).clamp(1, HORIZON);
            let share = left / moves + limits.increment * 3 / 4;
            let most = if moves == 1 { left * 9 / 10 } else { left / 2 };
            let hard = (share * 3).min(most);
            clock.hard = Some(clock.hard.map_or(hard, |movetime| movetime.min(hard)));
            clock.soft = Some(share.min(most) / NEXT_ITERATION);
        }
        clock
    }

    /// How long it has been running.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Whether the time is up.
    #[must_use]
    pub fn is_up(&self) -> bool {
        self.hard.is_some_and(|hard| self.elapsed() >= hard)
    }

    /// Whether one more iteration would hardly end in time, or is not worth it.
    #[must_use]
    pub fn is_late(&self, forced: bool) -> bool {
        let timed = self.soft.is_some();
        self.is_up() || timed && forced || self.soft.is_some_and(|soft| self.elapsed() >= soft)
    }
}

/// A time less the overhead, but never less than a half of it.
fn less(time: Duration, limits: TimeLimits) -> Duration {
    time.saturating_sub(limits.overhead).max(time / 2)
}

#[cfg(test)]
mod tests {
    use super::*;

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

    #[test]
    fn without_limits_there_is_no_end() {
        let clock = clock(TimeLimits::default());
        assert!(!clock.is_up() && !clock.is_late(true));
    }
}
