//! `solve`: what to prove about a position, and its limits.

use super::words::{Parsed, each_once, expect, keyword, number, pair_of};
use kroo_core::value::Question;
use nom::Parser;
use nom::branch::alt;
use nom::combinator::{fail, value};
use std::fmt;
use std::mem::replace;

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
pub(super) fn solve(input: &str) -> Parsed<'_, SolveCommand> {
    let (mut question, mut command) = (None, SolveCommand::default());
    let read = |word: &str, rest| match word {
        "moves" => Ok((rest, !replace(&mut command.moves, true))),
        "bound" => {
            expect("`win` or `draw`", bound).map(|bound| question.replace(bound).is_none()).parse(rest)
        }
        "nodes" => number("a number of nodes", 1..=u64::MAX)
            .map(|nodes| command.nodes.replace(nodes).is_none())
            .parse(rest),
        "movetime" => number("a number of milliseconds", 1..=u64::MAX)
            .map(|time| command.movetime.replace(time).is_none())
            .parse(rest),
        _ => fail().parse(rest),
    };
    let (rest, ()) = each_once(input, || WORDS.into_iter(), "each word of `solve` only once", read)?;
    Ok((rest, SolveCommand { question: question.unwrap_or_default(), ..command }))
}

fn bound(input: &str) -> Parsed<'_, Question> {
    alt((value(Question::Win, keyword("win")), value(Question::Draw, keyword("draw")))).parse(input)
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
