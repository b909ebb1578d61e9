//! An engine's lines in answer to `go`: the move, the last score, and other text.

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
pub struct Garbage {
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

/// The `info` lines with scores that may count, unparsed: most lines are never needed.
#[derive(Debug, Default)]
pub struct ScoreLine {
    /// The last line with a definite score ([`InfoScore::is_definite`](kroo::protocol::InfoScore::is_definite)).
    definite: Vec<u8>,
    /// The last line after it with a bound.
    bound: Vec<u8>,
}

impl ScoreLine {
    /// Forgets them.
    pub fn clear(&mut self) {
        self.definite.clear();
        self.bound.clear();
    }

    fn take(&mut self, text: &[u8]) {
        let Some(is_definite) = definiteness(text) else { return };
        self.bound.clear();
        let kept = if is_definite { &mut self.definite } else { &mut self.bound };
        kept.clear();
        kept.extend_from_slice(text);
    }

    /// The line of a move: the one with a definite score, unless only the later bound is about this move. Parsed only now.
    pub fn info(&self, best: Move) -> Option<Info> {
        let parsed =
            |line: &[u8]| match str::from_utf8(line).ok().filter(|line| !line.is_empty()).map(Reply::parse) {
                Some(Ok(Reply::Info(info))) => Some(info),
                _ => None,
            };
        let (definite, bound) = (parsed(&self.definite), parsed(&self.bound));
        let is_about = |info: &Info| info.pv.first().is_none_or(|&first| first == best);
        match definite {
            Some(info) if is_about(&info) || !bound.as_ref().is_some_and(is_about) => Some(info),
            _ => bound,
        }
    }
}

/// Takes in a line: an answer is returned, a score is kept, and anything else is only checked for garbage.
pub fn take(line: Line<'_>, score: &mut ScoreLine, garbage: &mut Garbage) -> Option<String> {
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
