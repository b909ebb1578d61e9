//! Parse errors with their column.

use nom::error::{ErrorKind, FromExternalError};
use nom::{Err, Offset};
use std::borrow::Cow;
use std::fmt::Write;

/// Maximum length of the quoted text in an error: characters, and bytes of UTF-8.
const CLIP: (usize, usize) = (40, 80);

/// A line outside the grammar.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("column {column}: expected {expected}, found {found}")]
pub struct ParseError {
    /// The place of the error in characters, from 1.
    pub column: usize,
    /// The allowed words there.
    pub expected: String,
    /// The word found, in backquotes, clipped and escaped; or "the end of the line".
    pub found: String,
}

impl ParseError {
    /// The error at `found`, which must be a slice of `line`.
    pub(super) fn new(line: &str, found: &str, expected: impl Into<String>) -> ParseError {
        let column = 1 + line[..line.offset(found)].chars().count();
        let word = found.split([' ', '\t']).next().unwrap_or_default();
        let found = if word.is_empty() { "the end of the line".to_owned() } else { quoted(word) };
        ParseError { column, expected: expected.into(), found }
    }
}

/// The text in backquotes, clipped, with unprintable characters escaped.
pub(super) fn quoted(text: &str) -> String {
    quoted_within(text, CLIP.1)
}

/// The same with fewer bytes, for a message that is otherwise long.
pub(super) fn quoted_within(text: &str, most_bytes: usize) -> String {
    let mut out = String::from("`");
    for (count, letter) in text.chars().enumerate() {
        if count == CLIP.0 || out.len() + 10 > most_bytes {
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

/// A list of alternatives: "`a`, `b` or `c`".
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

/// A [`ParseError`] inside the parsers: its place is a slice, not yet a column.
#[derive(Clone, Debug)]
pub(super) struct ParseFailure<'a> {
    /// The rest of the line from the wrong word on, or only the wrong letter.
    pub found: &'a str,
    /// The expectation; empty if a calling parser provides it.
    pub expected: Cow<'static, str>,
}

impl<'a> ParseFailure<'a> {
    /// A failure that excludes alternatives.
    pub fn failure(found: &'a str, expected: impl Into<Cow<'static, str>>) -> Err<ParseFailure<'a>> {
        Err::Failure(ParseFailure { found, expected: expected.into() })
    }
}

impl<'a> nom::error::ParseError<&'a str> for ParseFailure<'a> {
    fn from_error_kind(found: &'a str, _: ErrorKind) -> ParseFailure<'a> {
        ParseFailure { found, expected: Cow::Borrowed("") }
    }

    fn append(_: &'a str, _: ErrorKind, other: ParseFailure<'a>) -> ParseFailure<'a> {
        other
    }
}

impl<'a, E> FromExternalError<&'a str, E> for ParseFailure<'a> {
    fn from_external_error(found: &'a str, kind: ErrorKind, _: E) -> ParseFailure<'a> {
        nom::error::ParseError::from_error_kind(found, kind)
    }
}
