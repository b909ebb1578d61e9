//! An engine author's day: a change is built, tested against what was before, and the result kept.
//!
//! `git` says what the commits are ([`run_test`] begins there). Each is built in a worktree of its own, once for each content, and its
//! `bench` must be what it was meant to be. Then the match is one like any other: a command line is put together and given to whoever
//! plays matches, with a journal in the history's folder, so that it can be gone on with. What it shows is a [`TestRecord`], a row
//! on standard output and a line of the history. [`show_history`] prints these again, or makes a page of them.
//!
//! What is built and played are the author's own programs, by the author's own command line. Builds get few variables, and with
//! `--sandbox` a sandbox; a bench is run and confined as the engine is in the match. Names and messages of commits are somebody
//! else's: they are never part of a command, and are made fit to be shown.

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
mod show;

pub use bench::RunBench;
pub use error::{MatchError, TestError};
pub use options::{HistoryOptions, RowForm, TestOptions};
pub use record::{Figure, PlayedMatch, SCHEMA, SideRecord, SprtRecord, TestRecord, Verdict};
pub use run::{PlayMatch, run_test};
pub use show::show_history;
