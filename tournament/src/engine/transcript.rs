//! The last lines of a conversation with an engine, for a report.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// Lines that are kept. The first ones are the handshake, which is always the same.
const MAX_LINES: usize = 40;
/// Characters of a line that are kept.
const MAX_CHARACTERS: usize = 200;

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

/// A conversation, in bounded memory.
#[derive(Debug)]
pub struct Transcript {
    start: Instant,
    lines: VecDeque<TranscriptLine>,
}

impl Transcript {
    /// An empty transcript of a process that starts now.
    pub fn new() -> Transcript {
        Transcript { start: Instant::now(), lines: VecDeque::new() }
    }

    /// Adds what the referee has sent: whole lines, or pieces of one.
    pub fn sent(&mut self, bytes: &[u8]) {
        for line in bytes.split_inclusive(|&byte| byte == b'\n') {
            self.add(false, line.strip_suffix(b"\n").unwrap_or(line));
        }
    }

    /// Adds a line that the engine has written.
    pub fn received(&mut self, line: &[u8]) {
        self.add(true, line);
    }

    /// Adds something that happened, in brackets.
    pub fn event(&mut self, by_engine: bool, text: &str) {
        self.add(by_engine, format!("({text})").as_bytes());
    }

    /// The last lines, oldest first.
    pub fn lines(&self) -> Vec<TranscriptLine> {
        self.lines.iter().cloned().collect()
    }

    fn add(&mut self, by_engine: bool, line: &[u8]) {
        // A character has at most four bytes.
        let shown = &line[..line.len().min(4 * MAX_CHARACTERS)];
        let whole = String::from_utf8_lossy(shown);
        let kept = whole.trim_end_matches('\r').chars().take(MAX_CHARACTERS);
        let mut text: String = kept.flat_map(char::escape_debug).collect();
        if shown.len() < line.len() || whole.chars().nth(MAX_CHARACTERS).is_some() {
            text.push_str(&format!("… ({} bytes)", line.len()));
        }
        if self.lines.len() == MAX_LINES {
            self.lines.pop_front();
        }
        self.lines.push_back(TranscriptLine { at: self.start.elapsed(), by_engine, text });
    }
}
