//! The time, by a clock that can be handed over: in a browser the standard library has none, and a test wants its own.

use std::cell::Cell;
use std::ops::Add;
use std::time::Duration;

/// Tells the time since some moment.
type Clock = fn() -> Duration;

thread_local! {
    static CLOCK: Cell<Clock> = const { Cell::new(system) };
}

/// Sets what tells the time on this thread. Without it that is the system, or in a browser nothing: time stands still.
pub fn set_clock(clock: fn() -> Duration) {
    CLOCK.set(clock);
}

#[cfg(not(target_family = "wasm"))]
fn system() -> Duration {
    use once_cell::sync::Lazy;
    static START: Lazy<std::time::Instant> = Lazy::new(std::time::Instant::now);
    START.elapsed()
}

#[cfg(target_family = "wasm")]
fn system() -> Duration {
    Duration::ZERO
}

/// A moment, with as much of `std::time::Instant` as the engine uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Instant(Duration);

impl Instant {
    /// This moment.
    #[must_use]
    pub fn now() -> Instant {
        Instant(CLOCK.get()())
    }

    /// The time since then.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        Instant::now().saturating_duration_since(*self)
    }

    /// The time from an earlier moment to this one; nothing if it is later.
    #[must_use]
    pub fn saturating_duration_since(&self, earlier: Instant) -> Duration {
        self.0.saturating_sub(earlier.0)
    }
}

impl Add<Duration> for Instant {
    type Output = Instant;

    fn add(self, time: Duration) -> Instant {
        Instant(self.0.saturating_add(time))
    }
}
