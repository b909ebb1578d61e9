//! A conversation with an engine: its last lines in memory, for a report or a fault, and all lines in the log that the engines of
//! a match share, if any (`--log FILE`).
//!
//! Every engine has one, also in a match: a line must cost hardly more than copying its first bytes into existing memory. It is
//! formatted only when it is shown. Text shown controls no terminal, and long lines are clipped.
//!
//! A line of the log is the time in seconds since the log was opened, `>` for the referee's lines, `<` for the engine's or `*`
//! for events, the engine's name and process, and the text:
//!
//! ```text
//! 0.012345 >kroo(4711): go movetime 100
//! ```
//!
//! The log has a maximum size, after which the match continues without it. Each line is written at once: the log is complete
//! however the referee ends.

use super::line_buffer::Line;
use super::stop::locked;
use kroo::files;
use kroo::printable;
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::{Instant, SystemTime, UNIX_EPOCH};

/// Lines that are kept. The first ones are the handshake, which is always the same.
pub const MAX_LINES: usize = 40;
/// The last of them that are recorded with a fault, and as many of the standard error.
pub const MAX_LAST_WORDS: usize = 10;
/// Characters of a line that are shown.
pub const MAX_CHARACTERS: usize = 200;
/// Characters of a line in the log. A game of a few hundred moves fits into it.
const MAX_LOGGED: usize = 4_000;
/// The most bytes of a character.
const BYTES: usize = 4;
/// Lines in a message of one line.
const BRIEF_LINES: usize = 2;
const OVERLONG: &str = "(a line without an end)";

/// Who has said a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Speaker {
    /// The referee, to the engine.
    Referee,
    Engine,
}

impl Speaker {
    /// The mark of its lines.
    pub fn mark(self) -> char {
        match self {
            Speaker::Referee => '>',
            Speaker::Engine => '<',
        }
    }
}

/// A line of a conversation in the form for people.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SpokenLine {
    /// When it was sent or read, in seconds since the start of the process.
    pub time: f64,
    /// Who has said it.
    pub from: Speaker,
    /// The text, clipped, with control characters escaped.
    pub line: String,
}

/// A conversation, in bounded memory.
#[derive(Debug)]
pub struct Conversation {
    /// Where all lines go, and the name that the engine has there.
    log: Option<(Arc<ConversationLog>, String)>,
    start: Instant,
    lines: VecDeque<KeptLine>,
}

/// The beginning of a line.
#[derive(Debug)]
struct KeptLine {
    at: Instant,
    from: Speaker,
    bytes: Vec<u8>,
    /// The length of the whole line.
    length: usize,
}

impl Conversation {
    /// With a process that starts now; the log of all conversations and its name in that.
    pub fn begin(log: Option<(Arc<ConversationLog>, String)>) -> Conversation {
        let conversation = Conversation { log, start: Instant::now(), lines: VecDeque::new() };
        conversation.happened("started");
        conversation
    }

    /// Adds text from the referee: whole lines, or pieces of one.
    pub fn sent(&mut self, bytes: &[u8]) {
        let at = Instant::now();
        for line in bytes.split_inclusive(|&byte| byte == b'\n') {
            self.add(at, Speaker::Referee, line.strip_suffix(b"\n").unwrap_or(line));
        }
    }

    /// Adds a line that the engine has written.
    pub fn received(&mut self, at: Instant, line: Line<'_>) {
        let Line::Text(text) = line else { return self.add(at, Speaker::Engine, OVERLONG.as_bytes()) };
        self.add(at, Speaker::Engine, text);
    }

    /// Adds to the log what has happened to the engine.
    pub fn happened(&self, what: &str) {
        if let Some((log, name)) = &self.log {
            log.add(Instant::now(), '*', name, what.as_bytes());
        }
    }

    fn add(&mut self, at: Instant, from: Speaker, line: &[u8]) {
        if let Some((log, name)) = &self.log {
            log.add(at, from.mark(), name, line);
        }
        self.keep(at, from, line);
    }

    /// Adds a line to those in memory alone.
    pub fn keep(&mut self, at: Instant, from: Speaker, line: &[u8]) {
        let oldest = if self.lines.len() < MAX_LINES { None } else { self.lines.pop_front() };
        let mut bytes = oldest.map(|line| line.bytes).unwrap_or_default();
        bytes.clear();
        bytes.extend_from_slice(&line[..line.len().min(BYTES * MAX_CHARACTERS)]);
        self.lines.push_back(KeptLine { at, from, bytes, length: line.len() });
    }

