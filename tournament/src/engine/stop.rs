//! The switch that ends a match early.

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use std::io::{self, PipeReader, PipeWriter};
use std::os::fd::{AsFd, BorrowedFd};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

/// Says whether to stop, and whether the referee has been suspended. All clones are the same switch.
#[derive(Clone, Debug)]
pub struct Stop {
    switch: Arc<Switch>,
}

#[derive(Debug)]
struct Switch {
    pipe: PipeReader,
    /// Held as long as play goes on.
    held: Mutex<Option<PipeWriter>>,
    resumed: Mutex<Option<Instant>>,
}

/// Play has been stopped from outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("interrupted")]
pub struct Stopped;

impl Stop {
    /// A switch that is not set: a pipe that is never written to, and whose end of file all can wait for.
    ///
    /// # Errors
    /// If the system has no pipe left.
    pub fn new() -> io::Result<Stop> {
        let (pipe, writer) = io::pipe()?;
        let switch = Switch { pipe, held: Mutex::new(Some(writer)), resumed: Mutex::new(None) };
        Ok(Stop { switch: Arc::new(switch) })
    }

    /// Stops everybody at once, even one who waits for an engine.
    pub fn set(&self) {
        self.switch.held.lock().unwrap_or_else(PoisonError::into_inner).take();
    }

    /// The referee runs again after it was suspended.
    pub fn resumed(&self) {
        *self.switch.resumed.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now());
    }

    /// When the referee was last resumed, if that was after this.
    #[must_use]
    pub fn resumed_after(&self, start: Instant) -> Option<Instant> {
        let resumed = *self.switch.resumed.lock().unwrap_or_else(PoisonError::into_inner);
        resumed.filter(|&at| at > start)
    }

    /// Whether it is set.
    #[must_use]
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
