//! The ledger: the finished games of a match, whatever way they come, and what follows from them.
//!
//! A [`Ledger`] serves a run, its resume and, through [`Journals`], `referee merge` and `referee audit`. A finished game is
//! written to the journal first. It counts when no game before it is missing: then the results have it, the schedule, whose next
//! pairings may depend on it, and an observer, in this order. So verdicts, ranks and files depend neither on the number of
//! workers, nor on how often the match was interrupted, nor on its parts. Games behind a gap are shown, and decide nothing;
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
