//! The conversation over the line protocol.
//!
//! The [`Session`] is a state machine. It takes a line, or an event of the job that it has started, answers at once and never
//! waits. It keeps the settings, the game and the transposition table. It alone writes output: two lines are never mixed. A
//! driver runs its jobs. There are two drivers:
//!
//! - [`Session::run`] has three threads connected by channels. The **reader** thread splits the input into lines. The **search
//!   thread** takes jobs and sends events. The **session loop** passes lines and events to the session. So `isready` is
//!   answered during a search.
//! - [`SlicedSession`] has no thread of its own. Its owner passes it lines, and calls it to work in slices of time, between
//!   which more lines may arrive. This is for a browser worker.
//!
//! At most one job runs at a time. Commands that would disturb it (another `go`, options, a new game) are refused until it has
//! ended. After `stop`, lines wait for the job's final reply, so a program may send `stop`, `position` and `go` at once.

mod commands;
mod conversation;
mod endgames;
mod evaluation;
#[doc(hidden)]
pub mod info;
#[doc(hidden)]
pub mod job;
#[doc(hidden)]
pub mod move_record;
#[doc(hidden)]
pub mod reader;
mod review;
#[doc(hidden)]
pub mod set_option;
mod slices;
mod solve;
mod sow;
mod threads;

pub use conversation::{NAME, Session, StartError};
pub use job::AfterPause;
pub use slices::SlicedSession;
pub use threads::End;
