//! A program that is run for what it prints: confined and killed as an engine is, but not spoken to.

use super::connection::Connection;
use super::error::EngineError;
use super::line_buffer::Line;
use super::pipes::PipeError;
use super::question::Question;
use super::spec::EngineSpec;
use super::stop::{Stop, Stopped};
use super::supervisor::Supervisor;
use std::convert::Infallible;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The last bytes of the output that are kept: at least this many, at most twice as many.
const KEPT: usize = 1 << 20;

/// A program's output and its exit status.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Printed {
    /// The end of its standard output.
    pub text: String,
    /// Whether it has ended with exit status 0.
    pub success: bool,
    /// How it has ended, in words: `ended with exit status 3`.
    pub end: String,
}

/// Runs a program until it ends, with no input. Nothing that it has started is left.
///
/// # Errors
/// If it cannot be started, takes longer than the limit, or is stopped.
pub fn run_to_end(
    spec: &EngineSpec,
    supervisor: &Arc<Supervisor>,
    stop: &Stop,
    limit: Duration,
) -> Result<Printed, EngineError> {
    let deadline = Instant::now() + limit;
    let started = Connection::open(spec, supervisor, stop);
    let mut connection = started.map_err(|error| EngineError::at_start(&spec.command, error))?;
    let late = EngineError::NoAnswer { expected: "end of its output", within: limit };
    connection.close_input();
    let mut text = Vec::new();
    let read = connection.answer(&mut Question::due(deadline), None, |received| -> Option<Infallible> {
        if let Line::Text(line) = received.line {
            text.extend_from_slice(line);
            text.push(b'\n');
            if text.len() > 2 * KEPT {
                text.drain(..text.len() - KEPT);
            }
        }
        None
    });
    match read {
        Err(PipeError::Closed | PipeError::Aside) => {}
        Err(PipeError::TimedOut) => return Err(late),
        Err(PipeError::Stopped) => return Err(Stopped.into()),
        Ok(never) => match never {},
    }
    connection.await_exit(deadline);
    let end = connection.kill();
    Ok(Printed {
        text: String::from_utf8_lossy(&text).into_owned(),
        success: end.and_then(|end| end.status()).is_some_and(|status| status.success()),
        end: end.map_or_else(|| "did not end".to_owned(), |end| end.describe()),
    })
}
