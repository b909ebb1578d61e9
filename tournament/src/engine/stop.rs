//! The switch that ends a match early.

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use std::io::{self, PipeReader, PipeWriter};
use std::os::fd::{AsFd, BorrowedFd};
use std::sync::Arc;

/// Holds the switch. Dropping it stops everybody who has the [`Stop`], at once, even one who waits for an engine.
#[derive(Debug)]
pub struct Stopper {
    _held: PipeWriter,
}

/// Says whether to stop.
#[derive(Clone, Debug)]
pub struct Stop {
    pipe: Arc<PipeReader>,
}

/// Play has been stopped from outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("interrupted")]
pub struct Stopped;

/// A switch and what it switches: a pipe that is never written to, and whose end of file all can wait for.
///
/// # Errors
/// If the system has no pipe left.
pub fn stop_switch() -> io::Result<(Stopper, Stop)> {
    let (reader, writer) = io::pipe()?;
    Ok((Stopper { _held: writer }, Stop { pipe: Arc::new(reader) }))
}

impl Stop {
    /// Whether the switch has been dropped.
    #[must_use]
    pub fn is_set(&self) -> bool {
        let mut fds = [PollFd::new(&*self.pipe, PollFlags::IN)];
        let at_once = Timespec { tv_sec: 0, tv_nsec: 0 };
        poll(&mut fds, Some(&at_once)).is_ok_and(|ready| ready > 0)
    }
}

impl AsFd for Stop {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.pipe.as_fd()
    }
}
