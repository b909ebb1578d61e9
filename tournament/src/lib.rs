//! Matches between engines of mancala games, refereed.
//!
//! It depends on `kroo` for rules, protocol and game files, and never on its search about legality. Begin with [`run::run`].
//!
//! # One game, from the command line to the game file
//!
//! `main` asks [`cli`] what to do. [`arguments`] turns options and words into a [`plan::MatchPlan`] (who plays, by which rules, with which
//! limits) and a supply of openings. A wrong word, option or file is reported here, before any process is started.
//!
//! [`schedule`] is an iterator: pairings of engines, round by round; for each pairing pairs of games, two games over one opening
//! with sides swapped; and of these pairs numbered games. Where pairings depend on results, they are handed back to it; so are
//! those of a [`tuning`] run, in which they decide what values the engines are given.
//! [`run::run`] counts what a driver has had played. That of one machine starts a number of workers; another one leaves the games
//! to other machines, through a [`queue`]. Each worker takes the next game from the scheduler, which skips those that the [journal](record)
//! holds already, and takes its two engines from its pool.
//!
//! [`engine`] is what a worker knows of a process. An engine is started by a shim, the referee's program once more. The shim
//! sets limits, and whatever the engine starts stays below it. A cleanup process, the referee's program again, is told of the
//! shim, so that all of this is killed even if the referee is. Then come `uci`, the
//! options that the engine declares and the user has set, and before each game `ucinewgame` and `isready`. Every read and write
//! has a deadline, and ends when the match does. If the system cannot start another process, the match ends with an error: that
//! is no engine's fault.
//!
//! [`game`] referees. The board is the library's own [`kroo::game::Game`], which no engine can touch. The side to move gets one
//! message with `position` and `go`; the time from there to the `bestmove` is taken off its [`game::Clock`]. The move is made
//! on the board if it is legal. If not, or if it comes late or not at all, the engine loses the game, and a
//! [`game::Termination`] says why. It is killed with its descendants, and restarted for its next game. Other games end by the
//! rules or by adjudication, and both engines are shown the last position.
//!
//! The finished game goes to the collector, which writes it into the journal. Once it is on the disk it counts, and nothing that
//! ends the referee can lose it. [`results`] counts it, [`statistics`] says what the counts mean, and [`output`] prints a line
//! and, when all games before it are there, appends the game to the game file, adds it to the JSON document and the report, and
//! shows it to those who watch. When the SPRT is decided, the match stops. After the last worker has finished, the results are printed and the files completed.
//! [`merge`] makes the same outputs from the journals of parts that were played apart. [`audit`] lists the games of each worker.
//! [`commit_test`] tests a change of an engine: it builds two commits, has such a match played between them, and keeps a history of its
//! tests.

pub mod accuracy;
pub mod arguments;
pub mod audit;
pub mod check;
pub mod cli;
pub mod commit_test;
pub mod engine;
pub mod exit;
pub mod failure;
pub mod file_results;
pub mod game;
pub mod merge;
pub mod opening_set;
pub mod output;
pub mod plan;
pub mod proc_fs;
pub mod queue;
pub mod record;
pub mod results;
pub mod run;
pub mod schedule;
pub mod signals;
pub mod statistics;
pub mod tuning;
