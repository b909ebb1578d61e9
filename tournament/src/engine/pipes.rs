//! The pipes to a process, with a deadline for every read and write. They are pairs of sockets, each used in one direction:
//! other processes can open a pipe through `/proc`, but no socket.
//!
//! There is no reader thread and no queue: the pipe itself is the queue. A thread that waits for a line polls the engine's
//! output, its exit and the [stop switch](Stop) together, reads the available bytes, and records the time. An engine that floods
//! its output fills only its own pipe: at the deadline the waiting bytes are read once more, but none that follow.

use super::line_buffer::{Line, LineBuffer};
use super::stop::Stop;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use std::io::{self, Read, Write};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::time::Instant;

/// Both pipes of an engine.
#[derive(Debug)]
pub struct Pipes {
    /// `None` once it is closed.
    input: Option<UnixStream>,
    output: UnixStream,
    /// Readable when the process has exited.
    exit: OwnedFd,
    lines: LineBuffer,
    /// When the buffered lines were read.
    read_at: Instant,
    /// The process has closed its input.
    is_deaf: bool,
}

/// A line, and when it was read.
#[derive(Clone, Copy, Debug)]
pub struct ReceivedLine<'a> {
    pub line: Line<'a>,
    /// When it was read from the pipe.
    pub at: Instant,
}

/// Why nothing could be read or written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PipeError {
    /// The deadline has passed.
    TimedOut,
    /// The process has exited, or closed the pipe.
    Closed,
    /// The match was stopped.
    Stopped,
    /// Nothing here, but the other output that is watched has something.
    Aside,
}

/// The source that became ready.
struct Ready {
    pipe: bool,
    exit: bool,
    aside: bool,
    /// The deadline had passed when it was looked for.
    late: bool,
}

impl Pipes {
    /// The pipes of a process; `exit` becomes readable when the process exits.
    pub fn new(input: UnixStream, output: UnixStream, exit: OwnedFd) -> io::Result<Pipes> {
        input.set_nonblocking(true)?;
        output.set_nonblocking(true)?;
        Ok(Pipes {
            input: Some(input),
            output,
            exit,
            lines: LineBuffer::default(),
            read_at: Instant::now(),
            is_deaf: false,
        })
    }