    /// The last lines, oldest first.
    pub fn lines(&self) -> impl DoubleEndedIterator<Item = SpokenLine> + ExactSizeIterator {
        self.lines.iter().map(|line| SpokenLine {
            time: line.at.saturating_duration_since(self.start).as_secs_f64(),
            from: line.from,
            line: shown(&line.bytes, line.length, MAX_CHARACTERS),
        })
    }

    /// The very last ones, and those of a standard error that ends like this.
    pub fn last_words(&self, errors: &[u8]) -> LastWords {
        let lines = self.lines();
        let first = lines.len().saturating_sub(MAX_LAST_WORDS);
        let errors = errors.split(|&byte| byte == b'\n').filter(|line| !line.is_empty());
        let mut last: Vec<&[u8]> = errors.rev().take(MAX_LAST_WORDS).collect();
        last.reverse();
        LastWords {
            lines: lines.skip(first).map(|line| format!("{} {}", line.from.mark(), line.line)).collect(),
            stderr: last.into_iter().map(|line| shown(line, line.len(), MAX_CHARACTERS)).collect(),
        }
    }
}

/// The last lines of a conversation with an engine, and of its standard error, recorded with its fault.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LastWords {
    /// The conversation, oldest line first: `> ` marks the referee's lines, `< ` the engine's.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lines: Vec<String>,
    /// The end of the standard error, oldest line first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stderr: Vec<String>,
}

impl LastWords {
    /// How many lines and bytes there are.
    pub fn size(&self) -> (usize, usize) {
        let all = || self.lines.iter().chain(&self.stderr);
        (all().count(), all().map(String::len).sum())
    }

    /// The last ones at the end of a message; empty without any. The standard error mostly says more than the conversation.
    pub fn brief(&self) -> String {
        let (place, lines): (_, Vec<&str>) = match self.stderr.as_slice() {
            [] => ("it said last", self.lines.iter().filter_map(|line| line.strip_prefix("< ")).collect()),
            errors => ("its standard error ends with", errors.iter().map(String::as_str).collect()),
        };
        let last = &lines[lines.len().saturating_sub(BRIEF_LINES)..];
        if last.is_empty() { String::new() } else { format!(" ({place} `{}`)", last.join("` `")) }
    }

    /// All of them as indented lines, for people; empty without any.
    pub fn text(&self, name: &str) -> String {
        let mut text = String::new();
        for (what, lines) in [
            ("the last lines of the conversation", &self.lines),
            ("the end of its standard error", &self.stderr),
        ] {
            if !lines.is_empty() {
                text.push_str(&format!("  {name}, {what}:\n    {}\n", lines.join("\n    ")));
            }
        }
        text
    }
}

/// An open log of all conversations.
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
        let process = format!("process {}, {now} s after 1970", std::process::id());
        log.add(log.start, '*', "referee", process.as_bytes());
        Ok(log)
    }

    fn add(&self, at: Instant, mark: char, engine: &str, line: &[u8]) {
        let time = at.saturating_duration_since(self.start);
        let (seconds, micros) = (time.as_secs(), time.subsec_micros());
        let (engine, text) = (printable::name(engine), shown(line, line.len(), MAX_LOGGED));
        locked(&self.file).write(&format!("{seconds}.{micros:06} {mark}{engine}: {text}\n"));
    }

    /// Why nothing is written any more; once.
    pub fn take_problem(&self) -> Option<String> {
        locked(&self.file).problem.take()
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

/// The first characters of a line of `length` bytes, with control characters escaped; `line` is its beginning at least.
fn shown(line: &[u8], length: usize, characters: usize) -> String {
    let bytes = &line[..line.len().min(BYTES * characters)];
    let text = String::from_utf8_lossy(bytes);
    let first: String = text.trim_end_matches('\r').chars().take(characters).collect();
    let mut shown = printable::clipped(&first, characters);
    if bytes.len() < length || text.chars().nth(characters).is_some() {
        shown.push_str(&format!("… ({length} bytes)"));
    }
    shown
}
