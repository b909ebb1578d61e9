//! Matches between engines of mancala games, refereed.
//!
//! A program, whose parts are public to its tests only (the feature `public`): the compiler finds what nothing uses. Its own
//! board decides legality and its own clock decides lateness, never an engine's.
//!
//! # A game, from the command line to the game file
//! 1. `cli` parses the command line, and turns it into a `plan::MatchPlan` and a supply of openings; a wrong word, option
//!    or file is an error here, before any process is started.
//! 2. `schedule` is an iterator over numbered games: pairings of engines, round by round; for each pairing pairs of games,
//!    two games over one opening with sides swapped. Swiss events, knockouts and `tuning` runs wait for results.
//! 3. `run::run` has these games played: by threads of this process, or by workers on other machines through a `queue`.
//!    A worker takes the next game that the journal does not hold, and two engines from its pool.
//! 4. `engine` runs the processes of engines. A shim, the referee's program again, sets limits and is the parent of every
//!    process that the engine starts, and kills them all if the referee dies; a cleanup process does that for suspended
//!    shims. Every read and write has a deadline, and ends when the match does. If the system cannot start another process,
//!    the match ends with an error, which is no engine's fault.
//! 5. `game` referees. Its board is the library's `kroo::game::Game`. The side to move gets one message with `position`
//!    and `go`; the time until its `bestmove` (`engine/uci.rs`) is taken off its `game::Clock`. An illegal, late or missing
//!    move loses the game, and its `game::Termination` says why; the engine is killed, and restarted for its next game.
//! 6. The `ledger::record::GameRecord` goes to the `ledger::Ledger`: to the journal first, and once no game before it is
//!    missing to the counts (`ledger::results`, `statistics`), to the schedule and to `output`. The ledger ends the match
//!    when its SPRT is decided. `referee merge` and `referee audit` have ledgers of journals.
//!
//! `ledger::results::GameFiles` counts the games of `.ogn` files for `referee stats`. `check` tests an engine against the
//! protocol.
//!
//! | to find or to change | look at |
//! |---|---|
//! | where an SPRT stops a match | `Ledger::show` in `ledger/core.rs`, by `ledger::results::Results::end` |
//! | where a journal is resumed | `cli/recorded.rs`; `ledger::record::Journal::resume`; `ledger::Ledger::open` |
//! | the order of the standings | `ledger::results::Results::order` |
//! | when two games are the same | `ledger/record/fingerprint.rs` |
//! | where an engine that hangs is killed | `play_with` in `run/worker.rs`; `EngineProcess::kill` in `engine/process.rs` |
//! | where a late move is judged | `Engine::send_and_await_move` in `engine/uci.rs`; its deadline in `game/engine_side.rs` |
//! | an output format | a file in `output/`, and a field of `Outputs` in `output/outputs.rs` |
//! | a kind of event | `schedule/event.rs`, and `PairingSystem` in `schedule/pairings.rs` |
//! | the job of workers | `Job` in `queue/job.rs`; the accepted parts: `queue/contained.rs` |
//! | a way to adjudicate | an `Adjudicator` in `game/adjudication.rs` |
//! | an option of a match | `cli/arguments/match_arguments.rs`; its meaning in `match_options.rs` |
//! | a word after `--engine` | `cli/arguments/engine.rs`; its help in `cli/words.rs` |
//! | a value of each move | `SearchInfo` and its list in `game/searches.rs` |
//!
//! # Imports
//! It imports `kroo` for rules, protocol, game files, safe files, plots, the page's server and the progress bar. In a game it
//! never uses the engine's search or its opinion of a move; only adjudication by `--endgame` asks the engine's endgame files.
//! Each module's page says which others it uses and where it begins, which a test compares with the code.

#![cfg_attr(feature = "public", allow(missing_docs, clippy::missing_errors_doc))]
#![cfg_attr(not(feature = "public"), allow(unused_imports, reason = "tests use more of the modules"))]

#[cfg(not(feature = "public"))]
mod check;
#[cfg(feature = "public")]
pub mod check;
#[cfg(not(feature = "public"))]
mod cli;
#[cfg(feature = "public")]
pub mod cli;
#[cfg(not(feature = "public"))]
mod engine;
#[cfg(feature = "public")]
pub mod engine;
#[cfg(not(feature = "public"))]
mod failure;
#[cfg(feature = "public")]
pub mod failure;
#[cfg(not(feature = "public"))]
mod game;
#[cfg(feature = "public")]
pub mod game;
#[cfg(not(feature = "public"))]
mod ledger;
#[cfg(feature = "public")]
pub mod ledger;
#[cfg(not(feature = "public"))]
mod output;
#[cfg(feature = "public")]
pub mod output;
#[cfg(not(feature = "public"))]
mod plan;
#[cfg(feature = "public")]
pub mod plan;
#[cfg(not(feature = "public"))]
mod queue;
#[cfg(feature = "public")]
pub mod queue;
#[cfg(not(feature = "public"))]
mod run;
#[cfg(feature = "public")]
pub mod run;
#[cfg(not(feature = "public"))]
mod schedule;
#[cfg(feature = "public")]
pub mod schedule;
#[cfg(not(feature = "public"))]
mod statistics;
#[cfg(feature = "public")]
pub mod statistics;
#[cfg(not(feature = "public"))]
mod tuning;
#[cfg(feature = "public")]
pub mod tuning;

use kroo::{descriptors, printable};
use std::process::ExitCode;

pub use cli::command;

/// The program: arguments in, a match played, results out.
pub fn main() -> ExitCode {
    descriptors::pass_none_on();
    // Before anything else is started or read.
    match queue::hide_password().map_err(anyhow::Error::msg).and_then(|()| cli::run()) {
        Ok(code) => code,
        Err(error) => {
            // If standard error is closed the message is lost.
            let _ = printable::to_stderr(&format!("referee: {error:#}"));
            ExitCode::from(cli::exit::FAILED)
        }
    }
}
