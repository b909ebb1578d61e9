//! Lines to an engine.

use super::ParseError;
use super::error::{ParseFailure, any_of};
use super::limits::{self, GoCommand, Limits, ReviewedMoves};
use super::solve::{self, SolveCommand};
use super::words::{
    OneWord, Parsed, Tail, expect, keyword, moves, no_letter, phrase, rest, token, trimmed, whole_line,
};
use kroo_core::game::Move;
use nom::Parser;
use nom::branch::alt;
use nom::combinator::{eof, opt, value, verify};
use nom::sequence::preceded;
use std::fmt;

/// All commands: usage and description. `help` prints this table.
pub const COMMANDS: &[(&str, &str)] = &[
    ("uci", "print the engine's name, author and options, then `uciok`"),
    ("ugi", "the same in the UGI dialect, with `ugiok`"),
    ("debug on|off", "accepted without effect"),
    ("isready", "print `readyok`, during a search at once"),
    ("setoption name N [value V]", "set option N to V, or press button N"),
    ("ucinewgame | uginewgame", "forget the game, and set up the start position"),
    ("position startpos|fen P [moves M]", "set up the start position or position P, then play the moves M"),
    (
        "go [depth N] [nodes N] [movetime T] [mate N] [infinite]",
        "search to the first limit, then print `bestmove`",
    ),
    (
        "go [wtime T] [btime T] [winc T] [binc T] [movestogo N]",
        "the same by the clocks of South (w) and North (b)",
    ),
    ("go [ponder] [searchmoves M]", "the same on the opponent's time, or among the moves M"),
    ("go perft N", "count the move sequences of N plies, for each first move"),
    (
        "query gameover|p1turn|result",
        "print whether the game is over, whether South is to move, or the result",
    ),
    ("stop", "stop the search, which then prints its `bestmove`"),
    ("ponderhit", "start the clock: the expected move was played"),
    ("quit", "end the program"),
    ("d", "draw the board, and print the position and the result"),
    ("eval", "show the evaluation of the position, and what each pit adds to it"),
    ("endgame [startpos|fen P [moves M]]", "show what the endgames know about a position and its moves"),
    (
        "review [south|north] [from N] [depth N] [nodes N] [movetime T]",
        "judge moves of the game, of a side, or from move N on; then `reviewok`",
    ),
    (
        "solve [moves] [bound win|draw] [nodes N] [movetime T]",
        "prove the value of the position, or of each move; then print `solveok`",
    ),
    ("sow [M]", "show each step of the moves M, then the legal moves and the result"),
    ("rules", "explain the rules of the game in a few sentences"),
    ("fairstarts", "list the starts of the game that perfect play draws, and their number"),
    ("bench [N]", "search fixed positions to N plies; print their nodes and the speed"),
    ("perft N", "the same as `go perft N`"),
    ("help", "list the commands"),
];

/// A line to the engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// `uci`: print name and options.
    Uci,
    /// `ugi`: print name and options, and answer as UGI has it.
    Ugi,
    /// `debug on` or `debug off`.
    Debug(bool),
    /// `isready`: print `readyok`.
    IsReady,
    /// `setoption name N [value V]`.
    SetOption {
        /// The option's name as written, with single spaces between its words, none of them `value`.
        name: String,
        /// The text after `value`, trimmed; `None` without `value`.
        value: Option<String>,
    },
    /// `ucinewgame` or `uginewgame`: the next position belongs to another game.
    NewGame,
    /// `position …`.
    Position(PositionCommand),
    /// `go …`.
    Go(GoCommand),
    /// `query …`: answer a question about the position.
    Query(Query),
    /// `stop`: stop the search and answer.
    Stop,
    /// `ponderhit`: the expected move was played.
    PonderHit,
    /// `quit`.
    Quit,
    /// `d`: draw the board.
    Display,
    /// `eval`: show the evaluation.
    Eval,
    /// `endgame`, optionally with a position other than the current one.
    Endgame(Option<PositionCommand>),
    /// `review`, with the moves that are judged and the limits of each search: `depth`, `nodes` and `movetime`.
    Review(ReviewedMoves, Limits),
    /// `solve`: prove the value of the position.
    Solve(SolveCommand),
    /// `sow`, with moves from the current position. They are not checked for legality here.
    Sow(Vec<Move>),
    /// `rules`: explain the rules of the game.
    Rules,
    /// `fairstarts`: list the starts that perfect play draws.
    FairStarts,
    /// `bench`, optionally with a depth of 1 to [`MAX_DEPTH`](super::MAX_DEPTH) plies.
    Bench(Option<u32>),
    /// `perft N`, 1 to [`MAX_PERFT`](super::MAX_PERFT) plies.
    Perft(u32),
    /// `help`.
    Help,
}

