//! Standard output and standard error that never block the writer.
//!
//! A write to a full pipe waits until its reader takes something. A session that waits there receives no `quit`, and a referee
//! obeys no signal. Bytes without space in the pipe are therefore queued here, and a separate thread writes them. It starts when
//! first needed: as long as the reader keeps up, a write costs one more system call and no change of threads.
//!
//! A queue has a bound (`MOST`); only a client that leaves more unread is waited for, until [`let_go`].

use crate::printable;
use std::io::{self, Write};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// Maximum bytes that wait for the reader: some ten thousand boards.
const MOST: usize = 16 << 20;
/// How long the end of the program waits for a reader that takes nothing.
const PATIENCE: Duration = Duration::from_millis(800);
/// Bytes of a write. A pipe that is ready for writing has room for as many (`PIPE_BUF` on Linux).
#[cfg(unix)]
const PIECE: usize = if cfg!(target_os = "linux") { 4096 } else { 512 };

static QUEUES: [Queue; 2] = [const { Queue { state: Mutex::new(State::NEW), changed: Condvar::new() } }; 2];

/// One of the two streams.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stream {
    Output,
    Errors,
}

/// How long the end of the program waits for a reader.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Patience {
    /// For less than a second.
    Short,
    /// As long as it takes something; then the rest is lost, which is an error.
    WhileRead,
    /// For ever, until [`let_go`].
    Unlimited,
}

/// A writer to a stream. `flush` writes its bytes.
#[derive(Debug)]
pub struct QueuedWriter {
    buffer: Vec<u8>,
    stream: Stream,
}

#[derive(Debug)]
struct Queue {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug)]
struct State {
    /// Bytes for the thread.
    waiting: Vec<u8>,
    /// Bytes that the thread is writing.
    in_flight: usize,
    /// Bytes that it has written.
    written: u64,
    has_thread: bool,
    /// No thread waits for the reader any more.
    is_let_go: bool,
    /// Why nothing more can be written.
    failed: Option<io::ErrorKind>,
}

impl State {
    const NEW: State = State {
        waiting: Vec::new(),
        in_flight: 0,
        written: 0,
        has_thread: false,
        is_let_go: false,
        failed: None,
    };

    fn left(&self) -> usize {
        self.waiting.len() + self.in_flight
    }
}

/// From now on no write waits for a reader, and [`Stream::end`] waits for less than a second after the last byte was taken.
pub fn let_go() {
    for queue in &QUEUES {
        queue.lock().is_let_go = true;
        queue.changed.notify_all();
    }
}

impl Stream {
    pub fn writer(self) -> QueuedWriter {
        QueuedWriter { buffer: Vec::new(), stream: self }
    }

    /// Prints the [`printable::lines`] of a text.
    ///
    /// # Errors
    /// If it is closed or full. Then the error of an earlier line may come with a later one.
    pub fn print(self, text: &str) -> io::Result<()> {
        self.queue().write(self, format!("{}\n", printable::lines(text)).as_bytes())
    }

    /// Waits until the reader has taken everything.
    ///
    /// # Errors
    /// If it cannot be written, or its end is lost.
    pub fn end(self, patience: Patience) -> io::Result<()> {
        let queue = self.queue();
        let mut state = queue.lock();
        let (mut since, mut before) = (Instant::now(), state.written);
        while state.left() > 0 && state.failed.is_none() {
            if patience == Patience::Unlimited && !state.is_let_go {
                state = queue.wait(state);
                since = Instant::now();
                continue;
            }
            if patience != Patience::Short && state.written > before {
                (since, before) = (Instant::now(), state.written);
            }
            let left = PATIENCE.saturating_sub(since.elapsed());
            if left.is_zero() {
                if patience != Patience::WhileRead {
                    return Ok(());
                }
                let problem =
                    format!("its reader takes nothing, so its last {} bytes are lost", state.left());
                return Err(io::Error::new(io::ErrorKind::TimedOut, problem));
            }
            state = queue.wait_for(state, left);
        }
        state.failed.map_or(Ok(()), |kind| Err(kind.into()))
    }

