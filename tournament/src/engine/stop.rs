//! The switch that ends a match early.

use super::stall::StallMonitor;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use std::io::{self, PipeReader, PipeWriter};
use std::os::fd::{AsFd, BorrowedFd};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

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
    ///
    /// # Errors
    /// If the system has no pipe or thread left.
    pub fn new() -> io::Result<Stop> {
        let (pipe, writer) = io::pipe()?;
        let switch = Switch { pipe, writer: Mutex::new(Some(writer)), stalls: StallMonitor::start()? };
        Ok(Stop { switch: Arc::new(switch) })
    }

    /// Sets the switch. Every thread that waits for an engine wakes up at once.
    pub fn set(&self) {
        self.switch.writer.lock().unwrap_or_else(PoisonError::into_inner).take();
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
