//! Lines from an engine.

use super::words::{
    Parsed, Tail, expect, integer, keyword, number, rest, single_move, token, trimmed, whole_line,
};
use super::{GameResult, Info, OptionLine, ParseError, info, option_line, result};
use kroo_core::game::Move;
use nom::Parser;
use nom::branch::alt;
use nom::combinator::{eof, map_opt, opt, value};
use nom::sequence::{pair, preceded, terminated};
use std::fmt;

/// A line from an engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// `id name …`: the engine's name, trimmed.
    IdName(String),
    /// `id author …`: its author, trimmed.
    IdAuthor(String),
    /// `option …`: the declaration of an option.
    Option(OptionLine),
    /// `uciok`: the end of the answer to `uci`.
    UciOk,
    /// `ugiok`: the end of the answer to `ugi`.
    UgiOk,
    /// `readyok`: the answer to `isready`.
    ReadyOk,
    /// `info …`.
    Info(Info),
    /// `bestmove …`: the end of a search.
    BestMove {
        /// The move; `None`, written `0000`, if the game is over.
        best: Option<Move>,
        /// The expected reply.
        ponder: Option<Move>,
    },
    /// `B: 1234`: `perft`, for one first move.
    PerftMove {
        /// The first move.
        mv: Move,
        /// The number of sequences that begin with it.
        nodes: u64,
    },
    /// `Nodes searched: N`: the total of a `perft` or `bench`.
    PerftTotal(u64),
    /// `Fen: P`: a position, as one word.
    Fen(String),
    /// `Result: R`: the current result of the game.
    Result(GameResult),
    /// `response …`: the answer to `query`.
    Response(Response),
    /// Any other line.
    Text(Text),
}

/// A line for people: a part of a drawing, a number, a sentence.
///
/// It is not blank, has no trailing blanks, and does not begin like another reply. Leading blanks are kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Text(String);

impl Text {
    /// A line, without its trailing blanks.
    ///
    /// # Errors
    /// If it is blank or more than one line, or would be parsed as another reply.
    pub fn new(line: &str) -> Result<Text, ParseError> {
        match Reply::parse(line)? {
            Reply::Text(text) => Ok(text),
            _ => Err(ParseError::new(line, line.trim_start(), "a line for people")),
        }
    }

    /// The line.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Reply {
    /// Parses a line, with or without its line feed.
    ///
    /// # Errors
    /// If the line is blank, or begins like a reply but is not one.
    pub fn parse(line: &str) -> Result<Reply, ParseError> {
        whole_line(line, reply, |input| {
            let (input, _) = expect("a reply", token).parse(input)?;
            let (input, _) = rest(input)?;
            Ok((input, Reply::Text(Text(trimmed(line).to_owned()))))
        })
    }
}

fn reply(input: &str) -> Parsed<'_, Reply> {
    alt((
        preceded(keyword("info"), info::info).map(Reply::Info),
        preceded(keyword("bestmove"), best_move),
        preceded(keyword("id"), expect("`name` or `author`", id)),
        preceded(keyword("option"), option_line::option).map(Reply::Option),
        value(Reply::UciOk, terminated(keyword("uciok"), rest)),
        value(Reply::UgiOk, terminated(keyword("ugiok"), rest)),
        value(Reply::ReadyOk, terminated(keyword("readyok"), rest)),
        preceded(pair(keyword("Nodes"), keyword("searched:")), perft_total),
        preceded(keyword("Fen:"), expect("a position of 15 fields", token))
            .map(|text| Reply::Fen(text.to_owned())),
        preceded(keyword("Result:"), result::result).map(Reply::Result),
        preceded(keyword("response"), response).map(Reply::Response),
        perft_move,
    ))
    .parse(input)
}

fn response(input: &str) -> Parsed<'_, Response> {
    let word = alt((
        value(Response::Truth(true), keyword("true")),
        value(Response::Truth(false), keyword("false")),
        value(Response::Result(GameResult::SouthWins), keyword("p1win")),
        value(Response::Result(GameResult::NorthWins), keyword("p2win")),
        value(Response::Result(GameResult::Draw), keyword("draw")),
        value(Response::Result(GameResult::Ongoing), keyword("none")),
    ));
    expect("`true`, `false`, `p1win`, `p2win`, `draw` or `none`", word).parse(input)
}

fn id(input: &str) -> Parsed<'_, Reply> {
    alt((
        preceded(keyword("name"), rest).map(|name| Reply::IdName(name.to_owned())),
        preceded(keyword("author"), rest).map(|name| Reply::IdAuthor(name.to_owned())),
    ))
    .parse(input)
}

/// Parses the text after `bestmove`. The move is checked strictly; later words other than a ponder move are skipped.
fn best_move(input: &str) -> Parsed<'_, Reply> {
    let none_or_move = alt((value(None, keyword("0000")), single_move.map(Some)));
    let (input, best) = expect("a move (A to F or a to f) or `0000`", none_or_move).parse(input)?;
    let (input, ponder) = opt(preceded(keyword("ponder"), single_move)).parse(input)?;
    let (input, _) = rest(input)?;
    Ok((input, Reply::BestMove { best, ponder }))
}

fn perft_total(input: &str) -> Parsed<'_, Reply> {
    number("a number of nodes", 0..=u64::MAX).map(Reply::PerftTotal).parse(input)
}

fn perft_move(input: &str) -> Parsed<'_, Reply> {
    let letter = map_opt(token, |word| {
        let mut letters = word.strip_suffix(':')?.chars();
        let letter = letters.next()?;
        letters.next().is_none().then(|| Move::from_letter(letter))?
    });
    terminated(pair(letter, integer), eof).map(|(mv, nodes)| Reply::PerftMove { mv, nodes }).parse(input)
}

impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Display for Response {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Response::Truth(true) => "true",
            Response::Truth(false) => "false",
            Response::Result(GameResult::SouthWins) => "p1win",
            Response::Result(GameResult::NorthWins) => "p2win",
            Response::Result(GameResult::Draw) => "draw",
            Response::Result(GameResult::Ongoing) => "none",
        })
    }
}

impl fmt::Display for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reply::IdName(name) => write!(f, "id name{}", Tail(name)),
            Reply::IdAuthor(name) => write!(f, "id author{}", Tail(name)),
            Reply::Option(line) => line.fmt(f),
            Reply::UciOk => f.write_str("uciok"),
            Reply::UgiOk => f.write_str("ugiok"),
            Reply::ReadyOk => f.write_str("readyok"),
            Reply::Info(info) => info.fmt(f),
            Reply::BestMove { best, ponder } => {
                match best {
                    Some(mv) => write!(f, "bestmove {mv}")?,
                    None => f.write_str("bestmove 0000")?,
                }
                ponder.map_or(Ok(()), |mv| write!(f, " ponder {mv}"))
            }
            Reply::PerftMove { mv, nodes } => write!(f, "{mv}: {nodes}"),
            Reply::PerftTotal(nodes) => write!(f, "Nodes searched: {nodes}"),
            Reply::Fen(text) => write!(f, "Fen: {text}"),
            Reply::Result(result) => write!(f, "Result: {result}"),
            Reply::Response(response) => write!(f, "response {response}"),
            Reply::Text(text) => text.fmt(f),
        }
    }
}

/// The answer to a [`Query`](super::Query).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Response {
    /// `response true` or `response false`.
    Truth(bool),
    /// `response p1win`, `p2win`, `draw`, or `none` during the game.
    Result(GameResult),
}
