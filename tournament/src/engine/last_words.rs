//! An engine's last lines, shown with its fault.

use super::conversation_log::shown;
use super::transcript::TranscriptLine;
use serde::{Deserialize, Serialize};

/// Lines that are kept of the conversation, and of the standard error.
pub const MAX_LINES: usize = 10;
/// Characters of a line of the standard error that are kept.
const MAX_CHARACTERS: usize = 200;
/// Lines in a message of one line.
const BRIEF_LINES: usize = 2;

/// The last lines of a conversation with an engine, and of its standard error. All are clipped, and nothing in them controls
/// a terminal.
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
    /// From a transcript and the end of the standard error.
    pub fn new(transcript: &[TranscriptLine], errors: &[u8]) -> LastWords {
        let from = transcript.len().saturating_sub(MAX_LINES);
        let line =
            |line: &TranscriptLine| format!("{} {}", if line.by_engine { '<' } else { '>' }, line.text);
        let pieces: Vec<&[u8]> =
            errors.split(|&byte| byte == b'\n').filter(|line| !line.is_empty()).collect();
        let last = &pieces[pieces.len().saturating_sub(MAX_LINES)..];
        LastWords {
            lines: transcript[from..].iter().map(line).collect(),
            stderr: last.iter().map(|line| shown(line, line.len(), MAX_CHARACTERS)).collect(),
        }
    }

    /// How many lines and bytes there are.
    pub fn size(&self) -> (usize, usize) {
        let all = || self.lines.iter().chain(&self.stderr);
        (all().count(), all().map(String::len).sum())
    }

    /// The last ones at the end of a message; empty without any. The standard error mostly says more than the conversation.
    pub fn brief(&self) -> String {
        let own =
            || self.lines.iter().filter_map(|line| line.strip_prefix("< ").map(str::to_owned)).collect();
        let (place, lines): (_, Vec<String>) = match self.stderr.as_slice() {
            [] => ("it said last", own()),
            errors => ("its standard error ends with", errors.to_vec()),
        };
        let last: Vec<String> =
            lines[lines.len().saturating_sub(BRIEF_LINES)..].iter().map(|line| format!("`{line}`")).collect();
        if last.is_empty() { String::new() } else { format!(" ({place} {})", last.join(" ")) }
    }

    /// All of them as indented lines, for people; empty without any.
    pub fn text(&self, name: &str) -> String {
        let mut text = String::new();
        for (what, lines) in [
            ("the last lines of the conversation", &self.lines),
            ("the end of its standard error", &self.stderr),
        ] {
            if !lines.is_empty() {
                text.push_str(&format!("  {name}, {what}:\n"));
                lines.iter().for_each(|line| text.push_str(&format!("    {line}\n")));
            }
        }
        text
    }
}
