//! An engine's lines in answer to `go`: the move, the last score, and what is neither.

use super::error::EngineError;
use super::line_buffer::Line;
use kroo::game::Move;
use kroo::printable::clipped;
use kroo::protocol::Reply;
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

/// Takes in a line: an answer is returned, a score is kept, and anything else is only checked for garbage.
pub(super) fn take(line: Line<'_>, info: &mut Vec<u8>, garbage: &mut Garbage) -> Option<String> {
    let text = match line {
        Line::Text(text) => text.trim_ascii(),
        Line::Overlong => {
            garbage.add("(a line without an end)");
            return None;
        }
    };
    if text.starts_with(b"info") {
        garbage.has_sense = true;
        if has_score(text) {
            info.clear();
            info.extend_from_slice(text);
        }
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

/// Whether an `info` line has a score of the best line: it is not a string, nor about a second-best line.
fn has_score(text: &[u8]) -> bool {
    let mut words = text.split(|byte| byte.is_ascii_whitespace());
    let mut scored = false;
    while let Some(word) = words.next() {
        match word {
            b"string" => return false,
            b"multipv" if words.next() != Some(b"1") => return false,
            b"score" => scored = true,
            b"pv" => break,
            _ => {}
        }
    }
    scored
}

/// The move of a `bestmove` line, and the reply that the engine expects.
pub(super) fn best_move(answer: &str) -> Result<(Move, Option<Move>), EngineError> {
    match Reply::parse(answer) {
        Ok(Reply::BestMove { best: Some(best), ponder }) => Ok((best, ponder)),
        _ => Err(EngineError::NoMove(clipped(answer, CLIPPED))),
    }
}
