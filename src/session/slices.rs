//! The conversation without threads: a driver hands over lines, and gives time to work on what they have started.
//!
//! This is for a worker of a browser, which has one thread. While a job runs it pauses after each slice of time, and in
//! such a pause the driver may hand over lines: so `isready` is answered during a search here too, and `stop` stops it.

use super::conversation::{PendingJob, Session, StartError};
use super::job::{AfterPause, JobRunner};
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
}

impl<W: Write> SlicedSession<W> {
    /// A session with these settings that writes to an output.
    ///
    /// # Errors
    /// If there is no memory for the transposition table, or a file of the settings cannot be used.
    pub fn new(output: W, settings: Settings) -> Result<SlicedSession<W>, StartError> {
        let session = RefCell::new(Session::new(output, settings)?);
        Ok(SlicedSession { session, left: RefCell::new(None) })
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
    /// call of `work`; it finds its way back through the transposition table, so it is slower and visits other nodes. Whatever
    /// else is done is not left before its end. Returns whether something was left.
    ///
    /// # Errors
    /// If the output cannot be written.
    pub fn work(&self, slice: Duration, pause: &dyn Fn() -> AfterPause) -> io::Result<bool> {
        let result = Cell::new(Ok(()));
        let end_of_slice = Cell::new(Instant::now() + slice);
        let runner = JobRunner {
            tell: &|event| {
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
        result.into_inner().map(|()| self.left.borrow().is_some())
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Variant;
    use std::io::Cursor;
    use std::rc::Rc;

    /// An output that is read while somebody writes it.
    #[derive(Clone, Default)]
    struct Shared(Rc<RefCell<Vec<u8>>>);

    impl Write for Shared {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.borrow_mut().write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    impl Shared {
        fn text(&self) -> String {
            String::from_utf8(self.0.borrow().clone()).expect("text")
        }

        /// What was said, without what depends on the time.
        fn untimed(&self) -> String {
            let timed = |word: &str| ["nps", "time"].contains(&word);
            let mut text = String::new();
            for line in self.text().lines() {
                let mut words = line.split(' ');
                while let Some(word) = words.next() {
                    if timed(word) {
                        words.next();
                    } else {
                        text += word;
                        text.push(' ');
                    }
                }
                text.push('\n');
            }
            text
        }
    }

    fn session() -> (SlicedSession<Shared>, Shared) {
        let output = Shared::default();
        (SlicedSession::new(output.clone(), Settings::default()).expect("a session"), output)
    }

    /// Hands over what is said in each pause, one line or several.
    fn talk(session: &SlicedSession<Shared>, lines: &[&str], slice: Duration, after: AfterPause) {
        let next = Cell::new(0);
        let pause = || {
            if let Some(line) = lines.get(next.get()) {
                next.set(next.get() + 1);
                line.lines().for_each(|line| session.take_line(line).expect("an output"));
            }
            after
        };
        pause();
        while session.work(slice, &pause).expect("an output") {
            pause();
        }
        assert_eq!(next.get(), lines.len(), "everything was said");
    }

    #[test]
    fn lines_are_answered_during_a_search() {
        let (session, output) = session();
        let lines = ["go infinite", "isready", "go depth 1", "sow F", "stop\nposition startpos moves F\nd"];
        talk(&session, &lines, Duration::ZERO, AfterPause::GoOn);
        let text = output.text();
        let places =
            ["readyok", "info string error a search is running", "Lap: F abcd", "bestmove ", "Fen: "];
        let places = places.map(|word| text.rfind(word).unwrap_or_else(|| panic!("no {word}: {text}")));
        assert!(places.is_sorted(), "{text}");
    }

    #[test]
    fn quit_ends_what_goes_on() {
        for line in ["go infinite", "go ponder", "perft 20", "bench 100", "go movetime 600000"] {
            let (session, output) = session();
            talk(&session, &[line, "isready", "quit"], Duration::ZERO, AfterPause::GoOn);
            assert!(session.is_over(), "{line}");
            session.take_line("isready").expect("an output");
            assert_eq!(output.text().matches("readyok").count(), 1, "{line}");
        }
    }

    /// A search that is left again and again comes as far, says each depth once, and can be stopped.
    #[test]
    fn a_search_that_is_left_goes_on() {
        for &variant in Variant::ALL {
            let (session, output) = session();
            let setup = format!("setoption name UCI_Variant value {variant}");
            session.take_line(&setup).expect("an output");
            session.take_line("go depth 9").expect("an output");
            let mut count = 0;
            while session.work(Duration::from_micros(200), &|| AfterPause::Leave).expect("an output") {
                count += 1;
            }
            let text = output.text();
            assert!(
                count > 2 && text.lines().last().is_some_and(|line| line.starts_with("bestmove")),
                "{text}"
            );
            let depths = text
                .lines()
                .filter_map(|line| line.strip_prefix("info depth ")?.split(' ').next()?.parse().ok());
            let depths: Vec<u8> = depths.collect();
            assert!(
                depths.is_sorted() && (depths.last() == Some(&9) || text.contains("proven")),
                "{variant}: {text}"
            );
            assert!(depths.windows(2).filter(|pair| pair[0] == pair[1]).count() <= 1, "{variant}: {text}");

            session.take_line("ucinewgame").expect("an output");
            talk(&session, &["go infinite", "isready", "stop"], Duration::from_millis(2), AfterPause::Leave);
            assert!(output.text().ends_with("bestmove") || output.text().contains("readyok"), "{variant}");
        }
    }

    #[test]
    fn both_drivers_say_the_same() {
        for &variant in Variant::ALL {
            let setup = format!("setoption name UCI_Variant value {variant}");
            let lines =
                [&setup, "uci", "go depth 8", "perft 4", "position startpos moves x", "bench 4", "rules"];
            let (sliced, output) = session();
            for line in lines {
                sliced.take_line(line).expect("an output");
                assert!(!sliced.work(Duration::ZERO, &|| AfterPause::GoOn).expect("an output"));
            }
            // At the end of its input a session finishes what it has begun.
            let threaded = Shared::default();
            for line in &lines[1..] {
                let settings = Settings { variant, ..Settings::default() };
                let session = Session::new(threaded.clone(), settings).expect("a session");
                session.run(Cursor::new(line.as_bytes().to_vec())).expect("an output");
            }
            assert_eq!(output.untimed(), threaded.untimed(), "{variant}");
        }
    }
}
