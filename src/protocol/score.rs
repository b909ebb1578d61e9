//! The score in an `info` line.

use super::words::{Parsed, integer, keyword, pair_of, take, token};
use kroo_core::game::Verdict;
use nom::Parser;
use nom::branch::alt;
use nom::combinator::value;
use std::fmt;

/// A score of an `info` line, for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InfoScore {
    /// The number.
    pub value: ScoreValue,
    /// Whether the number is exact or a bound.
    pub bound: Bound,
    /// The result, if it is proven.
    pub proven: Option<Verdict>,
    /// A win or loss at the end of the search's line that is not proven.
    pub found: Option<Verdict>,
    /// The chances of win, draw and loss in thousandths.
    pub wdl: Option<[u16; 3]>,
}

/// The number in an [`InfoScore`], with its unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScoreValue {
    /// The final difference of the stores in hundredths of a seed.
    Cp(i32),
    /// Moves to a win; negative for a loss. Only other engines print this.
    Mate(i32),
}

/// Whether a number is exact or a bound.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Bound {
    /// The number is the score.
    #[default]
    Exact,
    /// The score is at least this.
    Lower,
    /// The score is at most this.
    Upper,
}

impl InfoScore {
    /// An estimate, in hundredths of a seed.
    pub const fn cp(cp: i32) -> InfoScore {
        InfoScore { value: ScoreValue::Cp(cp), bound: Bound::Exact, proven: None, found: None, wdl: None }
    }

    /// Whether it gives the state of the game: the number is exact, or the result proven. A bound of an unfinished search is
    /// neither.
    pub const fn is_definite(self) -> bool {
        matches!(self.bound, Bound::Exact) || self.proven.is_some()
    }
}

/// Parses the words of a score after `score`; `None` without a number.
pub(super) fn score(mut input: &str) -> (&str, Option<InfoScore>) {
    let mut value = None;
    let mut score = InfoScore::cp(0);
    while let Ok((rest, word)) = token(input) {
        input = match word {
            "cp" => take(rest, &mut value, integer.map(ScoreValue::Cp)),
            "mate" => take(rest, &mut value, integer.map(ScoreValue::Mate)),
            "lowerbound" => set(rest, &mut score.bound, Bound::Lower),
            "upperbound" => set(rest, &mut score.bound, Bound::Upper),
            "proven" => take(rest, &mut score.proven, proven),
            "found" => take(rest, &mut score.found, found),
            "wdl" => take(rest, &mut score.wdl, (integer, integer, integer).map(<[u16; 3]>::from)),
            _ => break,
        };
    }
    (input, value.map(|value| InfoScore { value, ..score }))
}

fn proven(input: &str) -> Parsed<'_, Verdict> {
    alt((found, value(Verdict::Draw, keyword("draw")))).parse(input)
}

fn found(input: &str) -> Parsed<'_, Verdict> {
    alt((value(Verdict::Win, keyword("win")), value(Verdict::Loss, keyword("loss")))).parse(input)
}

fn set<'a, O>(input: &'a str, slot: &mut O, value: O) -> &'a str {
    *slot = value;
    input
}

impl fmt::Display for InfoScore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.value {
            ScoreValue::Cp(cp) => write!(f, "cp {cp}")?,
            ScoreValue::Mate(moves) => write!(f, "mate {moves}")?,
        }
        f.write_str(match self.bound {
            Bound::Exact => "",
            Bound::Lower => " lowerbound",
            Bound::Upper => " upperbound",
        })?;
        pair_of(f, "proven", self.proven.map(Verdict::word))?;
        pair_of(f, "found", self.found.map(Verdict::word))?;
        self.wdl.map_or(Ok(()), |[win, draw, loss]| write!(f, " wdl {win} {draw} {loss}"))
    }
}
