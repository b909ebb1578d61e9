//! A log of all conversations with engines: `--log FILE`.
//!
//! A line is the time in seconds since the log was opened, `>` before what the referee has sent, `<` before what the engine has
//! written or `*` before what has happened to it, the engine's name and process, and the text:
//!
//! ```text
//! 0.012345 >kroo(4711): go movetime 100
//! ```
//!
//! Nothing in it controls a terminal, long lines are clipped, and the file has an end: then the match goes on without it. Each
//! line is written at once, so that the log is there whatever ends the referee.

use kroo::files;
use kroo::printable;
use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// Bytes and characters of a line that are written. A game of a few hundred moves fits into it.
const MAX_CHARACTERS: usize = 4_000;
const MAX_BYTES: usize = 4 * MAX_CHARACTERS;

/// An open log.
#[derive(Debug)]
pub struct ConversationLog {
    start: Instant,
    file: Mutex<LogFile>,
}

#[derive(Debug)]
struct LogFile {
    /// `None` once it is full or cannot be written.
    file: Option<File>,
    /// Bytes that may still be written.
    left: u64,
    /// Why nothing is written any more, until it is taken for a report.
    problem: Option<String>,
}

/// Whose line it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// The referee has sent it.
    ToEngine,
    /// The engine has written it.
    FromEngine,
    /// Something has happened to the engine.
    Event,
}

impl ConversationLog {
    /// Opens a log, to which a limited number of bytes is appended.
    ///
    /// # Errors
    /// If the file cannot be opened, is no ordinary file, or another referee writes to it.
    pub fn open(path: &Path, most: u64) -> io::Result<ConversationLog> {
        let file = files::open_to_write(File::options().create(true).append(true), path)?;
        if file.metadata()?.is_file() {
            files::lock(&file)?;
        }
        let log = LogFile { file: Some(file), left: most, problem: None };
        let log = ConversationLog { start: Instant::now(), file: Mutex::new(log) };
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
        let process = std::process::id();
        log.add(
            log.start,
            Direction::Event,
            "referee",
            format!("process {process}, {now} s after 1970").as_bytes(),
        );
        Ok(log)
    }

    /// Adds a line.
    pub fn add(&self, at: Instant, direction: Direction, engine: &str, line: &[u8]) {
        let mark = match direction {
            Direction::ToEngine => '>',
            Direction::FromEngine => '<',
            Direction::Event => '*',
        };
        let time = at.saturating_duration_since(self.start);
        let text = shown(&line[..line.len().min(MAX_BYTES)], line.len(), MAX_CHARACTERS);
        self.log().write(&format!("{} {mark}{}: {text}\n", seconds(time), printable::name(engine)));
    }

    /// Why nothing is written any more; once.
    pub fn take_problem(&self) -> Option<String> {
        self.log().problem.take()
    }

    fn log(&self) -> MutexGuard<'_, LogFile> {
        self.file.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl LogFile {
    fn write(&mut self, line: &str) {
        let Some(file) = &mut self.file else { return };
        let length = line.len() as u64;
        let written = match length > self.left {
            true => Err(io::Error::other("it is as long as it may be; --log-limit sets another limit")),
            false => file.write_all(line.as_bytes()),
        };
        match written {
            Ok(()) => self.left -= length,
            Err(error) => {
                self.problem = Some(format!("the log of the conversations ends before the match: {error}"));
                self.file = None;
            }
        }
    }
}

/// The first characters of a line of `length` bytes, with control characters escaped; `bytes` is its beginning.
pub fn shown(bytes: &[u8], length: usize, characters: usize) -> String {
    let text = String::from_utf8_lossy(bytes);
    let first: String = text.trim_end_matches('\r').chars().take(characters).collect();
    let mut shown = printable::clipped(&first, characters);
    if bytes.len() < length || text.chars().nth(characters).is_some() {
        shown.push_str(&format!("… ({length} bytes)"));
    }
    shown
}

fn seconds(time: Duration) -> String {
    format!("{}.{:06}", time.as_secs(), time.subsec_micros())
}
