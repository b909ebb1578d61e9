//! Talking to a process without ever waiting longer than intended.
//!
//! There is no thread that reads and no queue: the pipe itself is the queue. Whoever waits for an answer polls the
//! engine's output together with the news of its exit and the switch that stops the match, reads what is there, and
//! notes the time. An engine that floods its output fills its own pipe and nothing else.

use super::line_buffer::{Line, LineBuffer};
use super::stop::Stop;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::{Errno, ioctl_fionbio};
use std::io::{self, PipeReader, Read, Write};
use std::process::{ChildStdin, ChildStdout};
use std::time::Instant;

/// How often [`Pipes::drain`] reads before it leaves the rest of a flood to whoever waits for an answer.
const DRAINS: usize = 16;

/// Both pipes of an engine.
#[derive(Debug)]
pub struct Pipes {
    /// Until it is closed.
    input: Option<ChildStdin>,
    output: ChildStdout,
    /// Ends when the process does.
    exit: PipeReader,
    lines: LineBuffer,
    /// When the lines at hand were read.
    read_at: Instant,
}

/// A line, and when it came.
#[derive(Clone, Copy, Debug)]
pub struct ReceivedLine<'a> {
    /// What was written.
    pub line: Line<'a>,
    /// When it was read from the pipe.
    pub at: Instant,
}

/// Why there is no line, or why one could not be sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PipeError {
    /// The time is up.
    TimedOut,
    /// The process has exited, or closed its pipe.
    Closed,
    /// The match was stopped.
    Stopped,
}

/// Which of the three has news.
struct Ready {
    pipe: bool,
    exit: bool,
}

impl Pipes {
    /// The pipes of a process, and one that ends with it.
    ///
    /// # Errors
    /// If the system cannot make them non-blocking.
    pub fn new(input: ChildStdin, output: ChildStdout, exit: PipeReader) -> io::Result<Pipes> {
        ioctl_fionbio(&input, true)?;
        ioctl_fionbio(&output, true)?;
        Ok(Pipes { input: Some(input), output, exit, lines: LineBuffer::default(), read_at: Instant::now() })
    }

    /// Writes it all, waiting until the deadline for a process that does not read.
    ///
    /// # Errors
    /// Why not all of it was written.
    pub fn send(&mut self, mut text: &[u8], deadline: Instant, stop: &Stop) -> Result<(), PipeError> {
        let Some(input) = &mut self.input else { return Err(PipeError::Closed) };
        while !text.is_empty() {
            match input.write(text) {
                Ok(written) => text = &text[written..],
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    let pipe = PollFd::new(&*input, PollFlags::OUT);
                    let news = wait(pipe, &self.exit, stop, deadline)?;
                    if news.exit && !news.pipe {
                        return Err(PipeError::Closed);
                    }
                }
                Err(_) => return Err(PipeError::Closed),
            }
        }
        Ok(())
    }

    /// Closes the engine's input.
    pub fn close_input(&mut self) {
        self.input = None;
    }

    /// The next line, waiting until the deadline.
    ///
    /// # Errors
    /// Why there is none. What was written before the end of the process is still delivered.
    pub fn receive(&mut self, deadline: Instant, stop: &Stop) -> Result<ReceivedLine<'_>, PipeError> {
        while !self.lines.has_line() {
            let pipe = PollFd::new(&self.output, PollFlags::IN);
            let news = wait(pipe, &self.exit, stop, deadline)?;
            match self.read() {
                Ok(0) => return Err(PipeError::Closed),
                Ok(_) => {}
                Err(error) if error.kind() != io::ErrorKind::WouldBlock => return Err(PipeError::Closed),
                Err(_) if news.exit => return Err(PipeError::Closed),
                Err(_) => {}
            }
        }
        let at = self.read_at;
        self.lines.next_line().map(|line| ReceivedLine { line, at }).ok_or(PipeError::TimedOut)
    }

    /// Throws away what has been written so far and nobody asked for.
    pub fn drain(&mut self) {
        for _ in 0..DRAINS {
            while self.lines.next_line().is_some() {}
            if !matches!(self.read(), Ok(1..)) {
                return;
            }
        }
    }

    /// Waits for the end of the process, throwing away what it writes; says whether it came before the deadline.
    pub fn await_exit(&mut self, deadline: Instant, stop: &Stop) -> bool {
        let mut open = true;
        loop {
            let flags = if open { PollFlags::IN } else { PollFlags::empty() };
            match wait(PollFd::new(&self.output, flags), &self.exit, stop, deadline) {
                Ok(Ready { exit: true, .. }) => return true,
                Ok(_) if open => {
                    open = matches!(self.read(), Ok(1..));
                    while self.lines.next_line().is_some() {}
                }
                // The output is closed, which poll reports whatever is asked for; only the exit is left to wait for.
                Ok(_) => return ended_before(&self.exit, deadline),
                Err(_) => return false,
            }
        }
    }

    fn read(&mut self) -> io::Result<usize> {
        let count = loop {
            match self.output.read(self.lines.space()) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                count => break count?,
            }
        };
        self.read_at = Instant::now();
        self.lines.filled(count);
        Ok(count)
    }
}

/// Waits for a pipe, the end of the process, the stop or the deadline.
fn wait(pipe: PollFd<'_>, exit: &PipeReader, stop: &Stop, deadline: Instant) -> Result<Ready, PipeError> {
    let mut fds = [pipe, PollFd::new(exit, PollFlags::IN), PollFd::new(stop, PollFlags::IN)];
    if !poll_until(&mut fds, deadline) {
        return Err(PipeError::TimedOut);
    }
    let [pipe, exit, stop] = fds.map(|fd| !fd.revents().is_empty());
    if stop { Err(PipeError::Stopped) } else { Ok(Ready { pipe, exit }) }
}

/// Waits for the end of the process; says whether it came before the deadline.
pub(super) fn ended_before(exit: &PipeReader, deadline: Instant) -> bool {
    poll_until(&mut [PollFd::new(exit, PollFlags::IN)], deadline)
}

/// Whether there was news before the deadline.
fn poll_until(fds: &mut [PollFd<'_>], deadline: Instant) -> bool {
    loop {
        let left = deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return false;
        }
        let left = Timespec::try_from(left).unwrap_or(Timespec { tv_sec: i64::from(i32::MAX), tv_nsec: 0 });
        match poll(fds, Some(&left)) {
            Ok(0) | Err(Errno::INTR) => {}
            Ok(_) => return true,
            // Only a lack of memory is left, and then nothing can be waited for.
            Err(_) => return false,
        }
    }
}
