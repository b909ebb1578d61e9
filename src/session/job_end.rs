//! Waiting for the end of a job: of a short one, and of one that goes on when the input has ended.

use super::conversation::Session;
use super::reader::Input;
use crate::protocol::Command;
use crossbeam_channel::{RecvError, RecvTimeoutError, never, select};
use std::io::{self, Write};
use std::time::Duration;

/// How often a job that nobody can stop any more is asked whether somebody reads its output.
const LOOK_FOR_READER: Duration = Duration::from_millis(500);
/// Most lines that wait for the end of a short job before no more are read.
const MAX_WAITING: usize = 64;

impl<W: Write> Session<W> {
    /// After the end of the input: waits for a job that ends by itself, as long as somebody reads what it says.
    pub(super) fn finish_bounded_job(&mut self) -> io::Result<()> {
        while self.job.as_ref().is_some_and(|job| job.bounded) && !nobody_reads() {
            match self.channels.events.recv_timeout(LOOK_FOR_READER) {
                Ok(event) => self.handle_event(event)?,
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(io::Error::other("the search thread has died"));
                }
            }
            self.output.flush()?;
        }
        Ok(())
    }

    /// Waits for the end of a job that is over soon. Lines that come meanwhile wait too, but `stop` and `quit` end the job.
    pub(super) fn wait_for_job(&mut self) -> io::Result<()> {
        let events = self.channels.events.clone();
        let mut lines = self.lines.clone();
        while let Some(job) = &self.job {
            select! {
                recv(events) -> event => {
                    let event = event.map_err(|_| io::Error::other("the search thread has died"))?;
                    self.handle_event(event)?;
                }
                recv(lines) -> line => match line {
                    Ok(line) => {
                        if ends_job(&line) {
                            job.control.stop();
                        }
                        self.waiting.push_back(line);
                        if self.waiting.len() >= MAX_WAITING {
                            lines = never();
                        }
                    }
                    Err(RecvError) => lines = never(),
                },
            }
        }
        Ok(())
    }
}

/// Whether a line asks to stop what is going on.
fn ends_job(line: &Input) -> bool {
    let Input::Line(line) = line else { return false };
    matches!(Command::parse(line), Ok(Some(Command::Stop | Command::Quit)))
}

/// Whether standard output is a pipe whose other end is closed.
#[cfg(target_os = "linux")]
fn nobody_reads() -> bool {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    let stdout = io::stdout();
    let mut polled = [PollFd::new(&stdout, PollFlags::empty())];
    let now = Timespec { tv_sec: 0, tv_nsec: 0 };
    poll(&mut polled, Some(&now)).is_ok() && polled[0].revents().contains(PollFlags::ERR)
}

/// Elsewhere it shows when something is written.
#[cfg(not(target_os = "linux"))]
fn nobody_reads() -> bool {
    false
}
