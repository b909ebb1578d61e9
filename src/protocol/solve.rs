//! `solve`: what to prove about a position, and its limits.

use super::error::{ParseFailure, any_of};
use super::words::{Parsed, expect, keyword, number, pair_of, token};
use kroo_core::value::Question;
use nom::Parser;
use nom::branch::alt;
use nom::combinator::value;
use std::fmt;

/// The words of `solve`, in printing order.
const WORDS: [&str; 4] = ["moves", "bound", "nodes", "movetime"];

/// A `solve` command. The first limit that is reached ends it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SolveCommand {
    /// Whether each move has bounds of its own.
    pub moves: bool,
    /// The question about the position, and about each move.
    pub question: Question,
    /// Nodes, at least 1.
    pub nodes: Option<u64>,
    /// Milliseconds, at least 1.
    pub movetime: Option<u64>,
}

/// Parses the text after `solve`. Numbers out of range are refused.
pub(super) fn solve(mut input: &str) -> Parsed<'_, SolveCommand> {
    let (mut moves, mut question) = (None, None);
    let mut command = SolveCommand::default();
    while !input.is_empty() {
        let (rest, word) = token(input)?;
        let (rest, is_new) = match word {
            "moves" => (rest, moves.replace(true).is_none()),
            "bound" => put(&mut question, expect("`win` or `draw`", bound).parse(rest)?),
            "nodes" => put(&mut command.nodes, number("a number of nodes", 1..=u64::MAX).parse(rest)?),
            "movetime" => {
                put(&mut command.movetime, number("a number of milliseconds", 1..=u64::MAX).parse(rest)?)
            }
            _ => return Err(ParseFailure::failure(input, any_of(WORDS))),
        };
        if !is_new {
            return Err(ParseFailure::failure(input, "each word of `solve` only once"));
        }
        input = rest;
    }
    Ok((input, SolveCommand { moves: moves.is_some(), question: question.unwrap_or_default(), ..command }))
}

fn bound(input: &str) -> Parsed<'_, Question> {
    alt((value(Question::Win, keyword("win")), value(Question::Draw, keyword("draw")))).parse(input)
}

/// Fills the slot, and returns whether it was empty.
fn put<'a, T>(slot: &mut Option<T>, (rest, value): (&'a str, T)) -> (&'a str, bool) {
    (rest, slot.replace(value).is_none())
}

impl fmt::Display for SolveCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.moves { "solve moves" } else { "solve" })?;
        let bound = Some(self.question.name()).filter(|name| Question::NAMES.contains(name));
        pair_of(f, "bound", bound)?;
        pair_of(f, "nodes", self.nodes)?;
        pair_of(f, "movetime", self.movetime)
    }
}