/// A question of UGI about the position that was set up last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Query {
    /// `query gameover`: is the game over?
    GameOver,
    /// `query p1turn`: is the first player (South) to move?
    P1Turn,
    /// `query result`: how did the game end?
    Result,
}

/// `position`: a start position, and the moves from there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PositionCommand {
    /// The position before the first move.
    pub start: StartPosition,
    /// The moves in order. They are not checked for legality here.
    pub moves: Vec<Move>,
}

/// The position before the first move of a `position` command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StartPosition {
    /// The start position of the rule set.
    Startpos,
    /// Fifteen fields as one unparsed word other than `moves`.
    Fen(String),
}

impl Command {
    /// Parses a line, with or without its line feed; `None` for a blank line.
    ///
    /// # Errors
    /// If the line is not in the grammar.
    pub fn parse(line: &str) -> Result<Option<Command>, ParseError> {
        let is_blank = trimmed(line).is_empty();
        if is_blank { Ok(None) } else { whole_line(line, command, unknown).map(Some) }
    }
}

fn unknown(input: &str) -> Parsed<'_, Command> {
    let mut names: Vec<&str> = COMMANDS.iter().filter_map(|(usage, _)| usage.split(' ').next()).collect();
    names.dedup();
    Err(ParseFailure::failure(input, any_of(names)))
}

fn command(input: &str) -> Parsed<'_, Command> {
    alt((
        single_word,
        preceded(keyword("position"), position).map(Command::Position),
        preceded(keyword("go"), limits::go).map(Command::Go),
        preceded(keyword("setoption"), set_option),
        preceded(keyword("query"), expect("`gameover`, `p1turn` or `result`", query)).map(Command::Query),
        preceded(keyword("debug"), expect("`on` or `off`", switch)).map(Command::Debug),
        preceded(keyword("endgame"), alt((value(None, eof), position.map(Some)))).map(Command::Endgame),
        preceded(keyword("review"), limits::of_review).map(|(moves, limits)| Command::Review(moves, limits)),
        preceded(keyword("solve"), solve::solve).map(Command::Solve),
        preceded(keyword("sow"), only_moves).map(Command::Sow),
        preceded(keyword("bench"), alt((value(None, eof), limits::depth.map(Some)))).map(Command::Bench),
        preceded(keyword("perft"), limits::perft).map(Command::Perft),
    ))
    .parse(input)
}

fn single_word(input: &str) -> Parsed<'_, Command> {
    alt((
        value(Command::Uci, keyword("uci")),
        value(Command::Ugi, keyword("ugi")),
        value(Command::IsReady, keyword("isready")),
        value(Command::NewGame, alt((keyword("ucinewgame"), keyword("uginewgame")))),
        value(Command::Stop, keyword("stop")),
        value(Command::PonderHit, keyword("ponderhit")),
        value(Command::Quit, keyword("quit")),
        value(Command::Display, keyword("d")),
        value(Command::Eval, keyword("eval")),
        value(Command::Rules, keyword("rules")),
        value(Command::FairStarts, keyword("fairstarts")),
        value(Command::Help, keyword("help")),
    ))
    .parse(input)
}

fn switch(input: &str) -> Parsed<'_, bool> {
    alt((value(true, keyword("on")), value(false, keyword("off")))).parse(input)
}

fn query(input: &str) -> Parsed<'_, Query> {
    alt((
        value(Query::GameOver, keyword("gameover")),
        value(Query::P1Turn, keyword("p1turn")),
        value(Query::Result, keyword("result")),
    ))
    .parse(input)
}

fn set_option(input: &str) -> Parsed<'_, Command> {
    let (input, _) = expect("`name`", keyword("name")).parse(input)?;
    let (input, name) = expect("the name of an option", phrase(&["value"])).parse(input)?;
    let (input, value) = opt(preceded(keyword("value"), rest)).parse(input)?;
    Ok((input, Command::SetOption { name, value: value.map(str::to_owned) }))
}

