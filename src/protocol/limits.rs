//! `go` and its limits.

use super::Dialect;
use super::error::{ParseFailure, any_of};
use super::words::{OneWord, Parsed, digits, keyword, moves, no_letter, number, pair_of, token};
use kroo_core::game::{Move, Side};
use nom::Parser;
use nom::branch::alt;
use nom::sequence::preceded;
use std::fmt;
use std::mem::replace;
use std::ops::RangeInclusive;
use std::str::FromStr;

/// Maximum search depth in plies, the same as `search::MAX_DEPTH`.
pub const MAX_DEPTH: u32 = 127;

const MILLISECONDS: &str = "a number of milliseconds";

/// Maximum depth of `perft` in plies, beyond any machine's reach.
pub const MAX_PERFT: u32 = 64;

/// The words of `go` except `perft`, in printing order.
const WORDS: [&str; 12] = [
    "searchmoves",
    "ponder",
    "wtime",
    "btime",
    "winc",
    "binc",
    "movestogo",
    "depth",
    "nodes",
    "mate",
    "movetime",
    "infinite",
];

/// The words of `review`, in printing order.
const REVIEW_WORDS: [&str; 6] = ["south", "north", "from", "depth", "nodes", "movetime"];

/// The moves that a `review` judges.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReviewedMoves {
    /// The side whose moves they are; `None` for both.
    pub side: Option<Side>,
    /// The number of the first one, from 1; `None` from the start of the game.
    pub from: Option<usize>,
}

impl ReviewedMoves {
    /// All moves after those of an opening.
    pub fn after(opening: usize) -> ReviewedMoves {
        ReviewedMoves { side: None, from: Some(opening + 1) }
    }

    /// Whether a move is among them; the first of a game has the number 1.
    #[must_use]
    pub fn includes(self, number: usize, mv: Move) -> bool {
        self.side.is_none_or(|side| side == mv.side) && self.from.is_none_or(|from| number >= from)
    }
}

/// A `go` command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GoCommand {
    /// `go perft N`: count the move sequences of N plies.
    Perft(u32),
    /// `go …`: search for the best move.
    Search(Limits),
}

/// Search limits. The first one reached ends the search; without limits, `stop` does.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Plies, 1 to [`MAX_DEPTH`].
    pub depth: Option<u32>,
    /// Nodes, at least 1.
    pub nodes: Option<u64>,
    /// Milliseconds for this move.
    pub movetime: Option<u64>,
    /// Milliseconds left on South's clock. Some programs send negative ones.
    pub wtime: Option<i64>,
    /// Milliseconds left on North's clock.
    pub btime: Option<i64>,
    /// South's increment per move in milliseconds.
    pub winc: Option<u64>,
    /// North's increment per move in milliseconds.
    pub binc: Option<u64>,
    /// Moves to the next time control. Some programs send 0 when there is none.
    pub movestogo: Option<u32>,
    /// Look for a win within this many moves of each side, at least 1.
    pub mate: Option<u32>,
    /// Do not answer before `stop`.
    pub infinite: bool,
    /// Think on the opponent's time: do not answer before `ponderhit` or `stop`.
    pub ponder: bool,
    /// The root moves to search; empty means all.
    pub searchmoves: Vec<Move>,
    /// Numbers out of range. They are clamped, because a program that sent them waits for `bestmove`.
    pub clamped: Vec<Clamped>,
}

/// A number of `go` that was out of range.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clamped {
    /// The word before it.
    pub word: &'static str,
    /// The number as written.
    pub given: String,
    /// The nearest number in range, which is used.
    pub used: String,
}

impl fmt::Display for Clamped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Clamped { word, given, used } = self;
        write!(f, "go: {word} {given} is out of range; using {used}")
    }
}

impl Limits {
    /// Whether a clock limits the search.
    pub fn by_time(&self) -> bool {
        self.movetime.or(self.winc).or(self.binc).is_some() || self.wtime.or(self.btime).is_some()
    }

    /// Whether only `stop`, a proof, or a win within `mate` ends the search.
    pub fn are_open(&self) -> bool {
        !self.ponder
            && self.depth.is_none()
            && self.nodes.is_none()
            && !self.by_time()
            && self.movestogo.is_none()
    }

