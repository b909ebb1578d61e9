//! An engine seen as lines, for whoever wants to look at each of them: nothing is understood, nothing is skipped, and
//! what was said is kept.

use super::line_buffer::Line;
use super::pipes::{PipeError, Pipes};
use super::process::{Process, describe};
use super::supervisor::Supervisor;
use super::{EngineSpec, Stop};
use std::collections::VecDeque;
use std::io;
use std::process::ExitStatus;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// LineBuffer of a conversation that are kept: its first ones are the handshake, which is the same each time.
const KEPT: usize = 40;
/// Characters of a line that are kept.
const WIDTH: usize = 200;
/// How long a process may take to read what it is sent.
const READING: Duration = Duration::from_secs(2);

/// A line of a conversation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TranscriptLine {
    /// When, from the start of the process.
    pub at: Duration,
    /// Whether the engine has said it.
    pub by_engine: bool,
    /// What, clipped, control characters escaped.
    pub text: String,
}

/// A running engine and what was said so far.
#[derive(Debug)]
pub struct Wire {
    pipes: Pipes,
    process: Process,
    stop: Stop,
    start: Instant,
    log: VecDeque<TranscriptLine>,
}

/// A line from the engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Said {
    /// The line; of one that is too long to be any, nothing.
    pub text: Option<String>,
    /// When it was read.
    pub at: Instant,
}

impl Wire {
    /// Starts an engine.
    ///
    /// # Errors
    /// What the system says.
    pub fn start(spec: &EngineSpec, supervisor: &Arc<Supervisor>, stop: &Stop) -> io::Result<Wire> {
        let (process, pipes) = Process::start(spec, supervisor)?;
        Ok(Wire { pipes, process, stop: stop.clone(), start: Instant::now(), log: VecDeque::new() })
    }

    /// Sends bytes as they are.
    ///
    /// # Errors
    /// If the process does not read them, or is gone.
    pub fn send(&mut self, bytes: &[u8]) -> Result<(), PipeError> {
        for line in bytes.split_inclusive(|&byte| byte == b'\n') {
            self.note(false, line.strip_suffix(b"\n").unwrap_or(line));
        }
        self.pipes.send(bytes, Instant::now() + READING, &self.stop)
    }

    /// The next line, waiting until the deadline.
    ///
    /// # Errors
    /// Why there is none.
    pub fn receive(&mut self, deadline: Instant) -> Result<Said, PipeError> {
        let heard = self.pipes.receive(deadline, &self.stop)?;
        let at = heard.at;
        let text = match heard.line {
            Line::Text(text) => Some(String::from_utf8_lossy(text).into_owned()),
            Line::Overlong => None,
        };
        self.note(true, text.as_deref().unwrap_or("(a line without an end)").as_bytes());
        Ok(Said { text, at })
    }

    /// Closes the engine's input.
    pub fn close_input(&mut self) {
        self.note(false, b"(end of the input)");
        self.pipes.close_input();
    }

    /// Waits for the end of the process; says whether it came in time.
    pub fn await_exit(&mut self, within: Duration) -> bool {
        let exited = self.pipes.await_exit(Instant::now() + within, &self.stop);
        let text: &[u8] = if exited { b"(exit)" } else { b"(still running)" };
        self.note(true, text);
        exited
    }

    /// How many processes the engine has started that are still alive.
    #[must_use]
    pub fn children(&self) -> usize {
        self.process.descendants()
    }

    /// The processor time that the engine has used so far; `None` if the system does not say.
    #[must_use]
    pub fn processor_time(&self) -> Option<Duration> {
        self.process.processor_time()
    }

    /// Ends the process, if it still runs, and its children; says how it ended.
    pub fn end(&mut self) -> Option<ExitStatus> {
        self.process.end()
    }

    /// How the process ended, in words.
    pub fn obituary(&mut self) -> String {
        self.end().map_or("closed its output".to_owned(), describe)
    }

    /// The last lines of the conversation.
    #[must_use]
    pub fn transcript(&self) -> Vec<TranscriptLine> {
        self.log.iter().cloned().collect()
    }

    fn note(&mut self, by_engine: bool, line: &[u8]) {
        let shown = &line[..line.len().min(4 * WIDTH)];
        let whole = String::from_utf8_lossy(shown);
        let mut text: String =
            whole.trim_end_matches('\r').chars().take(WIDTH).flat_map(char::escape_debug).collect();
        if shown.len() < line.len() || whole.chars().nth(WIDTH).is_some() {
            text.push_str(&format!("… ({} bytes)", line.len()));
        }
        if self.log.len() == KEPT {
            self.log.pop_front();
        }
        self.log.push_back(TranscriptLine { at: self.start.elapsed(), by_engine, text });
    }
}
