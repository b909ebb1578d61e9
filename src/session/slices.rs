//! The conversation without threads: a driver hands over lines, and gives time to work on what they have started.
//!
//! This is for a worker of a browser, which has one thread. While a job runs it pauses after each slice of time, and in
//! such a pause the driver may hand over lines: so `isready` is answered during a search here too, and `stop` stops it.

use super::conversation::{PendingJob, Session, StartError};
use super::job::{AfterPause, Event, JobRunner};
use super::reader::{Input, MAX_LINE};
use crate::protocol::Settings;
use crate::time::Instant;
use std::cell::{Cell, RefCell};
use std::io::{self, Write};
use std::time::Duration;

/// A session that is driven by its owner, on one thread.
pub struct SlicedSession<W> {
    /// Borrowed for a line or an event at a time, never while a job runs.
    session: RefCell<Session<W>>,
    /// A job that was left at the end of a slice.
    left: RefCell<Option<PendingJob>>,
    /// How often in a row a search was left without having come further.
    fruitless: Cell<u32>,
}

/// The slices of a search that comes no further grow up to this: so long may `stop` have to wait.
const LONGEST_SLICE: Duration = Duration::from_millis(250);

impl<W: Write> SlicedSession<W> {
    /// A session with these settings that writes to an output.
    ///
    /// # Errors
    /// If there is no memory for the transposition table, or a file of the settings cannot be used.
    pub fn new(output: W, settings: Settings) -> Result<SlicedSession<W>, StartError> {
        let session = RefCell::new(Session::new(output, settings)?);
        Ok(SlicedSession { session, left: RefCell::new(None), fruitless: Cell::new(0) })
    }

    /// Answers a line. What takes its time is left to [`SlicedSession::work`].
    ///
    /// # Errors
    /// If the output cannot be written.
    pub fn take_line(&self, line: &str) -> io::Result<()> {
        let line = if line.len() > MAX_LINE { Input::TooLong } else { Input::Line(line.to_owned()) };
        let mut session = self.session.borrow_mut();
        session.take_line(line)?;
        session.flush()
    }

    /// Works on what is to be done. After each slice of time it calls `pause`, in which the driver may hand over lines.
    ///
    /// A driver that cannot do so within a call says [`AfterPause::Leave`]. Then a search is left, and gone on with in the next
    /// call of `work`; it finds its way back through the transposition table, so it is slower and visits other nodes. As long as
    /// it comes no further, its slices become longer: on the slowest machine it comes to its end. Whatever else is done is not
    /// left before its end. Returns whether something was left.
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

    /// The job that is to be done. Borrowing ends here, before it is done.
    fn next_job(&self) -> Option<PendingJob> {
        self.left.borrow_mut().take().or_else(|| self.session.borrow_mut().take_job())
    }

    /// Whether `quit` has ended the conversation.
    pub fn is_over(&self) -> bool {
        self.session.borrow().is_over()
    }
}