    /// Writes everything; `text` becomes the unwritten rest. If the process does not read, that takes until the deadline at most.
    pub fn send(&mut self, text: &mut &[u8], deadline: Instant, stop: &Stop) -> Result<(), PipeError> {
        let Some(input) = &mut self.input else { return Err(PipeError::Closed) };
        let mut late = false;
        while !text.is_empty() {
            match input.write(text) {
                Ok(written) => *text = &text[written..],
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) if error.kind() == io::ErrorKind::WouldBlock && late => {
                    return Err(PipeError::TimedOut);
                }
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    let pipe = PollFd::new(&*input, PollFlags::OUT);
                    let ready = wait(pipe, &self.exit, (Some(stop), None), deadline)?;
                    late = ready.late;
                    if ready.exit && !ready.pipe {
                        return Err(PipeError::Closed);
                    }
                }
                Err(_) => {
                    self.is_deaf = true;
                    return Err(PipeError::Closed);
                }
            }
        }
        Ok(())
    }

    /// Whether the process has closed its input before all was sent.
    pub fn is_deaf(&self) -> bool {
        self.is_deaf
    }

    /// Closes the engine's input.
    pub fn close_input(&mut self) {
        self.input = None;
    }

    /// The next line, or [`PipeError::Aside`] as soon as another output, if one is given, has something to be read.
    ///
    /// # Errors
    /// Why no line came before the deadline. Lines written before the process exited are still delivered, and so are those of one
    /// read after the deadline: bytes waiting there may have come in time.
    pub fn receive(
        &mut self,
        deadline: Instant,
        stop: &Stop,
        aside: Option<BorrowedFd<'_>>,
    ) -> Result<ReceivedLine<'_>, PipeError> {
        while !self.lines.has_line() {
            if self.read_at > deadline {
                return Err(PipeError::TimedOut);
            }
            let pipe = PollFd::new(&self.output, PollFlags::IN);
            let ready = wait(pipe, &self.exit, (Some(stop), aside), deadline)?;
            if ready.aside && !ready.pipe && !ready.exit {
                return Err(if ready.late { PipeError::TimedOut } else { PipeError::Aside });
            }
            match self.read() {
                Ok(0) => return Err(PipeError::Closed),
                Ok(_) => {}
                Err(error) if error.kind() != io::ErrorKind::WouldBlock => return Err(PipeError::Closed),
                Err(_) if ready.exit => return Err(PipeError::Closed),
                Err(_) => {}
            }
        }
        let at = self.read_at;
        self.lines.next_line().map(|line| ReceivedLine { line, at }).ok_or(PipeError::TimedOut)
    }

    /// The process's output, to wait for it together with another one's.
    pub fn output(&self) -> BorrowedFd<'_> {
        self.output.as_fd()
    }

    /// Reads what has been written, without waiting, at most `reads` times, and passes the lines on. Returns whether more may
    /// come.
    pub fn absorb(&mut self, reads: usize, mut take: impl FnMut(Instant, Line<'_>)) -> bool {
        for left in (0..=reads).rev() {
            while let Some(line) = self.lines.next_line() {
                take(self.read_at, line);
            }
            if left == 0 {
                break;
            }
            match self.read() {
                Ok(1..) => {}
                Ok(_) => return false,
                Err(error) => return error.kind() == io::ErrorKind::WouldBlock,
            }
        }
        true
    }

    /// Waits for the process to exit; says whether it did so before the deadline. Its output is discarded. A stop switch, if
    /// one is given, ends that early.
    pub fn await_exit(&mut self, deadline: Instant, stop: Option<&Stop>) -> bool {
        let mut open = true;
        loop {
            let flags = if open { PollFlags::IN } else { PollFlags::empty() };
            match wait(PollFd::new(&self.output, flags), &self.exit, (stop, None), deadline) {
                Ok(Ready { exit: true, .. }) => return true,
                Ok(Ready { late: true, .. }) => return false,
                Ok(_) if open => {
                    open = matches!(self.read(), Ok(1..));
                    while self.lines.next_line().is_some() {}
                }
                // Poll reports a closed output regardless of the events asked for: from here on only the exit is polled.
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

/// Waits for a pipe, the exit of the process, the switch and the other output that are watched, or the deadline.
fn wait(
    pipe: PollFd<'_>,
    exit: &OwnedFd,
    (stop, aside): (Option<&Stop>, Option<BorrowedFd<'_>>),
    deadline: Instant,
) -> Result<Ready, PipeError> {
    let end = PollFd::new(exit, PollFlags::IN);
    // Nothing else is watched: the same descriptor twice does no harm.
    let stop_fd = stop.map_or_else(|| end.clone(), |stop| PollFd::new(stop, PollFlags::IN));
    let aside_fd = aside.map_or_else(|| end.clone(), |fd| PollFd::from_borrowed_fd(fd, PollFlags::IN));
    let mut fds = [pipe, end, stop_fd, aside_fd];
    let polled = if aside.is_some() { 4 } else { 3 };
    let late = poll_until(&mut fds[..polled], deadline).ok_or(PipeError::TimedOut)?;
    let [pipe, exit, stop_ready, aside_ready] = fds.map(|fd| !fd.revents().is_empty());
    if stop.is_some() && stop_ready {
        return Err(PipeError::Stopped);
    }
    Ok(Ready { pipe, exit, aside: aside.is_some() && aside_ready, late })
}

/// Waits for the process to exit; says whether it did so before the deadline.
pub(super) fn ended_before(exit: impl AsFd, deadline: Instant) -> bool {
    poll_until(&mut [PollFd::new(&exit, PollFlags::IN)], deadline).is_some()
}

/// Waits until something is ready; says whether the deadline had passed by then. `None` if nothing is ready at the deadline.
fn poll_until(fds: &mut [PollFd<'_>], deadline: Instant) -> Option<bool> {
    loop {
        // After the deadline it polls once more: bytes available now may have come in time.
        let left = deadline.saturating_duration_since(Instant::now());
        let is_over = left.is_zero();
        let left = Timespec::try_from(left).unwrap_or(Timespec { tv_sec: i64::from(i32::MAX), tv_nsec: 0 });
        match poll(fds, Some(&left)) {
            Ok(0) if is_over => return None,
            Ok(0) | Err(Errno::INTR) => {}
            Ok(_) => return Some(is_over),
            // The only other error is a lack of memory, and then nothing can be waited for.
            Err(_) => return None,
        }
    }
}