    fn queue(self) -> &'static Queue {
        &QUEUES[self as usize]
    }
}

impl Queue {
    // No code that can panic runs while the lock is held, so a poisoned lock is usable.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'a>(&self, state: MutexGuard<'a, State>) -> MutexGuard<'a, State> {
        self.changed.wait(state).unwrap_or_else(PoisonError::into_inner)
    }

    fn wait_for<'a>(&self, state: MutexGuard<'a, State>, time: Duration) -> MutexGuard<'a, State> {
        self.changed.wait_timeout(state, time).unwrap_or_else(PoisonError::into_inner).0
    }

    /// Writes bytes that the stream has space for, and queues the others.
    fn write(&'static self, stream: Stream, bytes: &[u8]) -> io::Result<()> {
        let mut state = self.lock();
        let mut left = bytes;
        while state.left() == 0 && !left.is_empty() {
            match write_some(stream, left, false)? {
                0 => break,
                count => left = &left[count..],
            }
        }
        if !left.is_empty() {
            state.waiting.extend_from_slice(left);
            if !std::mem::replace(&mut state.has_thread, true) {
                thread::Builder::new().name("output".to_owned()).spawn(move || self.work(stream))?;
            }
            self.changed.notify_all();
        }
        while state.left() > MOST && !state.is_let_go && state.failed.is_none() {
            state = self.wait(state);
        }
        state.failed.map_or(Ok(()), |kind| Err(kind.into()))
    }

    /// Writes the queued bytes, for ever.
    fn work(&self, stream: Stream) {
        let mut state = self.lock();
        while state.failed.is_none() {
            if state.waiting.is_empty() {
                state = self.wait(state);
                continue;
            }
            let bytes = std::mem::take(&mut state.waiting);
            let mut left = bytes.as_slice();
            while !left.is_empty() && state.failed.is_none() {
                state.in_flight = left.len();
                drop(state);
                let written = write_some(stream, left, true);
                state = self.lock();
                match written {
                    Ok(count) => {
                        left = &left[count..];
                        state.written += count as u64;
                    }
                    Err(error) => state.failed = Some(error.kind()),
                }
                state.in_flight = left.len();
                self.changed.notify_all();
            }
        }
    }
}

impl Write for QueuedWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.buffer.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.buffer.is_empty() {
            return Ok(());
        }
        let written = self.stream.queue().write(self.stream, &self.buffer);
        self.buffer.clear();
        written
    }
}

/// Writes as many bytes as there is space for. Without space it waits, or writes none.
#[cfg(unix)]
fn write_some(stream: Stream, bytes: &[u8], wait: bool) -> io::Result<usize> {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    use rustix::io::{Errno, write};
    use std::os::fd::AsFd;
    let (output, errors) = (io::stdout(), io::stderr());
    let file = if stream == Stream::Output { output.as_fd() } else { errors.as_fd() };
    let now = Timespec { tv_sec: 0, tv_nsec: 0 };
    loop {
        let mut polled = [PollFd::new(&file, PollFlags::OUT)];
        match poll(&mut polled, (!wait).then_some(&now)) {
            Ok(0) => return Ok(0),
            Err(Errno::INTR) => continue,
            // What cannot be polled can be written, or the write says why not.
            _ => {}
        }
        match write(file, &bytes[..bytes.len().min(PIECE)]) {
            Err(Errno::INTR) => {}
            // Its starter has made the pipe one that never waits.
            Err(Errno::AGAIN) if !wait => return Ok(0),
            Err(Errno::AGAIN) => {}
            // As the standard library does: a program may be started without the stream.
            Err(Errno::BADF) => return Ok(bytes.len()),
            written => return Ok(written?),
        }
    }
}

/// Elsewhere only the thread writes.
#[cfg(not(unix))]
fn write_some(stream: Stream, bytes: &[u8], wait: bool) -> io::Result<usize> {
    if !wait {
        return Ok(0);
    }
    if stream == Stream::Errors {
        return io::stderr().write(bytes);
    }
    let mut output = io::stdout();
    let count = output.write(bytes)?;
    output.flush()?;
    Ok(count)
}
