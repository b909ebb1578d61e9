//! Parsers shared by both directions. Each consumes trailing blanks.

use super::ParseError;
use super::error::{ParseFailure, any_of};
use kroo_core::game::Move;
use nom::branch::alt;
use nom::bytes::complete::{tag, take_till1, take_while1};
use nom::character::complete::{anychar, char, digit1, space0, space1};
use nom::combinator::{eof, map_opt, map_res, opt, recognize, verify};
use nom::multi::fold_many0;
use nom::sequence::{pair, terminated};
use nom::{Err, Finish, IResult, Parser, combinator};
use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

/// A parser's result: the rest of the line and the value.
pub(super) type Parsed<'a, O> = IResult<&'a str, O, ParseFailure<'a>>;

/// The line without its line feed and trailing blanks.
pub(super) fn trimmed(line: &str) -> &str {
    line.trim_end_matches([' ', '\t', '\r', '\n'])
}

/// Parses a whole line.
///
/// If the parser returns a recoverable error, the first word was unknown, and `otherwise` parses the line.
pub(super) fn whole_line<'a, O>(
    line: &'a str,
    mut parser: impl FnMut(&'a str) -> Parsed<'a, O>,
    otherwise: impl FnOnce(&'a str) -> Parsed<'a, O>,
) -> Result<O, ParseError> {
    let line = trimmed(line);
    if let Some(at) = line.find('\n') {
        return Err(ParseError::new(line, &line[at..], "a single line"));
    }
    let read = space0.parse(line).and_then(|(text, _)| {
        let (rest, value) = match parser(text) {
            Err(Err::Error(_)) => otherwise(text),
            settled => settled,
        }?;
        expect("the end of the line", eof).parse(rest).map(|(rest, _)| (rest, value))
    });
    match read.finish() {
        Ok((_, value)) => Ok(value),
        Err(fault) => Err(ParseError::new(line, fault.found, fault.expected)),
    }
}

/// Turns a recoverable error of the parser into a failure that expected `what`.
pub(super) fn expect<'a, O>(
    what: &'static str,
    mut parser: impl Parser<&'a str, Output = O, Error = ParseFailure<'a>>,
) -> impl FnMut(&'a str) -> Parsed<'a, O> {
    move |input| match parser.parse(input) {
        Err(Err::Error(_)) => Err(ParseFailure::failure(input, what)),
        settled => settled,
    }
}

/// Blanks, or the end of the line.
fn boundary(input: &str) -> Parsed<'_, &str> {
    alt((space1, eof)).parse(input)
}

pub(super) fn keyword<'a>(word: &'static str) -> impl FnMut(&'a str) -> Parsed<'a, &'a str> {
    move |input| terminated(tag(word), boundary).parse(input)
}

pub(super) fn token(input: &str) -> Parsed<'_, &str> {
    terminated(take_till1(|letter| letter == ' ' || letter == '\t'), space0).parse(input)
}

/// Parses the rest of the line, which may be empty.
pub(super) fn rest(input: &str) -> Parsed<'_, &str> {
    combinator::rest.parse(input)
}

/// Parses one or more words, up to one of `stops`, and joins them with single spaces.
pub(super) fn phrase<'a>(stops: &'static [&'static str]) -> impl FnMut(&'a str) -> Parsed<'a, String> {
    move |input| {
        let (mut input, first) = word_but(stops, input)?;
        let mut phrase = first.to_owned();
        while let Ok((rest, word)) = word_but(stops, input) {
            phrase.push(' ');
            phrase.push_str(word);
            input = rest;
        }
        Ok((input, phrase))
    }
}

fn word_but<'a>(stops: &[&str], input: &'a str) -> Parsed<'a, &'a str> {
    verify(token, |word: &str| !stops.contains(&word)).parse(input)
}

/// Parses a decimal integer that fits the type.
pub(super) fn integer<T: FromStr>(input: &str) -> Parsed<'_, T> {
    map_res(digits, str::parse).parse(input)
}

/// Parses a decimal integer of any length.
pub(super) fn digits(input: &str) -> Parsed<'_, &str> {
    terminated(recognize(pair(opt(char('-')), digit1)), boundary).parse(input)
}

