//! Matches between engines of mancala games, refereed.
//!
//! # One game, from the command line to the game file
//!
//! `main` asks [`arguments`] what is to be done. Options and words become a [`plan::MatchPlan`] (who plays, by which rules,
//! how long) and a supply of openings; a wrong word, option or file is reported here, before any process is started.
//!
//! [`schedule`] is an iterator: pairs of engines, round by round, and from each pair two games over one opening with
//! sides swapped, numbered. Where who meets whom depends on results it takes them back. [`run::run`] deals the games to a
//! number of workers, but for those that the [`journal`] holds already. A worker takes a scheduled and calls its two
//! engines to the board.
//!
//! [`engine`] is what a worker knows of a process. An engine is started in a process group of its own; a supervisor, a
//! second process of the referee's program, is told of the group, so that it is killed even if the referee is. Then
//! `uci`, the options that the engine declares and the user has set, and before each game `ucinewgame` and `isready`.
//! Nothing is ever waited for without an end: each read and each write has a deadline, and stops when the match does.
//! If the system cannot start another process the match ends with an error: that is no engine's fault.
//!
//! [`game`] referees. The board is the library's own [`kroo::game::Game`], which no engine can touch. The side that is
//! to move, be it for the second time in a row, gets one message with `position` and `go`; the time from there to the
//! `bestmove` is taken off its [`game::Clock`]. The move is made on the board if it is legal. Otherwise, or if it comes
//! late or not at all, the game is lost for a reason of its own, a [`game::Termination`]; the engine is killed with its
//! children, and started again for the next game. A game that runs its course ends by the rules, or by the stores when
//! it has lasted too long, and both engines are shown how.
//!
//! The record goes to the collector, which writes it into the journal; once it is on the disk the game counts, and no end
//! of the referee can lose it. [`tally`] counts it, [`statistics`] says what the counts mean, and [`output`]
//! prints a line, appends the game to the game file when all games before it are there, and adds it to the JSON
//! document. A test that is decided stops the match. When the last worker has gone, or a signal has stopped them, the
//! results are printed, the files completed, and the supervisor finds nothing left to do. [`merge`] makes the same outputs
//! from the journals of parts that were played apart.

pub mod arguments;
pub mod check;
pub mod engine;
pub mod game;
pub mod journal;
pub mod merge;
pub mod opening_set;
pub mod output;
pub mod plan;
pub mod run;
pub mod schedule;
pub mod statistics;
pub mod stats;
pub mod tally;
