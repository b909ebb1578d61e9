//! The two dialects of the protocol, and how each writes the commands that differ.

use super::{Command, GoCommand, Limits, PositionCommand, Reply};
use std::fmt;
use std::str::FromStr;

/// A dialect. One grammar reads both; they differ in a few words.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Dialect {
    /// UCI, the dialect of chess engines and of the oware programs.
    #[default]
    Uci,
    /// UGI, the dialect of tournament managers that know no rules and ask the engines for them.
    Ugi,
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

/// The answer to a [`Query`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Response {
    /// `response true` or `response false`.
    Truth(bool),
    /// `response p1win`, `p2win`, `draw` or, while the game goes on, `none`.
    Result(super::GameResult),
}

impl Dialect {
    /// `uci` or `ugi`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Dialect::Uci => "uci",
            Dialect::Ugi => "ugi",
        }
    }

    /// The command that begins a conversation: `uci` or `ugi`.
    #[must_use]
    pub fn hello(self) -> Command {
        match self {
            Dialect::Uci => Command::Uci,
            Dialect::Ugi => Command::Ugi,
        }
    }

    /// The reply that ends the answer to [`Dialect::hello`]: `uciok` or `ugiok`.
    #[must_use]
    pub fn hello_ok(self) -> Reply {
        match self {
            Dialect::Uci => Reply::UciOk,
            Dialect::Ugi => Reply::UgiOk,
        }
    }

    /// The word for [`Command::NewGame`].
    #[must_use]
    pub fn new_game(self) -> &'static str {
        match self {
            Dialect::Uci => "ucinewgame",
            Dialect::Ugi => "uginewgame",
        }
    }

    /// The words of `go` for the clocks of South and North, then for what they gain with each move.
    #[must_use]
    pub fn clocks(self) -> [&'static str; 4] {
        match self {
            Dialect::Uci => ["wtime", "btime", "winc", "binc"],
            Dialect::Ugi => ["p1time", "p2time", "p1inc", "p2inc"],
        }
    }

    /// A command in this dialect, without a line feed.
    #[must_use]
    pub fn write(self, command: &Command) -> Written<'_> {
        Written(self, command)
    }
}

impl FromStr for Dialect {
    type Err = String;

    fn from_str(name: &str) -> Result<Dialect, String> {
        let known = [Dialect::Uci, Dialect::Ugi].into_iter().find(|dialect| dialect.name() == name);
        known.ok_or_else(|| "expected uci or ugi".to_owned())
    }
}

/// A command in a dialect.
#[derive(Clone, Copy, Debug)]
pub struct Written<'a>(Dialect, &'a Command);

impl fmt::Display for Written<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Written(dialect, Command::NewGame) => f.write_str(dialect.new_game()),
            Written(Dialect::Ugi, Command::Position(position)) => spaced(f, position),
            Written(Dialect::Ugi, Command::Go(GoCommand::Search(limits))) => with_all_clocks(f, limits),
            Written(_, command) => write!(f, "{command}"),
        }
    }
}

/// `position`, with each move as a word.
fn spaced(f: &mut fmt::Formatter<'_>, position: &PositionCommand) -> fmt::Result {
    let start = PositionCommand { start: position.start.clone(), moves: Vec::new() };
    write!(f, "{start}")?;
    f.write_str(if position.moves.is_empty() { "" } else { " moves" })?;
    position.moves.iter().try_for_each(|mv| write!(f, " {mv}"))
}

/// `go`. Each clock comes with all four numbers, and UGI has no number of moves to the next time control.
fn with_all_clocks(f: &mut fmt::Formatter<'_>, limits: &Limits) -> fmt::Result {
    if limits.wtime.or(limits.btime).is_none() {
        return limits.write(f, Dialect::Ugi);
    }
    let limits = Limits {
        wtime: limits.wtime.or(limits.btime),
        btime: limits.btime.or(limits.wtime),
        winc: limits.winc.or(Some(0)),
        binc: limits.binc.or(Some(0)),
        movestogo: None,
        ..limits.clone()
    };
    limits.write(f, Dialect::Ugi)
}
