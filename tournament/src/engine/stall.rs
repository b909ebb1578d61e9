//! When the referee itself did not run.
//!
//! A machine can stall, a user can suspend the referee (SIGSTOP), and processes of others can take all processors.
//! Then answers are read late, and that is not the engine's doing. A thread of the referee does nothing but wake up again and
//! again; where it woke up too late, the referee did not run. No message and no signal that an engine can send tells it
//! anything. An engine that keeps the referee from running gains no time by that: such a game is played again.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant};
use std::{io, thread};

/// The time between two looks at the time.
pub const TICK: Duration = Duration::from_millis(10);
/// A tick that comes later than this was delayed. Timers and busy machines are a little late all the time.
pub const TOLERANCE: Duration = Duration::from_millis(10);
/// Stalls that are remembered.
const MAX_STALLS: usize = 1_000;

/// The stalls of this process, measured by a thread of its own for as long as this lives.
#[derive(Debug)]
pub struct StallMonitor(pub Mutex<Stalls>);

#[derive(Debug)]
pub struct Stalls {
    pub last_tick: Instant,
    /// When the referee should have run, and when it did again; oldest first.
    pub past: VecDeque<(Instant, Instant)>,
}

impl StallMonitor {
    /// Begins to measure.
    ///
    /// # Errors
    /// If the thread cannot be started.
    pub fn start() -> io::Result<Arc<StallMonitor>> {
        let stalls = Stalls { last_tick: Instant::now(), past: VecDeque::new() };
        let monitor = Arc::new(StallMonitor(Mutex::new(stalls)));
        let watched = Arc::downgrade(&monitor);
        thread::Builder::new()
            .name("ticks".to_owned())
            .stack_size(64 * 1024)
            .spawn(move || tick(&watched))?;
        Ok(monitor)
    }

    /// For how long this process did not run since then, a stall that has just ended included.
    pub fn stalled_since(&self, start: Instant) -> Duration {
        let mut stalls = self.stalls();
        // The caller may be faster than the thread.
        stalls.tick(Instant::now());
        stalls.past.iter().map(|&(from, to)| to.saturating_duration_since(from.max(start))).sum()
    }

    /// The longest of the stalls since then, as far as it lies in that time.
    pub fn longest_since(&self, start: Instant) -> Duration {
        let mut stalls = self.stalls();
        stalls.tick(Instant::now());
        let lengths = stalls.past.iter().map(|&(from, to)| to.saturating_duration_since(from.max(start)));
        lengths.max().unwrap_or_default()
    }

    fn stalls(&self) -> MutexGuard<'_, Stalls> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Stalls {
    pub fn tick(&mut self, now: Instant) {
        let due = self.last_tick + TICK;
        if now > due + TOLERANCE {
            if self.past.len() == MAX_STALLS {
                self.past.pop_front();
            }
            self.past.push_back((due, now));
        }
        self.last_tick = self.last_tick.max(now);
    }
}

fn tick(monitor: &Weak<StallMonitor>) {
    while let Some(monitor) = monitor.upgrade() {
        monitor.stalls().tick(Instant::now());
        drop(monitor);
        thread::sleep(TICK);
    }
}
