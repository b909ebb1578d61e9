//! A conversation with an engine: its last lines in memory, for a report or a fault, and all of them in the
//! [log](ConversationLog), if there is one.
//!
//! Every engine has one, in a match too, so a line costs hardly more than copying its first bytes into a place that is there
//! already. It is formatted only when it is shown.

use super::conversation_log::{ConversationLog, Direction, shown};
use super::line_buffer::Line;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Lines that are kept. The first ones are the handshake, which is always the same.
pub const MAX_LINES: usize = 40;
/// Characters of a line that are shown.
pub const MAX_CHARACTERS: usize = 200;
/// Bytes of a line that are kept: a character has at most four.
const MAX_BYTES: usize = 4 * MAX_CHARACTERS;

/// A line of a conversation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TranscriptLine {
    /// When it was sent or read, counted from the start of the process.
    pub at: Duration,
    /// Whether the engine wrote it.
    pub by_engine: bool,
    /// The text, clipped, with control characters escaped.
    pub text: String,
}

/// A line without an end.
const OVERLONG: &str = "(a line without an end)";

/// A conversation, in bounded memory.
#[derive(Debug)]
pub struct Transcript {
    /// Where all lines go, and the name that the engine has there.
    log: Option<(Arc<ConversationLog>, String)>,
    start: Instant,
    lines: Vec<KeptLine>,
    /// The place of the next line; that of the oldest line once the list is full.
    next: usize,
}

/// The beginning of a line.
#[derive(Debug)]
struct KeptLine {
    at: Instant,
    by_engine: bool,
    bytes: Vec<u8>,
    /// The length of the whole line.
    length: usize,
}

impl Transcript {
    /// An empty transcript of a process that starts now, with the log of all conversations and its name in that.
    pub fn begin(log: Option<(Arc<ConversationLog>, String)>) -> Transcript {
        let transcript = Transcript { log, start: Instant::now(), lines: Vec::new(), next: 0 };
        transcript.log(transcript.start, Direction::Event, b"started");
        transcript
    }

    /// Adds what the referee has sent: whole lines, or pieces of one.
    pub fn sent(&mut self, bytes: &[u8]) {
        let at = Instant::now();
        for line in bytes.split_inclusive(|&byte| byte == b'\n') {
            let line = line.strip_suffix(b"\n").unwrap_or(line);
            self.log(at, Direction::ToEngine, line);
            self.add(at, false, line);
        }
    }

    /// Adds a line that the engine has written.
    pub fn received(&mut self, at: Instant, line: Line<'_>) {
        let (direction, text) = match line {
            Line::Text(text) => (Direction::FromEngine, text),
            Line::Overlong => (Direction::Event, OVERLONG.as_bytes()),
        };
        self.log(at, direction, text);
        self.add(at, true, text);
    }

    /// Adds how the engine has ended to the log.
    pub fn ended(&self, how: &str) {
        self.log(Instant::now(), Direction::Event, how.as_bytes());
    }

    fn log(&self, at: Instant, direction: Direction, line: &[u8]) {
        if let Some((log, name)) = &self.log {
            log.add(at, direction, name, line);
        }
    }

    /// Adds something that happened, in brackets.
    pub fn event(&mut self, by_engine: bool, text: &str) {
        self.add(Instant::now(), by_engine, format!("({text})").as_bytes());
    }

    /// The last lines, oldest first.
    pub fn lines(&self) -> Vec<TranscriptLine> {
        let (newest, oldest) = self.lines.split_at(self.next.min(self.lines.len()));
        let shown = |line: &KeptLine| TranscriptLine {
            at: line.at.saturating_duration_since(self.start),
            by_engine: line.by_engine,
            text: shown(&line.bytes, line.length, MAX_CHARACTERS),
        };
        oldest.iter().chain(newest).map(shown).collect()
    }

    fn add(&mut self, at: Instant, by_engine: bool, line: &[u8]) {
        let kept = &line[..line.len().min(MAX_BYTES)];
        if self.lines.len() < MAX_LINES {
            self.lines.push(KeptLine { at, by_engine, bytes: kept.to_vec(), length: line.len() });
        } else {
            let place = &mut self.lines[self.next];
            (place.at, place.by_engine, place.length) = (at, by_engine, line.len());
            place.bytes.clear();
            place.bytes.extend_from_slice(kept);
        }
        self.next = (self.next + 1) % MAX_LINES;
    }
}
