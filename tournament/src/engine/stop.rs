//! The switch that ends a match early, and the times when the referee itself did not run.
//!
//! A machine can stall, a user can suspend the referee (SIGSTOP), and other processes can take all processors. Answers are then
//! read late, and the engine is not to blame. A thread of the referee only wakes up at short intervals; if it wakes up too late,
//! the referee did not run. No message or signal of an engine influences it. An engine that keeps the referee from running gains
//! no time: the game is played again.

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use std::collections::VecDeque;
use std::io::{self, PipeReader, PipeWriter};
use std::os::fd::{AsFd, BorrowedFd};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::thread;
use std::time::{Duration, Instant};

/// The time between two looks at the time.
pub const TICK: Duration = Duration::from_millis(10);
/// A tick that comes later than this was delayed. Timers and busy machines are a little late all the time.
pub const TOLERANCE: Duration = Duration::from_millis(10);
/// Stalls that are remembered.
const MAX_STALLS: usize = 1_000;

/// A cancellation switch. It also knows when the referee itself did not run.
///
/// All clones are the same switch.
#[derive(Clone, Debug)]
pub struct Stop {
    switch: Arc<Switch>,
}

#[derive(Debug)]
struct Switch {
    pipe: PipeReader,
    /// Held open until the switch is set.
    writer: Mutex<Option<PipeWriter>>,
    stalls: Arc<StallMonitor>,
}

/// The match has been stopped from outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("interrupted")]
pub struct Stopped;

impl Stop {
    /// A switch that is not set: a pipe to which nothing is ever written. Its end of file wakes every thread that polls it.
    pub fn new() -> io::Result<Stop> {
        let (pipe, writer) = io::pipe()?;
        let switch = Switch { pipe, writer: Mutex::new(Some(writer)), stalls: StallMonitor::start()? };
        Ok(Stop { switch: Arc::new(switch) })
    }

    /// Sets the switch. Every thread that waits for an engine wakes up at once.
    pub fn set(&self) {
        locked(&self.switch.writer).take();
    }

    /// For how long the referee was not scheduled since then.
    pub fn stalled_since(&self, start: Instant) -> Duration {
        self.switch.stalls.stalled_since(start)
    }

    /// The longest time without a break for which the referee was not scheduled since then.
    pub fn longest_stall_since(&self, start: Instant) -> Duration {
        self.switch.stalls.longest_since(start)
    }

    /// Whether the switch is set.
    pub fn is_set(&self) -> bool {
        let mut fds = [PollFd::new(&self.switch.pipe, PollFlags::IN)];
        let at_once = Timespec { tv_sec: 0, tv_nsec: 0 };
        poll(&mut fds, Some(&at_once)).is_ok_and(|ready| ready > 0)
    }
}

impl AsFd for Stop {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.switch.pipe.as_fd()
    }
}

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
        let mut stalls = locked(&self.0);
        // The caller may be faster than the thread.
        stalls.tick(Instant::now());
        stalls.past.iter().map(|&(from, to)| to.saturating_duration_since(from.max(start))).sum()
    }

    /// The longest stall since then; of one that began before, the part after it.
    pub fn longest_since(&self, start: Instant) -> Duration {
        let mut stalls = locked(&self.0);
        stalls.tick(Instant::now());
        let lengths = stalls.past.iter().map(|&(from, to)| to.saturating_duration_since(from.max(start)));
        lengths.max().unwrap_or_default()
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
        locked(&monitor.0).tick(Instant::now());
        drop(monitor);
        thread::sleep(TICK);
    }
}

/// The value of a lock, also if a thread has panicked that held it.
pub fn locked<T>(lock: &Mutex<T>) -> MutexGuard<'_, T> {
    lock.lock().unwrap_or_else(PoisonError::into_inner)
}