    /// Whether a search for this side to move ends without `stop` or `ponderhit`.
    pub fn are_bounded(&self, side: Side) -> bool {
        let clock = if side == Side::South { self.wtime } else { self.btime };
        let is_limited = self.depth.is_some()
            || self.nodes.is_some()
            || self.movetime.is_some()
            || clock.is_some()
            || self.mate.is_some();
        is_limited && !self.infinite && !self.ponder
    }
}

/// Parses the text after `go`.
pub(super) fn go(input: &str) -> Parsed<'_, GoCommand> {
    alt((preceded(keyword("perft"), perft).map(GoCommand::Perft), limits.map(GoCommand::Search))).parse(input)
}

/// Parses the depth of a `perft`.
pub(super) fn perft(input: &str) -> Parsed<'_, u32> {
    number("a number of plies", 1..=MAX_PERFT).parse(input)
}

/// Parses the depth of a `bench`.
pub(super) fn depth(input: &str) -> Parsed<'_, u32> {
    number("a number of plies", 1..=MAX_DEPTH).parse(input)
}

fn limits(mut input: &str) -> Parsed<'_, Limits> {
    let mut limits = Limits::default();
    while !input.is_empty() {
        (input, ()) = limits.read(input)?;
    }
    Ok((input, limits))
}

/// Parses the text after `review`. Numbers out of range are refused.
pub(super) fn of_review(mut input: &str) -> Parsed<'_, (ReviewedMoves, Limits)> {
    let (mut moves, mut limits) = (ReviewedMoves::default(), Limits::default());
    while !input.is_empty() {
        let (rest, word) = token(input)?;
        let (rest, is_new) = match word {
            "south" => put(&mut moves.side, (rest, Side::South)),
            "north" => put(&mut moves.side, (rest, Side::North)),
            "from" => put(&mut moves.from, number("the number of a move", 1..=usize::MAX).parse(rest)?),
            "depth" => put(&mut limits.depth, depth(rest)?),
            "nodes" => put(&mut limits.nodes, number("a number of nodes", 1..=u64::MAX).parse(rest)?),
            "movetime" => put(&mut limits.movetime, number(MILLISECONDS, 1..=u64::MAX).parse(rest)?),
            _ => return Err(ParseFailure::failure(input, any_of(REVIEW_WORDS))),
        };
        if !is_new {
            return Err(ParseFailure::failure(input, "each word of `review` only once, and one side"));
        }
        input = rest;
    }
    Ok((input, (moves, limits)))
}

/// A word of `go` in either dialect.
fn known(word: &str) -> Option<&'static str> {
    WORDS.into_iter().chain(Dialect::Ugi.clocks()).find(|known| *known == word)
}

/// Parses at least one move, up to the next word of `go`.
fn some_moves(input: &str) -> Parsed<'_, Vec<Move>> {
    let (rest, moves) = moves(input)?;
    let next = token(rest).map_or("", |(_, word)| word);
    match next.is_empty() || known(next).is_some() {
        true if moves.is_empty() => Err(ParseFailure::failure(input, "at least one move to search")),
        true => Ok((rest, moves)),
        false => Err(no_letter(rest)),
    }
}

