//! The ledger: the finished games of a match from any source, and their consequences.
//!
//! A [`Ledger`] serves a run, its resume and, through [`Journals`], `referee merge` and `referee audit`. A finished game is
//! written to the journal first. It counts when no game before it is missing: it then goes to the results, to the schedule, whose
//! next pairings may depend on it, and to an observer, in this order. Verdicts, ranks and files therefore depend neither on the
//! number of workers, nor on interruptions of the match, nor on its parts. Games behind a gap are shown, and decide nothing;
//! without an SPRT they count when the match is closed.
//!
//! | file | content |
//! |---|---|
//! | `core.rs` | the ledger: the order of games, the end of a match, observers |
//! | `scheduler.rs` | hands out the games that the ledger lacks |
//! | `warnings.rs` | engines that break a match |
//! | `journals.rs` | the journals of parts, joined |
//! | `record/` | a finished game, its line, and the journal |
//! | `results/` | the counts of games |
//!
//! Uses: `engine`, `failure`, `game`, `plan`, `schedule`, `statistics`, `tuning`. Begin with `core.rs`.

mod core;
mod journals;
pub mod record;
pub mod results;
mod scheduler;
mod warnings;

pub use core::{Ledger, MatchObserver};
pub use journals::Journals;
pub use scheduler::Scheduler;