fn position(input: &str) -> Parsed<'_, PositionCommand> {
    let startpos = value(StartPosition::Startpos, keyword("startpos"));
    expect("`startpos` or `fen`", alt((startpos, fen))).parse(input).and_then(moves_after)
}

/// Parses the words after `position`, where `fen` is optional.
pub(super) fn game(input: &str) -> Parsed<'_, PositionCommand> {
    let startpos = value(StartPosition::Startpos, keyword("startpos"));
    let fields = verify(token, |word: &str| word != "moves");
    let fields = fields.map(|text: &str| StartPosition::Fen(text.to_owned()));
    expect("`startpos` or a position of 15 fields joined by `-`", alt((startpos, fen, fields)))
        .parse(input)
        .and_then(moves_after)
}

/// Parses the optional moves after a position.
fn moves_after((input, start): (&str, StartPosition)) -> Parsed<'_, PositionCommand> {
    let (input, moves) =
        expect("`moves` or the end of the line", alt((value(Vec::new(), eof), move_list))).parse(input)?;
    Ok((input, PositionCommand { start, moves }))
}

fn fen(input: &str) -> Parsed<'_, StartPosition> {
    let (input, _) = keyword("fen").parse(input)?;
    let (input, text) =
        expect("a position of 15 fields", verify(token, |word: &str| word != "moves")).parse(input)?;
    Ok((input, StartPosition::Fen(text.to_owned())))
}

fn move_list(input: &str) -> Parsed<'_, Vec<Move>> {
    preceded(keyword("moves"), only_moves).parse(input)
}

fn only_moves(input: &str) -> Parsed<'_, Vec<Move>> {
    let (rest, moves) = moves(input)?;
    if rest.is_empty() { Ok((rest, moves)) } else { Err(no_letter(rest)) }
}

impl fmt::Display for PositionCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.start {
            StartPosition::Startpos => f.write_str("position startpos")?,
            StartPosition::Fen(text) => write!(f, "position fen {text}")?,
        }
        if self.moves.is_empty() { Ok(()) } else { write!(f, " moves {}", OneWord(&self.moves)) }
    }
}

impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Command::Uci => f.write_str("uci"),
            Command::Ugi => f.write_str("ugi"),
            Command::Debug(true) => f.write_str("debug on"),
            Command::Debug(false) => f.write_str("debug off"),
            Command::IsReady => f.write_str("isready"),
            Command::SetOption { name, value: None } => write!(f, "setoption name {name}"),
            Command::SetOption { name, value: Some(value) } => {
                write!(f, "setoption name {name} value{}", Tail(value))
            }
            Command::NewGame => f.write_str("ucinewgame"),
            Command::Position(position) => position.fmt(f),
            Command::Go(go) => go.fmt(f),
            Command::Query(Query::GameOver) => f.write_str("query gameover"),
            Command::Query(Query::P1Turn) => f.write_str("query p1turn"),
            Command::Query(Query::Result) => f.write_str("query result"),
            Command::Stop => f.write_str("stop"),
            Command::PonderHit => f.write_str("ponderhit"),
            Command::Quit => f.write_str("quit"),
            Command::Display => f.write_str("d"),
            Command::Eval => f.write_str("eval"),
            Command::Endgame(None) => f.write_str("endgame"),
            Command::Endgame(Some(position)) => {
                write!(f, "endgame{}", position.to_string().trim_start_matches("position"))
            }
            Command::Review(moves, limits) => limits.write_review(*moves, f),
            Command::Solve(solve) => solve.fmt(f),
            Command::Sow(moves) if moves.is_empty() => f.write_str("sow"),
            Command::Sow(moves) => write!(f, "sow {}", OneWord(moves)),
            Command::Rules => f.write_str("rules"),
            Command::FairStarts => f.write_str("fairstarts"),
            Command::Bench(None) => f.write_str("bench"),
            Command::Bench(Some(depth)) => write!(f, "bench {depth}"),
            Command::Perft(depth) => write!(f, "perft {depth}"),
            Command::Help => f.write_str("help"),
        }
    }
}
