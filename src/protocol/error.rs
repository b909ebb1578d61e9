//! What is wrong with a line, and where.

use nom::error::{ErrorKind, FromExternalError};
use nom::{Err, Offset};
use std::borrow::Cow;
use std::fmt::Write;

/// The characters of a line that an error repeats at most, and the bytes they may take.
const CLIP: (usize, usize) = (40, 80);

/// A line that is not in the grammar.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("column {column}: expected {expected}, found {found}")]
pub struct ParseError {
    /// Where it goes wrong: characters from the start of the line, the first one is 1.
    pub column: usize,
    /// What could have stood there.
    pub expected: String,
    /// What stands there, between backquotes, clipped and with control characters escaped; or "the end of the line".
    pub found: String,
}

impl ParseError {
    /// The error at `found`, which must be a part of `line`.
    pub(super) fn new(line: &str, found: &str, expected: impl Into<String>) -> ParseError {
        let column = 1 + line[..line.offset(found)].chars().count();
        let word = found.split([' ', '\t']).next().unwrap_or_default();
        let found = if word.is_empty() { "the end of the line".to_owned() } else { quoted(word) };
        ParseError { column, expected: expected.into(), found }
    }
}

/// The text between backquotes, clipped, with whatever does not print escaped.
pub(super) fn quoted(text: &str) -> String {
    let mut out = String::from("`");
    for (count, letter) in text.chars().enumerate() {
        if count == CLIP.0 || out.len() + 10 > CLIP.1 {
            out.push('…');
            break;
        }
        match letter {
            '\'' | '"' => out.push(letter),
            _ => out.extend(letter.escape_debug()),
        }
    }
    out.push('`');
    out
}

/// Words of which any would do: "`a`, `b` or `c`".
pub(super) fn any_of<'a>(words: impl IntoIterator<Item = &'a str>) -> String {
    let words: Vec<&str> = words.into_iter().collect();
    let mut out = String::new();
    for (index, word) in words.iter().enumerate() {
        let between = match index {
            0 => "",
            _ if index + 1 == words.len() => " or ",
            _ => ", ",
        };
        write!(out, "{between}`{word}`").expect("writing to a string does not fail");
    }
    out
}

/// A [`ParseError`] on its way up through the parsers, when only the place is known and not yet the column.
#[derive(Clone, Debug)]
pub(super) struct Fault<'a> {
    /// The line from the wrong word on, or just the wrong letter.
    pub found: &'a str,
    /// What was expected; empty if the parser that failed is a part of one that will say.
    pub expected: Cow<'static, str>,
}

impl<'a> Fault<'a> {
    /// The end of all attempts: nothing else may be tried on this line.
    pub fn failure(found: &'a str, expected: impl Into<Cow<'static, str>>) -> Err<Fault<'a>> {
        Err::Failure(Fault { found, expected: expected.into() })
    }
}

impl<'a> nom::error::ParseError<&'a str> for Fault<'a> {
    fn from_error_kind(found: &'a str, _: ErrorKind) -> Fault<'a> {
        Fault { found, expected: Cow::Borrowed("") }
    }

    fn append(_: &'a str, _: ErrorKind, other: Fault<'a>) -> Fault<'a> {
        other
    }
}

impl<'a, E> FromExternalError<&'a str, E> for Fault<'a> {
    fn from_external_error(found: &'a str, kind: ErrorKind, _: E) -> Fault<'a> {
        nom::error::ParseError::from_error_kind(found, kind)
    }
}
