//! The score in an `info` line.

use super::words::{Parsed, integer, keyword, take, token};
use nom::Parser;
use nom::branch::alt;
use nom::combinator::value;
use std::fmt;

/// What an engine thinks a position is worth to the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Score {
    /// The amount.
    pub worth: Worth,
    /// Whether the amount is the score or only a bound of it.
    pub bound: Bound,
    /// The outcome, if it is proven.
    pub proven: Option<Proven>,
    /// Chances of win, draw and loss in thousandths.
    pub wdl: Option<[u16; 3]>,
}

/// The amount of a [`Score`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Worth {
    /// Hundredths of a seed of the final difference of the stores.
    Cp(i32),
    /// Moves to a won end, negative if it is lost. This engine does not print it; others do.
    Mate(i32),
}

/// Whether an amount is the score or only a bound of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Bound {
    /// It is the score.
    #[default]
    Exact,
    /// The score is at least this.
    Lower,
    /// The score is at most this.
    Upper,
}

/// An outcome that is proven for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proven {
    /// The side to move wins.
    Win,
    /// Nobody wins.
    Draw,
    /// The side to move loses.
    Loss,
}

impl Score {
    /// An estimate, in hundredths of a seed.
    #[must_use]
    pub const fn cp(cp: i32) -> Score {
        Score { worth: Worth::Cp(cp), bound: Bound::Exact, proven: None, wdl: None }
    }
}

/// Takes the words behind `score` as far as they belong to it. A score without an amount is none.
pub(super) fn score(mut input: &str) -> (&str, Option<Score>) {
    let mut worth = None;
    let mut score = Score::cp(0);
    while let Ok((rest, word)) = token(input) {
        input = match word {
            "cp" => take(rest, &mut worth, integer.map(Worth::Cp)),
            "mate" => take(rest, &mut worth, integer.map(Worth::Mate)),
            "lowerbound" => set(rest, &mut score.bound, Bound::Lower),
            "upperbound" => set(rest, &mut score.bound, Bound::Upper),
            "proven" => take(rest, &mut score.proven, proven),
            "wdl" => take(rest, &mut score.wdl, (integer, integer, integer).map(<[u16; 3]>::from)),
            _ => break,
        };
    }
    (input, worth.map(|worth| Score { worth, ..score }))
}

fn proven(input: &str) -> Parsed<'_, Proven> {
    alt((
        value(Proven::Win, keyword("win")),
        value(Proven::Draw, keyword("draw")),
        value(Proven::Loss, keyword("loss")),
    ))
    .parse(input)
}

fn set<'a, O>(input: &'a str, slot: &mut O, value: O) -> &'a str {
    *slot = value;
    input
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.worth {
            Worth::Cp(cp) => write!(f, "cp {cp}")?,
            Worth::Mate(moves) => write!(f, "mate {moves}")?,
        }
        f.write_str(match self.bound {
            Bound::Exact => "",
            Bound::Lower => " lowerbound",
            Bound::Upper => " upperbound",
        })?;
        f.write_str(match self.proven {
            None => "",
            Some(Proven::Win) => " proven win",
            Some(Proven::Draw) => " proven draw",
            Some(Proven::Loss) => " proven loss",
        })?;
        self.wdl.map_or(Ok(()), |[win, draw, loss]| write!(f, " wdl {win} {draw} {loss}"))
    }
}
