//! The conversation over standard input and output: the session, a reader thread and a search thread.

use super::conversation::Session;
use super::job::{AfterPause, Event, Job, JobControl, JobRunner};
use super::reader::{self, Input};
use crate::protocol::{Command, GoCommand};
use crossbeam_channel::{
    Receiver, RecvError, RecvTimeoutError, Sender, TryRecvError, bounded, never, select, unbounded,
};
use std::io::{self, Read, Write};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

/// Interval at which a job that can no longer be stopped checks whether its output is still read.
const LOOK_FOR_READER: Duration = Duration::from_millis(500);

/// An item for the loop: from one of the two channels, or the end of one.
enum Incoming {
    Line(Result<Input, RecvError>),
    Event(Result<Event, RecvError>),
}

/// How a conversation has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// By `quit`, or because the client has closed the output.
    ByQuit,
    /// With the input.
    OfInput,
}

impl<W: Write> Session<W> {
    /// Reads and answers lines until `quit` or the end of the input.
    ///
    /// # Errors
    /// If the output cannot be written, or the system starts no thread. A closed output pipe is no error: the client has gone.
    pub fn run(mut self, input: impl Read + Send + 'static) -> io::Result<End> {
        self.resources.build_in_background(&self.settings);
        self.converse(input)
    }

    /// The same without starting the background work.
    ///
    /// # Errors
    /// Those of [`run`](Session::run).
    pub fn converse(self, input: impl Read + Send + 'static) -> io::Result<End> {
        let mut threads = Threads::beside(self)?;
        let lines = reader::lines(input)?;
        let mut end = End::ByQuit;
        ignore_broken_pipe(threads.converse(&lines, &mut end)).map(|()| end)
    }

    /// Runs one command and waits for its final reply.
    ///
    /// No reply is held back, because `stop` cannot arrive.
    ///
    /// # Errors
    /// If the output cannot be written, or the system starts no thread. A closed output pipe is no error.
    pub fn run_one(mut self, command: &Command) -> io::Result<()> {
        if let Command::Go(GoCommand::Search(_)) = command {
            self.resources.build_in_background(&self.settings);
        }
        ignore_broken_pipe(Threads::beside(self)?.carry_out(command))
    }
}

struct Threads<W> {
    session: Session<W>,
    channels: JobChannels,
}

impl<W: Write> Threads<W> {
    fn beside(session: Session<W>) -> io::Result<Threads<W>> {
        let channels = start_search_thread().map_err(|error| {
            io::Error::new(error.kind(), format!("no thread can be started for the search: {error}"))
        })?;
        Ok(Threads { session, channels })
    }

    fn converse(&mut self, lines: &Receiver<Input>, end: &mut End) -> io::Result<()> {
        while !self.session.is_over() {
            match self.receive(lines) {
                Incoming::Line(Ok(line)) => self.session.take_line(line)?,
                Incoming::Line(Err(RecvError)) => {
                    *end = End::OfInput;
                    self.finish_awaited_jobs()?;
                    self.finish_bounded_job()?;
                    self.session.quit()?;
                }
                Incoming::Event(event) => self.session.take_event(event.map_err(search_has_died)?)?,
            }
            self.hand_over()?;
        }
        Ok(())
    }

    fn receive(&self, lines: &Receiver<Input>) -> Incoming {
        let events = &self.channels.events;
        let never_comes = never();
        let lines = if self.session.takes_lines() { lines } else { &never_comes };
        let soon = spin(|| {
            let event = poll(events).map(Incoming::Event);
            event.or_else(|| poll(lines).map(Incoming::Line))
        });
        soon.unwrap_or_else(|| {
            select! {
                recv(lines) -> line => Incoming::Line(line),
                recv(events) -> event => Incoming::Event(event),
            }
        })
    }

    /// Sends a new job to the search thread, and flushes the output.
    fn hand_over(&mut self) -> io::Result<()> {
        if let Some(job) = self.session.take_job() {
            self.channels.jobs.send(job).map_err(|_| search_has_died(RecvError))?;
        }
        self.session.flush()
    }

    fn carry_out(&mut self, command: &Command) -> io::Result<()> {
        self.session.execute(command)?;
        self.session.release()?;
        self.hand_over()?;
        while self.session.job.is_some() {
            self.next_event()?;
        }
        Ok(())
    }

