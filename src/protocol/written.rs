//! Commands as text in a dialect.

use super::{Command, Dialect, GoCommand, Limits, PositionCommand, Reply};
use std::fmt::{self, Display};

impl Dialect {
    /// The command that begins a conversation: `uci` or `ugi`.
    pub fn hello(self) -> Command {
        match self {
            Dialect::Uci => Command::Uci,
            Dialect::Ugi => Command::Ugi,
        }
    }

    /// The reply that ends the answer to [`Dialect::hello`]: `uciok` or `ugiok`.
    pub fn hello_ok(self) -> Reply {
        match self {
            Dialect::Uci => Reply::UciOk,
            Dialect::Ugi => Reply::UgiOk,
        }
    }

    /// A command in this dialect, without a line feed.
    pub fn write(self, command: &Command) -> impl Display {
        fmt::from_fn(move |f| match command {
            Command::NewGame => f.write_str(self.new_game()),
            Command::Position(position) => self.position(position).fmt(f),
            Command::Go(go) => self.go(go).fmt(f),
            command => command.fmt(f),
        })
    }

    /// `position`, in the form of [`Dialect::write`].
    pub fn position(self, position: &PositionCommand) -> impl Display {
        fmt::from_fn(move |f| match self {
            Dialect::Uci => position.fmt(f),
            Dialect::Ugi => spaced(f, position),
        })
    }

    /// `go`, in the form of [`Dialect::write`].
    pub fn go(self, go: &GoCommand) -> impl Display {
        fmt::from_fn(move |f| match (self, go) {
            (Dialect::Ugi, GoCommand::Search(limits)) => with_all_clocks(f, limits),
            (_, go) => go.fmt(f),
        })
    }
}

/// `position`, with each move as a word.
fn spaced(f: &mut fmt::Formatter<'_>, position: &PositionCommand) -> fmt::Result {
    let start = PositionCommand { start: position.start.clone(), moves: Vec::new() };
    write!(f, "{start}")?;
    f.write_str(if position.moves.is_empty() { "" } else { " moves" })?;
    position.moves.iter().try_for_each(|mv| write!(f, " {mv}"))
}

/// `go`. UGI has all four clock words or none, and no `movestogo`.
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
