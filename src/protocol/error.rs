//! Errors in a line, with their place.

use nom::error::{ErrorKind, FromExternalError};
use nom::{Err, Offset};
use std::borrow::Cow;
use std::fmt::Write;

/// How much of a line an error message repeats at most: characters, and bytes in UTF-8. So no line makes an error long.
const CLIP: (usize, usize) = (40, 80);

/// A line that is not in the grammar.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("column {column}: expected {expected}, found {found}")]
pub struct ParseError {
    /// Where it goes wrong: the character, counted from 1.
    pub column: usize,
    /// What was expected there.
    pub expected: String,
    /// What was found, between backquotes, clipped and with control characters escaped; or "the end of the line".
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

/// The text between backquotes, clipped, with unprintable characters escaped.
pub(super) fn quoted(text: &str) -> String {
    quoted_within(text, CLIP.1)
}

/// The same in fewer bytes, for a message that is long without it.
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

/// A [`ParseError`] on its way up through the parsers: the place is known as a slice, not yet as a column.
#[derive(Clone, Debug)]
pub(super) struct ParseFailure<'a> {
    /// The line from the wrong word on, or only the wrong letter.
    pub found: &'a str,
    /// What was expected; empty if a calling parser will fill it in.
    pub expected: Cow<'static, str>,
}

impl<'a> ParseFailure<'a> {
    /// A failure that ends all attempts to parse this line.
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
