//! The line protocol: one grammar, both directions.
//!
//! The dialect is UCI in the notation of the oware programs; `protocol.md` is its specification. Two kinds of line
//! exist, and each is a type: a [`Command`] goes to an engine, a [`Reply`] comes from one. The engine reads commands
//! and prints replies, a referee prints commands and reads replies. Both use this module, so what one of them writes
//! is by construction what the other understands: for every value `x` of either type, `parse(x.to_string())` is `x`
//! again.
//!
//! A line is read in stages. This one knows words, numbers and letters, and nothing of boards: a position stays text
//! until the `game` module reads it, and whether a move is legal is not asked here. The parsers are small nom functions,
//! one a word, put together from those of `words`. Once a keyword is recognised there is no way back: whatever does
//! not fit after it is reported where it stands, as a [`ParseError`] with a column, what was expected and what was
//! found, clipped so that no line can make an error long.
//!
//! How strict the grammar is depends on who wrote the line. Commands are read strictly, because a misspelt limit that
//! is silently ignored becomes a lost game. Replies may come from other programs: of an `info` line whatever is
//! understood is taken and the rest is skipped, and a line that is no reply at all is kept as [`Text`]. Only
//! `bestmove` is strict about its move, because a referee has to call what is not a move an illegal one.
//!
//! [`options`] declares every option of the engine once: the `option` line, the check and effect of `setoption` and
//! the flag of the command line come from the same entry of one table.

mod command;
mod error;
mod info;
mod limits;
mod option_error;
mod option_line;
pub mod options;
mod reply;
mod result;
mod score;
mod settings;
mod words;
mod words_of_a_game;

pub use command::{COMMANDS, Command, PositionCommand, Start};
pub use error::ParseError;
pub use info::Info;
pub use limits::{GoCommand, Limits, MAX_DEPTH, MAX_PERFT};
pub use option_line::{OptionKind, OptionLine};
pub use options::{Effect, OptionError, OptionSpec, Settings};
pub use reply::{Reply, Text};
pub use result::GameResult;
pub use score::{Bound, Proven, Score, Worth};
pub use words_of_a_game::read_game;
