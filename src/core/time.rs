//! A replaceable clock: browsers have none in the standard library, and tests need their own.

use std::cell::Cell;
use std::ops::Add;
use std::time::Duration;

/// Returns the time since a fixed moment.
type Clock = fn() -> Duration;

thread_local! {
    static CLOCK: Cell<Clock> = const { Cell::new(system) };
}

/// Sets this thread's clock. The default is the system's, or in a browser one that never advances.
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

/// A moment, with the part of `std::time::Instant` that the engine uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Instant(Duration);

impl Instant {
    /// The current moment.
    pub fn now() -> Instant {
        Instant(CLOCK.get()())
    }

    /// The time since this moment.
    pub fn elapsed(&self) -> Duration {
        Instant::now().saturating_duration_since(*self)
    }

    /// The time from an earlier moment to this one; zero if it is later.
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
