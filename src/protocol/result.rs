//! The result of a game, as one word.

use super::ParseError;
use super::words::{Parsed, expect, keyword, whole_line};
use kroo_core::game::{Position, Side, Verdict};
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

impl GameResult {
    const ALL: [GameResult; 4] =
        [GameResult::Ongoing, GameResult::SouthWins, GameResult::NorthWins, GameResult::Draw];

    /// The result of a position by the rules.
    pub fn of(position: &Position) -> GameResult {
        GameResult::of_south(position.verdict_for(Side::South))
    }

    /// The result that South has; `None` if the game is not over.
    pub const fn of_south(verdict: Option<Verdict>) -> GameResult {
        match verdict {
            None => GameResult::Ongoing,
            Some(Verdict::Win) => GameResult::SouthWins,
            Some(Verdict::Draw) => GameResult::Draw,
            Some(Verdict::Loss) => GameResult::NorthWins,
        }
    }

    /// South's result; `None` if the game is not over.
    pub const fn south(self) -> Option<Verdict> {
        match self {
            GameResult::Ongoing => None,
            GameResult::SouthWins => Some(Verdict::Win),
            GameResult::Draw => Some(Verdict::Draw),
            GameResult::NorthWins => Some(Verdict::Loss),
        }
    }

    /// The word for it.
    pub const fn word(self) -> &'static str {
        match self {
            GameResult::Ongoing => "*",
            GameResult::SouthWins => "1-0",
            GameResult::NorthWins => "0-1",
            GameResult::Draw => "1/2-1/2",
        }
    }

    /// The result of a word.
    pub fn of_word(word: &str) -> Option<GameResult> {
        GameResult::ALL.into_iter().find(|result| result.word() == word)
    }
}

/// Parses a result; anything else is an error.
pub(super) fn result(input: &str) -> Parsed<'_, GameResult> {
    let word = alt(GameResult::ALL.map(|result| value(result, keyword(result.word()))));
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
        f.write_str(self.word())
    }
}
