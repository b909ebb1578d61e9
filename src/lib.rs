//! Kroo, an engine for mancala games: the session, players, lessons, training, pages and the game on a terminal.
//!
//! **From `go` to `bestmove`.** The reader thread splits standard input into lines (`session/reader.rs`). The session loop
//! (`session/threads.rs`) passes each to the [`session::Session`] (`handle_line` in `session/conversation.rs`), which parses it
//! by the grammar ([`protocol`]); `execute` (`session/commands.rs`) calls `go` with its `Limits`. `Plan::of` (`plan/mod.rs`)
//! turns limits, [`game::Game`], settings and resources into a plan: the time limits, and the source of the answer. A finished
//! game is answered at once; a [`search::Request`] becomes a job for a player. `go` makes deadlines of
//! the limits (`Clock::new` in `core/search/clock.rs`), after `ponder` only at `ponderhit`. The session loop hands the job over
//! to the search thread (`session/search_thread.rs`), which has the player choose (`JobRunner` in `session/job.rs`). The strong
//! player (`players/kroo.rs`) calls [`search::search`], which looks up the type of the rule set once, deepens iteratively,
//! probes databases ([`endgames`]), and evaluates leaves ([`evaluate`]). The job sends its events over a channel: each
//! iteration, which the session prints as `info …`, and the move, which it prints as `bestmove …` (`finish` in
//! `session/conversation.rs`), after `infinite` or `ponder` only at `stop` or `ponderhit`. `stop` sets a flag of the job
//! (`JobControl`); the search polls it, with the deadlines, through its observer (`SearchReporter` in `session/job.rs`).
//! `kroo play` and `kroo analyse` execute the same plans.
//!
//! # Use it
//! **Rules.** A [`game::Position`] has its legal moves and its result; a [`game::Game`] also has its past moves. Rule sets are
//! chosen by name.
//!
//! ```
//! use kroo::game::{Game, Move, Position, Variant};
//!
//! let variant: Variant = "oware".parse()?;
//! let start = Position::start(variant);
//! assert_eq!(start.to_string(), "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S");
//! // `perft`: the number of sequences of five moves.
//! assert_eq!(start.perft(5, &|| false), Some(5219));
//!
//! let mut game = Game::new(start);
//! for mv in ['F', 'c'].map(|letter| Move::from_letter(letter).expect("a pit's letter")) {
//!     game.play(mv)?;
//! }
//! let sown = game.moves()[0];
//! assert!(game.play(sown).is_err(), "the pit is empty");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! **A search.** It needs a transposition table, and an observer that receives each iteration and can stop it.
//!
//! ```
//! use kroo::game::{Game, Position, Variant};
//! use kroo::search::{Request, Silent, SearchMemory, search};
//!
//! let game = Game::new(Position::start(Variant::Kalah));
//! let request = Request { depth: 8, ..Request::new(&game) };
//! let report = search(&request, &SearchMemory::new(16)?, &mut Silent);
//! println!("{} {:?} after {} nodes", report.pv[0], report.score, report.nodes);
//! # assert!(report.nodes > 0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! **An endgame probe.** Small databases are built in memory; [`endgames::Endgames::open`] maps files of larger ones, which
//! [`endgame_files::build()`] makes.
//!
//! ```
//! use kroo::endgames::Endgames;
//! use kroo::game::{Awari, Position, Variant, Verdict};
//!
//! let endgames = Endgames::new();
//! endgames.build::<Awari>(3, &mut || false);
//! let position = Position::parse(Variant::Awari, "0-0-0-0-0-1-1-0-0-0-0-1-24-21-S")?;
//! let score = endgames.probe::<Awari>(position.board(), 3).expect("three seeds are there");
//! assert_eq!(score.proven(), Some(Verdict::Win));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! **A game file.** [`ogn::Reader`] reads files of any size game by game; [`ogn::GameText::play`] checks a game's moves.
//!
//! ```
//! use kroo::game::{Game, Position, Variant};
//! use kroo::ogn::{GameRecord, Reader};
//!
//! let mut game = Game::new(Position::start(Variant::Oware));
//! game.play(game.position().moves()[2])?;
//! let mut record = GameRecord::new(game);
//! record.set_tag("South", "Ama");
//! let text = record.to_string();
//!
//! for game in Reader::new(text.as_bytes()) {
//!     let game = game?.play()?;
//!     assert_eq!(game.tag("South"), Some("Ama"));
//!     assert_eq!(game.game.moves().len(), 1);
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Dependencies
//! Begin with [`session`] for the engine, with `arguments.rs` for the executable. This package depends on three others, and
//! re-exports them: [`kroo_core`] has rules, values, evaluation, endgame probes and search; [`kroo_endgames`] builds, packs and
//! checks endgame files; [`kroo_protocol`] has the grammar in both directions, the options and the game files, which the
//! referee uses too. Imports between the modules here go one way, which a test checks: `learn ← players ← plan ← session` and
//! `plan ← play ← tools ← arguments`. `tools` and `tuning` write files, [`level`] defines playing strengths, [`roster`] the
//! names of the players, and [`learn`] the files of lessons. `play` is the board on a terminal, `web` the one in a browser.
//! Differences between Linux, macOS and Windows are in `descriptors`, `files` and `signals`, or next to a fallback.
//!
//! The documented modules are the API. Those without documentation serve the executables of this project and its tests.
//!
//! Compiled to WebAssembly the library is the rules, the search and the session. The modules that need a terminal, processes or
//! signals are omitted (below), `clients/wasm` supplies the [`time`] and drives a [`session::SlicedSession`].

pub use kroo_core::{endgames, evaluate, game, search, time, value};
#[doc(hidden)]
pub use kroo_core::{files, printable, thread_pool};
pub use kroo_endgames as endgame_files;
pub use kroo_protocol::{self as protocol, level, ogn, roster};

pub mod learn;
pub mod players;
pub mod session;

// Not an API: for the executables and the tests.
#[cfg(not(target_family = "wasm"))]
#[doc(hidden)]
pub mod arguments;
#[doc(hidden)]
pub mod bench;
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
#[cfg(not(target_family = "wasm"))]
#[doc(hidden)]
pub mod tools;
#[cfg(not(target_family = "wasm"))]
#[doc(hidden)]
pub mod tuning;
#[cfg(not(target_family = "wasm"))]
#[doc(hidden)]
pub mod usage;
#[cfg(not(target_family = "wasm"))]
#[doc(hidden)]
pub mod web;
