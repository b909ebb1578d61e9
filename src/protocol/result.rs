//! The result of a game, as one word.

use super::ParseError;
use super::words::{Parsed, expect, keyword, whole_line};
use nom::Parser;
use nom::branch::alt;
use nom::combinator::value;
use std::fmt;
use std::str::FromStr;

/// The result of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GameResult {
    /// `*`: the game is not over.
    Ongoing,
    /// `1-0`: South won.
    SouthWins,
    /// `0-1`: North won.
    NorthWins,
    /// `1/2-1/2`: a draw.
    Draw,
}

/// Parses a result; anything else is an error.
pub(super) fn result(input: &str) -> Parsed<'_, GameResult> {
    let word = alt((
        value(GameResult::Ongoing, keyword("*")),
        value(GameResult::SouthWins, keyword("1-0")),
        value(GameResult::NorthWins, keyword("0-1")),
        value(GameResult::Draw, keyword("1/2-1/2")),
    ));
    expect("`*`, `1-0`, `0-1` or `1/2-1/2`", word).parse(input)
}

impl FromStr for GameResult {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<GameResult, ParseError> {
        whole_line(text, result, result)
    }
}

impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            GameResult::Ongoing => "*",
            GameResult::SouthWins => "1-0",
            GameResult::NorthWins => "0-1",
            GameResult::Draw => "1/2-1/2",
        })
    }
}
