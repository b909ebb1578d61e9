//! Tests of commits: two commits of an engine are built, a match between them is played, and the result is kept.
//!
//! Each commit is built in a worktree of its own, once for each content of its tree; its `bench` must print the expected
//! signature. The match is one like any other, with a journal in the folder of the history, so that it can be resumed. Its
//! [`TestRecord`] is a row on standard output and a line of the history; [`show_history`] prints the lines again, or writes a
//! page of them.
//!
//! Builds get few variables, and with `--sandbox` a sandbox; `bench` runs as confined as the engine in the match. Names and
//! messages of commits may come from anywhere: they are never part of a command, and are made printable.
//!
//! Uses: `arguments`, `engine`, `exit`, `failure`, `output`, `plan`, `results`, `statistics`. Begin with `run.rs`: from two
//! commits to a row.

#[doc(hidden)]
pub mod bench;
mod build;
mod error;
#[doc(hidden)]
pub mod git;
mod history;
mod options;
mod page;
mod process;
mod record;
mod row;
mod run;

pub use bench::RunBench;
pub use error::{MatchError, TestError};
pub use history::show_history;
pub use options::{HistoryOptions, TestOptions};
pub use record::{Figure, PlayedMatch, SCHEMA, SideRecord, SprtRecord, TestRecord, Verdict};
pub use run::{PlayMatch, run_test};