impl Limits {
    /// Parses the next limit.
    fn read<'a>(&mut self, input: &'a str) -> Parsed<'a, ()> {
        let (rest, word) = token(input)?;
        let known = known(word).unwrap_or_default();
        let (rest, is_new) = match word {
            "depth" => put(
                &mut self.depth,
                in_range(&mut self.clamped, ("depth", "a number of plies"), 1..=MAX_DEPTH, rest)?,
            ),
            "nodes" => put(
                &mut self.nodes,
                in_range(&mut self.clamped, ("nodes", "a number of nodes"), 1..=u64::MAX, rest)?,
            ),
            "movetime" => put(
                &mut self.movetime,
                in_range(&mut self.clamped, ("movetime", MILLISECONDS), 0..=u64::MAX, rest)?,
            ),
            "wtime" | "p1time" => put(
                &mut self.wtime,
                in_range(&mut self.clamped, (known, MILLISECONDS), i64::MIN..=i64::MAX, rest)?,
            ),
            "btime" | "p2time" => put(
                &mut self.btime,
                in_range(&mut self.clamped, (known, MILLISECONDS), i64::MIN..=i64::MAX, rest)?,
            ),
            "winc" | "p1inc" => {
                put(&mut self.winc, in_range(&mut self.clamped, (known, MILLISECONDS), 0..=u64::MAX, rest)?)
            }
            "binc" | "p2inc" => {
                put(&mut self.binc, in_range(&mut self.clamped, (known, MILLISECONDS), 0..=u64::MAX, rest)?)
            }
            "movestogo" => put(
                &mut self.movestogo,
                in_range(&mut self.clamped, ("movestogo", "a number of moves"), 0..=u32::MAX, rest)?,
            ),
            "mate" => put(
                &mut self.mate,
                in_range(&mut self.clamped, ("mate", "a number of moves"), 1..=u32::MAX, rest)?,
            ),
            "infinite" => (rest, !replace(&mut self.infinite, true)),
            "ponder" => (rest, !replace(&mut self.ponder, true)),
            "searchmoves" => {
                let (rest, moves) = some_moves(rest)?;
                (rest, replace(&mut self.searchmoves, moves).is_empty())
            }
            _ => return Err(ParseFailure::failure(input, any_of(WORDS))),
        };
        match is_new {
            true => Ok((rest, ())),
            false => Err(ParseFailure::failure(input, "each word of `go` only once")),
        }
    }
}

/// Parses a number. One out of range is clamped and recorded in `clamped`.
fn in_range<'a, T>(
    clamped: &mut Vec<Clamped>,
    (word, what): (&'static str, &'static str),
    range: RangeInclusive<T>,
    input: &'a str,
) -> Parsed<'a, T>
where
    T: Copy + fmt::Display + FromStr + Into<i128> + PartialOrd,
{
    let (least, most) = (*range.start(), *range.end());
    let Ok((rest, digits)) = digits(input) else {
        return Err(ParseFailure::failure(input, format!("{what} from {least} to {most}")));
    };
    if let Some(number) = digits.parse::<T>().ok().filter(|number| range.contains(number)) {
        return Ok((rest, number));
    }
    let is_less = digits.parse::<i128>().map_or(digits.starts_with('-'), |number| number < least.into());
    let number = if is_less { least } else { most };
    clamped.push(Clamped { word, given: digits.to_owned(), used: number.to_string() });
    Ok((rest, number))
}

/// Fills the slot, and returns whether it was empty.
fn put<'a, T>(slot: &mut Option<T>, (rest, value): (&'a str, T)) -> (&'a str, bool) {
    (rest, slot.replace(value).is_none())
}

impl Limits {
    /// Writes `go` with these limits.
    pub(super) fn write(&self, f: &mut fmt::Formatter<'_>, dialect: Dialect) -> fmt::Result {
        let moves = Some(&self.searchmoves).filter(|moves| !moves.is_empty());
        let [south, north, south_gains, north_gains] = dialect.clocks();
        f.write_str("go")?;
        pair_of(f, "searchmoves", moves.map(|moves| OneWord(moves)))?;
        f.write_str(if self.ponder { " ponder" } else { "" })?;
        pair_of(f, south, self.wtime)?;
        pair_of(f, north, self.btime)?;
        pair_of(f, south_gains, self.winc)?;
        pair_of(f, north_gains, self.binc)?;
        pair_of(f, "movestogo", self.movestogo)?;
        pair_of(f, "depth", self.depth)?;
        pair_of(f, "nodes", self.nodes)?;
        pair_of(f, "mate", self.mate)?;
        pair_of(f, "movetime", self.movetime)?;
        f.write_str(if self.infinite { " infinite" } else { "" })
    }
}

impl Limits {
    /// Writes `review` with the moves that are judged and these limits.
    pub(super) fn write_review(&self, moves: ReviewedMoves, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match moves.side {
            None => "review",
            Some(Side::South) => "review south",
            Some(Side::North) => "review north",
        })?;
        pair_of(f, "from", moves.from)?;
        pair_of(f, "depth", self.depth)?;
        pair_of(f, "nodes", self.nodes)?;
        pair_of(f, "movetime", self.movetime)
    }
}

impl fmt::Display for GoCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GoCommand::Perft(depth) => write!(f, "go perft {depth}"),
            GoCommand::Search(limits) => limits.write(f, Dialect::Uci),
        }
    }
}
