//! `go` and its limits.

use super::Dialect;
use super::error::ParseFailure;
use super::words::{OneWord, Parsed, digits, each_once, keyword, moves, no_letter, number, pair_of, token};
use kroo_core::game::{Move, Side};
use nom::Parser;
use nom::branch::alt;
use nom::combinator::fail;
use nom::sequence::preceded;
use std::fmt;
use std::mem::replace;

/// Maximum search depth in plies, the same as `search::MAX_DEPTH`.
pub const MAX_DEPTH: u32 = 127;

/// Maximum depth of `perft` in plies, beyond any machine's reach.
pub const MAX_PERFT: u32 = 64;

/// A limit of `go` that is a number.
struct Number {
    /// Its words in UCI and in UGI.
    words: [&'static str; 2],
    /// The counted quantity.
    what: &'static str,
    least: i128,
    most: i128,
    get: fn(&Limits) -> Option<i128>,
    /// Sets a number in range, and returns whether there was none.
    set: fn(&mut Limits, i128) -> bool,
}

macro_rules! number {
    ($field:ident, $ugi:literal, $what:literal, $least:expr, $type:ty) => {
        Number {
            words: [stringify!($field), $ugi],
            what: $what,
            least: $least as i128,
            most: <$type>::MAX as i128,
            get: |limits| limits.$field.map(i128::from),
            set: |limits, number| limits.$field.replace(number as $type).is_none(),
        }
    };
}

/// The numbers of `go`, in printing order.
const NUMBERS: [Number; 9] = [
    number!(wtime, "p1time", "milliseconds", i64::MIN, i64),
    number!(btime, "p2time", "milliseconds", i64::MIN, i64),
    number!(winc, "p1inc", "milliseconds", 0, u64),
    number!(binc, "p2inc", "milliseconds", 0, u64),
    number!(movestogo, "movestogo", "moves", 0, u32),
    Number { most: MAX_DEPTH as i128, ..number!(depth, "depth", "plies", 1, u32) },
    number!(nodes, "nodes", "nodes", 1, u64),
    number!(mate, "mate", "moves", 1, u32),
    number!(movetime, "movetime", "milliseconds", 0, u64),
];

/// The words of `go` except `perft`, in printing order.
fn words(dialect: Dialect) -> impl Iterator<Item = &'static str> {
    let numbers = NUMBERS.iter().map(move |number| number.words[dialect as usize]);
    ["searchmoves", "ponder"].into_iter().chain(numbers).chain(["infinite"])
}

/// The words of `review`, in printing order.
const REVIEW_WORDS: [&str; 6] = ["south", "north", "from", "depth", "nodes", "movetime"];

/// The moves that a `review` judges.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReviewedMoves {
    /// The side whose moves are meant; `None` for both.
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
    /// Moves to the next time control. Some programs send 0 without one.
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

fn limits(input: &str) -> Parsed<'_, Limits> {
    let mut limits = Limits::default();
    let read = |word: &str, rest| match word {
        "infinite" => Ok((rest, !replace(&mut limits.infinite, true))),
        "ponder" => Ok((rest, !replace(&mut limits.ponder, true))),
        "searchmoves" => {
            some_moves(rest).map(|(rest, moves)| (rest, replace(&mut limits.searchmoves, moves).is_empty()))
        }
        word => limits.number(word, false, rest),
    };
    let (rest, ()) = each_once(input, || words(Dialect::Uci), "each word of `go` only once", read)?;
    Ok((rest, limits))
}

/// Parses the text after `review`. Numbers out of range are refused.
pub(super) fn of_review(input: &str) -> Parsed<'_, (ReviewedMoves, Limits)> {
    let (mut moves, mut limits) = (ReviewedMoves::default(), Limits::default());
    let read = |word: &str, rest| match word {
        "south" => Ok((rest, moves.side.replace(Side::South).is_none())),
        "north" => Ok((rest, moves.side.replace(Side::North).is_none())),
        "from" => number("the number of a move", 1..=usize::MAX)
            .map(|from| moves.from.replace(from).is_none())
            .parse(rest),
        "depth" | "nodes" | "movetime" => limits.number(word, true, rest),
        _ => fail().parse(rest),
    };
    let once = "each word of `review` only once, and one side";
    let (rest, ()) = each_once(input, || REVIEW_WORDS.into_iter(), once, read)?;
    Ok((rest, (moves, limits)))
}

/// Parses at least one move, up to the next word of `go`.
fn some_moves(input: &str) -> Parsed<'_, Vec<Move>> {
    let (rest, moves) = moves(input)?;
    let next = token(rest).map_or("", |(_, word)| word);
    match next.is_empty() || words(Dialect::Uci).chain(words(Dialect::Ugi)).any(|word| word == next) {
        true if moves.is_empty() => Err(ParseFailure::failure(input, "at least one move to search")),
        true => Ok((rest, moves)),
        false => Err(no_letter(rest)),
    }
}

impl Limits {
    /// Parses the number after a word of either dialect, and returns whether it is the first one. A number out of range, or 0, is
    /// refused if `strict`, and otherwise clamped. A word without a number is a recoverable error.
    fn number<'a>(&mut self, word: &str, strict: bool, input: &'a str) -> Parsed<'a, bool> {
        let row = NUMBERS.iter().find_map(|row| Some((row, *row.words.iter().find(|name| **name == word)?)));
        let Some((row, word)) = row else { return fail().parse(input) };
        let least = if strict { row.least.max(1) } else { row.least };
        let wrong =
            || ParseFailure::failure(input, format!("a number of {} from {least} to {}", row.what, row.most));
        let (rest, given) = digits(input).map_err(|_| wrong())?;
        let number = given.parse().unwrap_or(if given.starts_with('-') { i128::MIN } else { i128::MAX });
        let used = number.clamp(least, row.most);
        match used == number {
            false if strict => return Err(wrong()),
            false => self.clamped.push(Clamped { word, given: given.to_owned(), used: used.to_string() }),
            true => {}
        }
        Ok((rest, (row.set)(self, used)))
    }

    fn write_numbers(&self, f: &mut fmt::Formatter<'_>, dialect: Dialect) -> fmt::Result {
        NUMBERS.iter().try_for_each(|row| pair_of(f, row.words[dialect as usize], (row.get)(self)))
    }

    /// Writes `go` with these limits.
    pub(super) fn write(&self, f: &mut fmt::Formatter<'_>, dialect: Dialect) -> fmt::Result {
        let moves = Some(&self.searchmoves).filter(|moves| !moves.is_empty());
        f.write_str("go")?;
        pair_of(f, "searchmoves", moves.map(|moves| OneWord(moves)))?;
        f.write_str(if self.ponder { " ponder" } else { "" })?;
        self.write_numbers(f, dialect)?;
        f.write_str(if self.infinite { " infinite" } else { "" })
    }

    /// Writes `review` with the moves that are judged and these limits.
    pub(super) fn write_review(&self, moves: ReviewedMoves, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match moves.side {
            None => "review",
            Some(Side::South) => "review south",
            Some(Side::North) => "review north",
        })?;
        pair_of(f, "from", moves.from)?;
        self.write_numbers(f, Dialect::Uci)
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