    /// Waits for the next event of the job.
    fn next_event(&mut self) -> io::Result<()> {
        let event = self.channels.events.recv().map_err(search_has_died)?;
        self.session.take_event(event)?;
        self.hand_over()
    }

    /// After the end of the input: answers the lines that still wait for the end of a job.
    fn finish_awaited_jobs(&mut self) -> io::Result<()> {
        while self.session.awaits_job() {
            self.next_event()?;
        }
        Ok(())
    }

    /// After the end of the input: waits for a job that ends by itself, as long as its output is read.
    fn finish_bounded_job(&mut self) -> io::Result<()> {
        while self.session.job.as_ref().is_some_and(|job| job.bounded) && !nobody_reads() {
            match self.channels.events.recv_timeout(LOOK_FOR_READER) {
                Ok(event) => self.session.take_event(event)?,
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Err(search_has_died(RecvError)),
            }
            self.hand_over()?;
        }
        Ok(())
    }
}

fn search_has_died(_: RecvError) -> io::Error {
    io::Error::other("the search thread has died")
}

fn ignore_broken_pipe(result: io::Result<()>) -> io::Result<()> {
    match result {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        result => result,
    }
}

/// Whether standard output is a pipe with its other end closed.
#[cfg(target_os = "linux")]
fn nobody_reads() -> bool {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    let stdout = io::stdout();
    let mut polled = [PollFd::new(&stdout, PollFlags::empty())];
    let now = Timespec { tv_sec: 0, tv_nsec: 0 };
    poll(&mut polled, Some(&now)).is_ok() && polled[0].revents().contains(PollFlags::ERR)
}

/// Elsewhere, only a write shows that the pipe is closed.
#[cfg(not(target_os = "linux"))]
fn nobody_reads() -> bool {
    false
}

/// The session's end of the channels.
struct JobChannels {
    /// Takes jobs, one at a time.
    jobs: Sender<(Job, Arc<JobControl>)>,
    /// The job's events. After the last one the thread waits for the next job.
    events: Receiver<Event>,
}

/// Starts the search thread, which ends when the session drops its end of the channels.
fn start_search_thread() -> io::Result<JobChannels> {
    let (job_sender, jobs) = bounded::<(Job, Arc<JobControl>)>(1);
    // A search sends a few hundred events at most, so the channel stays small.
    let (events, event_receiver) = unbounded();
    let work = move || {
        // Without a session the events are dropped; the channel of jobs is closed then too.
        let runner = JobRunner { tell: &|event| drop(events.send(event)), pause: &|| AfterPause::GoOn };
        while let Ok((job, control)) = spin(|| poll(&jobs)).unwrap_or_else(|| jobs.recv()) {
            let left = runner.run(job, &control);
            debug_assert!(left.is_none(), "no pause asks for it");
        }
    };
    thread::Builder::new().name("search".to_owned()).spawn(work)?;
    Ok(JobChannels { jobs: job_sender, events: event_receiver })
}

// Waking a thread costs some 25 µs on an idle processor, and there are five wake-ups between `go depth 1` and `bestmove`: the
// reader, the loop, the search, the loop again, and the client. So a thread that was just busy polls, yielding the processor,
// in case the next message is close, and only then blocks. Median over pipes with one request right after the other: 104 µs
// without spinning, 10 to 35 µs with it (commit c17779c).

/// Spinning time: twice the cost of a wake-up, and a fraction of a percent of a move in the fastest matches.
const SPIN_TIME: Duration = Duration::from_micros(60);

/// Polls for a short time; `None` if nothing came. The caller should then block.
fn spin<T>(mut poll: impl FnMut() -> Option<T>) -> Option<T> {
    let start = Instant::now();
    loop {
        if let Some(found) = poll() {
            return Some(found);
        }
        if start.elapsed() >= SPIN_TIME {
            return None;
        }
        thread::yield_now();
    }
}

/// The state of a channel: a message, its end, or nothing.
fn poll<T>(channel: &Receiver<T>) -> Option<Result<T, RecvError>> {
    match channel.try_recv() {
        Ok(message) => Some(Ok(message)),
        Err(TryRecvError::Disconnected) => Some(Err(RecvError)),
        Err(TryRecvError::Empty) => None,
    }
}
