//! The conversation without threads: a driver passes lines, and calls the session to work on them.
//!
//! This is for a browser worker, which has one thread. A job pauses after each slice of time, and in a pause the driver may
//! pass lines: so `isready` is answered during a search here too, and `stop` stops it.

use super::conversation::{PendingJob, Session, StartError};
use super::job::{AfterPause, Event, JobRunner};
use super::reader::{Input, MAX_LINE_BYTES};
use crate::protocol::Settings;
use crate::time::Instant;
use std::cell::{Cell, RefCell};
use std::io::{self, Write};
use std::time::Duration;

/// A session driven by its owner, on one thread.
pub struct SlicedSession<W> {
    /// Borrowed for a line or an event at a time, never while a job runs.
    session: RefCell<Session<W>>,
    /// A job suspended at the end of a slice.
    left: RefCell<Option<PendingJob>>,
    /// Consecutive suspensions of a search without progress.
    fruitless: Cell<u32>,
}

/// Longest slice. The slices of a search without progress grow to it; `stop` may have to wait this long.
const LONGEST_SLICE: Duration = Duration::from_millis(250);

impl<W: Write> SlicedSession<W> {
    /// A session that writes to `output`.
    ///
    /// # Errors
    /// If there is not enough memory for the transposition table, or a file of the settings is not usable.
    pub fn new(output: W, settings: Settings) -> Result<SlicedSession<W>, StartError> {
        let session = RefCell::new(Session::new(output, settings)?);
        Ok(SlicedSession { session, left: RefCell::new(None), fruitless: Cell::new(0) })
    }

    /// Answers a line, but leaves jobs to [`SlicedSession::work`].
    ///
    /// # Errors
    /// If the output cannot be written.
    pub fn take_line(&self, line: &str) -> io::Result<()> {
        let line = if line.len() > MAX_LINE_BYTES { Input::TooLong } else { Input::Line(line.to_owned()) };
        let mut session = self.session.borrow_mut();
        session.take_line(line)?;
        session.flush()
    }

    /// Runs the pending jobs. After each slice of time it calls `pause`, where the driver may pass lines.
    ///
    /// A driver that cannot do so within a call returns [`AfterPause::Leave`]. Then a search is suspended, and resumed by the
    /// next call of `work`; it regains its depth through the transposition table, but is slower and visits other nodes. Its
    /// slices grow as long as it makes no progress, so it ends even on the slowest machine. Other jobs run to their end. Returns
    /// whether a job was suspended.
    ///
    /// # Errors
    /// If the output cannot be written.
    pub fn work(&self, slice: Duration, pause: &dyn Fn() -> AfterPause) -> io::Result<bool> {
        let slice = slice.max(LONGEST_SLICE.min(slice.saturating_mul(1 << self.fruitless.get().min(16))));
        let (result, is_further) = (Cell::new(Ok(())), Cell::new(false));
        let end_of_slice = Cell::new(Instant::now() + slice);
        let runner = JobRunner {
            tell: &|event| {
                if matches!(event, Event::Iteration(..)) {
                    is_further.set(true);
                }
                let mut session = self.session.borrow_mut();
                let told = session.take_event(event).and_then(|()| session.flush());
                if told.is_err() {
                    result.set(told);
                }
            },
            pause: &|| {
                if Instant::now() < end_of_slice.get() {
                    return AfterPause::GoOn;
                }
                let after = pause();
                end_of_slice.set(Instant::now() + slice);
                after
            },
        };
        while let Some((job, control)) = self.next_job() {
            if let Some(job) = runner.run(job, &control) {
                *self.left.borrow_mut() = Some((job, control));
                break;
            }
        }
        let is_left = self.left.borrow().is_some();
        self.fruitless.set(if is_left && !is_further.get() {
            self.fruitless.get().saturating_add(1)
        } else {
            0
        });
        result.into_inner().map(|()| is_left)
    }

    /// The next job. In a separate function the borrow ends before the job runs.
    fn next_job(&self) -> Option<PendingJob> {
        self.left.borrow_mut().take().or_else(|| self.session.borrow_mut().take_job())
    }

    /// Whether `quit` has ended the conversation.
    pub fn is_over(&self) -> bool {
        self.session.borrow().is_over()
    }
}