/// Parses an integer within a range; anything else is a failure.
pub(super) fn number<'a, T>(
    what: &'static str,
    range: RangeInclusive<T>,
) -> impl FnMut(&'a str) -> Parsed<'a, T>
where
    T: FromStr + PartialOrd + fmt::Display,
{
    move |input| match integer::<T>(input) {
        Ok((rest, number)) if range.contains(&number) => Ok((rest, number)),
        _ => Err(ParseFailure::failure(input, format!("{what} from {} to {}", range.start(), range.end()))),
    }
}

/// Parses words to the end of the line, each with its own arguments and at most once: `once` is the error for a second one.
/// `read` takes a word and the text after it, and returns whether the word is new, or a recoverable error for an unknown word;
/// `known` are the known ones.
pub(super) fn each_once<'a, W: Iterator<Item = &'static str>>(
    mut input: &'a str,
    known: impl Fn() -> W,
    once: &'static str,
    mut read: impl FnMut(&'a str, &'a str) -> Parsed<'a, bool>,
) -> Parsed<'a, ()> {
    while !input.is_empty() {
        let (rest, word) = token(input)?;
        match read(word, rest) {
            Ok((rest, true)) => input = rest,
            Ok((_, false)) => return Err(ParseFailure::failure(input, once)),
            Err(Err::Error(_)) => return Err(ParseFailure::failure(input, any_of(known()))),
            Err(failed) => return Err(failed),
        }
    }
    Ok((input, ()))
}

/// Fills the slot if the parser succeeds; consumes nothing otherwise.
pub(super) fn take<'a, O>(
    input: &'a str,
    slot: &mut Option<O>,
    mut parser: impl Parser<&'a str, Output = O, Error = ParseFailure<'a>>,
) -> &'a str {
    match parser.parse(input) {
        Ok((rest, value)) => {
            *slot = Some(value);
            rest
        }
        Err(_) => input,
    }
}

/// Parses a move: a word of one letter.
pub(super) fn single_move(input: &str) -> Parsed<'_, Move> {
    terminated(map_opt(anychar, Move::from_letter), boundary).parse(input)
}

/// Parses a possibly empty list of moves: `FfEc`, `F f E c` and `Ff E c` are the same list.
pub(super) fn moves(input: &str) -> Parsed<'_, Vec<Move>> {
    fold_many0(move_word, Vec::new, |mut moves, word| {
        moves.extend(word.chars().filter_map(Move::from_letter));
        moves
    })
    .parse(input)
}

fn move_word(input: &str) -> Parsed<'_, &str> {
    terminated(take_while1(is_letter), boundary).parse(input)
}

fn is_letter(letter: char) -> bool {
    Move::from_letter(letter).is_some()
}

/// The failure at the first letter that names no pit.
pub(super) fn no_letter(input: &str) -> Err<ParseFailure<'_>> {
    let wrong = input.trim_start_matches(is_letter);
    let length = wrong.chars().next().map_or(0, char::len_utf8);
    ParseFailure::failure(&wrong[..length], "a pit's letter (A to F or a to f)")
}

pub(super) struct OneWord<'a>(pub &'a [Move]);

impl fmt::Display for OneWord<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Writing letter by letter took a fifth of the referee's processor time per move.
        for moves in self.0.chunks(64) {
            let mut letters = [0; 64];
            letters.iter_mut().zip(moves).for_each(|(letter, mv)| *letter = mv.letter() as u8);
            f.write_str(str::from_utf8(&letters[..moves.len()]).map_err(|_| fmt::Error)?)?;
        }
        Ok(())
    }
}

/// The end of a line, after a space unless it is empty.
pub(super) struct Tail<'a>(pub &'a str);

impl fmt::Display for Tail<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() { Ok(()) } else { write!(f, " {}", self.0) }
    }
}

/// Writes a keyword and its value, each after a space, if there is a value.
pub(super) fn pair_of(
    f: &mut fmt::Formatter<'_>,
    word: &str,
    value: Option<impl fmt::Display>,
) -> fmt::Result {
    value.map_or(Ok(()), |value| write!(f, " {word} {value}"))
}
