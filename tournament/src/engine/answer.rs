//! An engine's lines in answer to `go`: the move, the last score, and what is neither.

use super::error::EngineError;
use super::line_buffer::Line;
use kroo::game::Move;
use kroo::printable::clipped;
use kroo::protocol::{Info, Reply};
use std::time::Duration;

/// Characters of an engine's line in a message.
const CLIPPED: usize = 40;

/// Lines that are not in the protocol.
#[derive(Debug, Default)]
pub(super) struct Garbage {
    lines: u64,
    last: String,
    /// There were lines of the protocol, too.
    has_sense: bool,
}

impl Garbage {
    fn add(&mut self, text: &str) {
        self.lines += 1;
        self.last = clipped(text, CLIPPED);
    }

    /// Why the referee gives up after this time.
    pub fn or_no_answer(self, within: Duration) -> EngineError {
        if self.lines == 0 || self.has_sense {
            return EngineError::NoAnswer { expected: "`bestmove`", within };
        }
        EngineError::Garbage { lines: self.lines, last: self.last }
    }
}

/// The `info` line whose score counts, as it is: most lines are never looked at again.
#[derive(Debug, Default)]
pub(super) struct ScoreLine {
    line: Vec<u8>,
    /// Whether its score is definite ([`InfoScore::is_definite`](kroo::protocol::InfoScore::is_definite)).
    is_definite: bool,
}

impl ScoreLine {
    /// Forgets it.
    pub fn clear(&mut self) {
        self.line.clear();
        self.is_definite = false;
    }

    /// Keeps the line if its score is definite, or if there is none of that kind yet.
    fn take(&mut self, text: &[u8]) {
        if let Some(is_definite) = definiteness(text).filter(|&is_definite| is_definite || !self.is_definite)
        {
            self.line.clear();
            self.line.extend_from_slice(text);
            self.is_definite = is_definite;
        }
    }

    /// What it says, parsed only now.
    pub fn info(&self) -> Option<Info> {
        let line = str::from_utf8(&self.line).ok().filter(|line| !line.is_empty())?;
        match Reply::parse(line) {
            Ok(Reply::Info(info)) => Some(info),
            _ => None,
        }
    }
}

/// Takes in a line: an answer is returned, a score is kept, and anything else is only checked for garbage.
pub(super) fn take(line: Line<'_>, score: &mut ScoreLine, garbage: &mut Garbage) -> Option<String> {
    let text = match line {
        Line::Text(text) => text.trim_ascii(),
        Line::Overlong => {
            garbage.add("(a line without an end)");
            return None;
        }
    };
    if text.starts_with(b"info") {
        garbage.has_sense = true;
        score.take(text);
    } else if text.starts_with(b"bestmove") {
        return Some(String::from_utf8_lossy(text).into_owned());
    } else if !text.is_empty() {
        let text = String::from_utf8_lossy(text);
        match Reply::parse(&text) {
            Ok(Reply::Text(_)) | Err(_) => garbage.add(&text),
            Ok(_) => garbage.has_sense = true,
        }
    }
    None
}

/// Whether the score of an `info` line is definite; `None` without a score of the best line: it is a string, or about a
/// second-best line.
fn definiteness(text: &[u8]) -> Option<bool> {
    let mut words = text.split(|byte| byte.is_ascii_whitespace());
    let (mut scored, mut bound, mut proven) = (false, false, false);
    while let Some(word) = words.next() {
        match word {
            b"string" => return None,
            b"multipv" if words.next() != Some(b"1") => return None,
            b"score" => scored = true,
            b"lowerbound" | b"upperbound" => bound = true,
            b"proven" => proven = true,
            b"pv" => break,
            _ => {}
        }
    }
    scored.then_some(!bound || proven)
}

/// The move of a `bestmove` line, and the reply that the engine expects.
pub(super) fn best_move(answer: &str) -> Result<(Move, Option<Move>), EngineError> {
    match Reply::parse(answer) {
        Ok(Reply::BestMove { best: Some(best), ponder }) => Ok((best, ponder)),
        _ => Err(EngineError::NoMove(clipped(answer, CLIPPED))),
    }
}
