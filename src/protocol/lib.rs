//! The line protocol, one grammar in both directions, with the options of the engine and the game files.
//!
//! Use it to drive an engine for mancala games, to write one, or to read and write game files. The dialect is UCI in the
//! notation of the oware programs, and `protocol.md` is its specification.
//!
//! | type | content |
//! |---|---|
//! | [`Command`] | a line to an engine |
//! | [`Reply`] | a line from an engine |
//! | [`ogn::Reader`] | the games of a file, one after the other |
//!
//! # A line each way
//! An engine parses commands and prints replies; a referee prints commands and parses replies. Both use this package, so each
//! understands what the other writes: for every value `x` of either type, `parse(x.to_string())` is `x` again.
//!
//! ```
//! use kroo_core::game::Variant;
//! use kroo_protocol::{Command, Reply};
//!
//! let line = "position startpos moves FfEc";
//! let Some(Command::Position(position)) = Command::parse(line)? else { panic!("a position") };
//! assert_eq!(position.game(Variant::Oware)?.moves().len(), 4);
//! assert_eq!(position.to_string(), line);
//!
//! let Reply::BestMove { best, .. } = Reply::parse("bestmove B ponder f")? else { panic!("an answer") };
//! assert_eq!(best.expect("a move").to_string(), "B");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A line is read in two stages. The parsers know words, numbers and letters, but no boards: a position stays text.
//! [`PositionCommand::game`] then sets up the position and plays the moves, and a wrong position or an illegal move is an
//! error there. The parsers are small nom functions, one for each word. After a keyword there is no backtracking: an
//! unexpected word is a [`ParseError`] with the column, the expected words and the found one.
//!
//! Commands are read strictly, because a misspelt limit that is silently ignored can lose a game. Replies are read leniently,
//! because other engines write them: unknown parts of an `info` line are skipped, and a line that is not a reply is kept as
//! [`Text`]. Only the move of `bestmove` is read strictly, because a referee must treat anything else as an illegal move.
//! Lines of both [`Dialect`]s, UCI and UGI, are read as the same types; `dialect.rs` lists the differences.
//!
//! [`options`] declares each option of the engine in one row, which generates the `option` line, the check and effect of
//! `setoption`, and the command-line flag.
//!
//! # Imports
//! It imports `kroo-core` for the rules, and no other package of the project: no session, no search of its own, no clock.

mod command;
mod dialect;
mod ending;
mod error;
mod game_text;
mod info;
pub mod level;
mod limits;
mod nearest;
pub mod ogn;
mod option_error;
mod option_line;
pub mod options;
mod reply;
mod result;
pub mod roster;
mod score;
mod solve;
mod words;
mod written;

pub use command::{COMMANDS, Command, PositionCommand, Query, StartPosition};
pub use dialect::Dialect;
pub use ending::Ending;
pub use error::ParseError;
pub use game_text::{GameError, parse_game, play_all};
pub use info::Info;
pub use kroo_core::value::Question;
pub use limits::{Clamped, GoCommand, Limits, MAX_DEPTH, MAX_PERFT, ReviewedMoves};
pub use nearest::nearest;
pub use option_line::{OptionKind, OptionLine};
pub use options::{Effect, OptionError, OptionSpec, Settings};
pub use reply::{Reply, Response, Text};
pub use result::GameResult;
pub use score::{Bound, InfoScore, ScoreValue};
pub use solve::SolveCommand;
