//! Matches between engines of mancala games, refereed.
//!
//! Use it to play a match from a program of your own, or to estimate strength from results. Its own board decides legality
//! and its own clock decides lateness, never an engine's.
//!
//! | type | content |
//! |---|---|
//! | [`plan::MatchPlan`] | engines, rules, limits and event of a match |
//! | [`ledger::record::GameRecord`] | a finished game: moves, times, result, and why it ended |
//! | [`ledger::results::Summary`] | what a match has shown |
//!
//! [`run::run`] takes a plan, its openings, a journal, a [`Stop`](engine::Stop), an observer, and a function that plays games.
//! It plays what the journal does not hold yet, and returns the summary.
//!
//! # From results to a verdict
//! The numbers are those of the match on the first page of the repository: pairs of games that brought 0, ½, 1, 1½ and 2
//! points.
//!
//! ```
//! use kroo_referee::statistics::{EloModel, Estimate, Sprt};
//!
//! let pairs = [0, 1, 19, 8, 4];
//! let estimate = Estimate::of_pairs(pairs).expect("there are pairs");
//! assert_eq!(estimate.elo().to_string(), "82.97 +/- 48.08");
//!
//! let sprt = Sprt { elo0: 0.0, elo1: 60.0, alpha: 0.05, beta: 0.05, model: EloModel::Normalized };
//! let [losses, draws, wins] = [20, 9, 35];
//! assert_eq!(sprt.status([losses, draws, wins], pairs).decision.to_string(), "accepted");
//! ```
//!
//! # A game, from the command line to the game file
//! 1. [`cli`] parses the command line, and turns it into a [`plan::MatchPlan`] and a supply of openings; a wrong word, option
//!    or file is an error here, before any process is started.
//! 2. [`schedule`] is an iterator over numbered games: pairings of engines, round by round; for each pairing pairs of games,
//!    two games over one opening with sides swapped. Swiss events, knockouts and [`tuning`] runs wait for results.
//! 3. [`run::run`] has these games played: by threads of this process, or by workers on other machines through a [`queue`].
//!    A worker takes the next game that the journal does not hold, and two engines from its pool.
//! 4. [`engine`] runs the processes of engines. A shim, the referee's program again, sets limits and is the parent of every
//!    process that the engine starts, and kills them all if the referee dies; a cleanup process does that for suspended
//!    shims. Every read and write has a deadline, and ends when the match does. If the system cannot start another process,
//!    the match ends with an error, which is no engine's fault.
//! 5. [`game`] referees. Its board is the library's [`kroo::game::Game`]. The side to move gets one message with `position`
//!    and `go`; the time until its `bestmove` (`engine/uci.rs`) is taken off its [`game::Clock`]. An illegal, late or missing
//!    move loses the game, and its [`game::Termination`] says why; the engine is killed, and restarted for its next game.
//! 6. The [`ledger::record::GameRecord`] goes to the [`ledger::Ledger`]: to the journal first, and once no game before it is
//!    missing to the counts ([`ledger::results`], [`statistics`]), to the schedule and to [`output`]. The ledger ends the match
//!    when its SPRT is decided. `referee merge` and `referee audit` have ledgers of journals.
//!
//! [`ledger::results::GameFiles`] counts the games of `.ogn` files for `referee stats`. [`check`] tests an engine against the
//! protocol.
//!
//! | to find or to change | look at |
//! |---|---|
//! | where an SPRT stops a match | `Ledger::show` in `ledger/core.rs`, by [`ledger::results::Results::end`] |
//! | where a journal is resumed | `cli/recorded.rs`; [`ledger::record::Journal::resume`]; [`ledger::Ledger::open`] |
//! | the order of the standings | [`ledger::results::Results::order`] |
//! | when two games are the same | `ledger/record/fingerprint.rs` |
//! | where an engine that hangs is killed | `play_with` in `run/worker.rs`; `EngineProcess::kill` in `engine/process.rs` |
//! | where a late move is judged | `Engine::send_and_await_move` in `engine/uci.rs`; its deadline in `game/engine_side.rs` |
//! | an output format | a file in `output/`, and a field of `Outputs` in `output/outputs.rs` |
//! | a kind of event | `schedule/event.rs`, and `PairingSystem` in `schedule/pairings.rs` |
//! | what a queue tells workers | `Job` in `queue/job.rs`; what they accept of it: `queue/contained.rs` |
//! | a way to adjudicate | an [`Adjudicator`](game::Adjudicator) in `game/adjudication.rs` |
//! | an option of a match | `cli/arguments/match_arguments.rs`; its meaning in `match_options.rs` |
//! | a word after `--engine` | `cli/arguments/engine.rs`; its help in `cli/words.rs` |
//! | a value of each move | `SearchInfo` and its list in `game/searches.rs` |
//!
//! # Imports
//! It imports `kroo` for rules, protocol, game files, safe files, plots, the page's server and the progress bar. In a game it
//! never uses the engine's search or its opinion of a move; only adjudication by `--endgame` asks the engine's endgame files.
//! Each module's page says which others it uses and where it begins, which a test compares with the code.

#[doc(hidden)]
pub mod check;
#[doc(hidden)]
pub mod cli;
pub mod engine;
pub mod failure;
pub mod game;
pub mod ledger;
#[doc(hidden)]
pub mod output;
pub mod plan;
#[doc(hidden)]
pub mod queue;
pub mod run;
pub mod schedule;
pub mod statistics;
#[doc(hidden)]
pub mod tuning;
