//! Why an engine gives no answer that counts.

use super::program::Replaced;
use super::stop::Stopped;
use kroo::printable::counted;
use rustix::io::Errno;
use std::io;
use std::path::Path;
use std::time::Duration;

/// Why an engine gave no valid answer.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    /// The process cannot be started.
    #[error("could not be started: {0}")]
    NotStarted(String),
    /// Its program has changed since the match began.
    #[error("cannot be started: {0}")]
    Replaced(io::Error),
    /// The system has run out of files, processes or memory, which is not the engine's fault.
    #[error("cannot start engines: {0}")]
    OutOfResources(io::Error),
    /// The process has exited, or has closed its pipes.
    #[error("{0}")]
    Crash(String),
    /// There is no answer.
    #[error("gave no {expected} within {:.3} s", .within.as_secs_f64())]
    NoAnswer {
        /// The expected answer.
        expected: &'static str,
        /// How long the referee has waited.
        within: Duration,
    },
    /// There is text, but nothing of the protocol.
    #[error("gave no `bestmove`, only text that is not in the protocol ({}, the last `{last}`)", counted(*.lines, "line"))]
    Garbage {
        /// How many lines.
        lines: u64,
        /// The last of them, clipped.
        last: String,
    },
    /// The answer has no move in it.
    #[error("answered `{0}`")]
    NoMove(String),
    /// The answer came too late.
    #[error("was {:.3} s late", .by.as_secs_f64())]
    Late {
        /// By how much; the margin is not subtracted.
        by: Duration,
    },
    /// The answer was read too late, but the referee itself did not run meanwhile, and that explains it.
    #[error("was {:.3} s late, but the referee was not scheduled for {:.3} s", .by.as_secs_f64(), .stalled.as_secs_f64())]
    Stalled {
        /// How late it was; the margin is not subtracted.
        by: Duration,
        /// For how long the referee did not run.
        stalled: Duration,
    },
    /// The engine was suspended when its answer was due. It can do that itself, and so can another engine.
    #[error(
        "gave no {expected} within {:.3} s, as {} (SIGSTOP)", .within.as_secs_f64(),
        if *.itself { "it has suspended itself" } else { "its process was suspended" }
    )]
    Suspended {
        /// The expected answer.
        expected: &'static str,
        /// How long the referee has waited.
        within: Duration,
        /// No other engine can have done it.
        itself: bool,
    },
    /// The engine's answer was late because its opponent used the processors.
    #[error(
        "was late: in {:.3} s it waited {:.3} s for a processor and ran {:.3} s, while its opponent used {:.3} s of processor time",
        .within.as_secs_f64(), .waited.as_secs_f64(), .worked.as_secs_f64(), .rival.as_secs_f64()
    )]
    Starved {
        /// The time that was looked at.
        within: Duration,
        /// How long it was ready to run, and did not.
        waited: Duration,
        /// Its own processor time.
        worked: Duration,
        /// Its opponent's.
        rival: Duration,
    },
    /// The engine's shim was killed, which the engine cannot have done alone.
    #[error("lost its shim, the process that watches over it")]
    ShimLost,
    /// The match was stopped.
    #[error(transparent)]
    Stopped(#[from] Stopped),
}

impl EngineError {
    /// Why a program could not be started.
    pub(crate) fn at_start(command: &Path, error: io::Error) -> EngineError {
        let exhausted = [Errno::MFILE, Errno::NFILE, Errno::AGAIN, Errno::NOMEM].map(Errno::raw_os_error);
        if error.raw_os_error().is_some_and(|code| exhausted.contains(&code)) {
            return EngineError::OutOfResources(error);
        }
        if error.get_ref().is_some_and(|error| error.is::<Replaced>()) {
            return EngineError::Replaced(error);
        }
        let shown = command.display();
        EngineError::NotStarted(match error.kind() {
            io::ErrorKind::NotFound if command.is_file() => {
                format!("{shown} exists, but not the interpreter or loader that it asks for")
            }
            io::ErrorKind::NotFound => format!("program not found: {shown}"),
            _ => format!("{shown}: {error}"),
        })
    }
}
