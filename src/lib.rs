//! Kroo, an engine for mancala games: the session over the line protocol, the players, the lessons, the pages and the
//! commands.
//!
//! Use it to run the engine inside a program of your own. For boards, a search or the grammar alone, one of the three
//! packages that this one depends on and re-exports is enough:
//!
//! | package | re-exported as | content |
//! |---|---|---|
//! | [`kroo_core`] | [`game`], [`value`], [`evaluate`], [`endgames`], [`search`], [`time`] | rules, evaluation, probes, search |
//! | [`kroo_protocol`] | [`protocol`], [`ogn`], [`level`], [`roster`] | the grammar of lines, options, game files, levels, names of players |
//! | [`kroo_endgames`] | [`endgame_files`] | files of endgame databases: built, packed, checked |
//!
//! Three types are its own:
//!
//! | type | content |
//! |---|---|
//! | [`session::Session`] | a conversation: settings, game and transposition table |
//! | [`session::SlicedSession`] | the same without threads, for a browser's worker |
//! | [`players::Player`] | one that chooses moves: the engine, a level, a program of the literature |
//!
//! # A conversation
//! The session reads lines and writes answers. At the end of its input a search with a limit finishes first.
//!
//! ```
//! use kroo::protocol::Settings;
//! use kroo::session::Session;
//!
//! let mut output = Vec::new();
//! let input = b"position startpos moves FfEc\ngo depth 6\n";
//! Session::new(&mut output, Settings::default())?.converse(input.as_slice())?;
//! let text = String::from_utf8(output)?;
//! assert!(text.lines().last().expect("an answer").starts_with("bestmove "));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # From `go` to `bestmove`
//! 1. The reader thread splits standard input into lines (`session/reader.rs`), and the session loop (`session/threads.rs`)
//!    passes each to the [`session::Session`] (`handle_line` in `session/conversation.rs`).
//! 2. The session parses the line by the grammar ([`protocol`]); `execute` (`session/commands.rs`) calls `go` with its
//!    `Limits`.
//! 3. `Plan::of` (`plan/mod.rs`) turns limits, [`game::Game`], settings and resources into a plan: the time limits, and the
//!    source of the answer. A finished game is answered at once; a [`search::Request`] becomes a job for a player.
//! 4. `go` makes deadlines of the limits (`Clock::new` in `core/search/clock.rs`), after `ponder` only at `ponderhit`. The
//!    session loop hands the job over to the search thread (`session/threads.rs`), which has the player choose
//!    (`JobRunner` in `session/job.rs`).
//! 5. The strong player (`players/kroo.rs`) calls [`search::search`], which looks up the type of the rule set once, deepens
//!    iteratively, probes databases ([`endgames`]), and evaluates leaves ([`evaluate`]).
//! 6. The job sends its events over a channel: each iteration, which the session prints as `info …`, and the move, which it
//!    prints as `bestmove …` (`finish` in `session/conversation.rs`), after `infinite` or `ponder` only at `stop` or
//!    `ponderhit`.
//!
//! `stop` sets a flag of the job (`JobControl`); the search polls it, with the deadlines, through its observer
//! (`SearchReporter` in `session/job.rs`). `kroo play` and `kroo analyse` execute the same plans.
//!
//! # Imports
//! Imports between the modules here go one way, which a test checks: `learn ← players ← plan ← session` and `plan ← play ←
//! cli`. The package never imports the referee, and no documented module knows the parser of the command line.
//! `cli` and `tuning` write files, `play` is the board on a terminal, `web` the server of the one in a browser. Differences
//! between Linux, macOS and Windows are in `descriptors`, `files` and `signals`, or next to a fallback.
//!
//! The documented modules are the API. Those without documentation serve the executables of this project and its tests.
//! Compiled to WebAssembly the library is the rules, the search and the session: the modules that need a terminal, processes
//! or signals are omitted (below), and `clients/wasm` supplies the [`time`] and drives a [`session::SlicedSession`].

#[doc(hidden)]
pub use kroo_core::under;
pub use kroo_core::{endgames, evaluate, game, search, time, value};
#[doc(hidden)]
pub use kroo_core::{files, printable, thread_pool};
pub use kroo_endgames as endgame_files;
pub use kroo_protocol::{self as protocol, level, ogn, roster};

pub mod learn;
pub mod players;
pub mod session;

// Not an API: for the executables and the tests.
#[doc(hidden)]
pub mod bench;
#[cfg(not(target_family = "wasm"))]
#[doc(hidden)]
pub mod cli;
#[cfg(unix)]
#[doc(hidden)]
pub mod descriptors;
#[doc(hidden)]
pub mod plan;
#[cfg(not(target_family = "wasm"))]
#[doc(hidden)]
pub mod play;
#[cfg(not(target_family = "wasm"))]
#[doc(hidden)]
pub mod plot;
#[cfg(not(target_family = "wasm"))]
#[doc(hidden)]
pub mod progress;
#[doc(hidden)]
pub mod review;
#[cfg(not(target_family = "wasm"))]
#[doc(hidden)]
pub mod signals;
#[doc(hidden)]
pub mod solve;
#[cfg(not(target_family = "wasm"))]
#[doc(hidden)]
pub mod stdio;
#[cfg(not(target_family = "wasm"))]
#[doc(hidden)]
pub mod tuning;
#[cfg(not(target_family = "wasm"))]
#[doc(hidden)]
pub mod web;
