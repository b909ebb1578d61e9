//! The stream of game records, and the drivers that play games for it.
//!
//! Games come from journals, from the threads of this process ([`LocalDriver`]) or from workers behind a queue; each is a
//! [`GameRecord`](crate::record::GameRecord). [`run`] plays what is left of a plan: a game counts once its line of the journal
//! is on the disk. [`drive`] takes recorded games only. Both put the games in the order of the schedule, count them, pass them
//! to a [`MatchObserver`], stop at the end of the match, and return its [`Summary`](crate::results::Summary). Neither the counts
//! nor the files depend on the number of workers, nor on how often the match was interrupted.
//!
//! Each thread takes the next game through its link ([`WorkerLink`]), here from the scheduler. A monitor keeps each worker and
//! its engines on one processor as long as the engines answer at once.
//!
//! Uses: `engine`, `failure`, `game`, `plan`, `record`, `results`, `schedule`, `tuning`. Begin with [`run`].
//! `stream.rs` stops a match.

mod affinity;
mod collector;
mod driver;
mod engine_pool;
mod event;
mod identities;
mod latest;
mod link;
mod live_boards;
mod live_workers;
mod processors;
mod scheduler;
mod stream;
mod threads;
mod trial;
#[doc(hidden)]
pub mod warnings;
mod worker;

pub use collector::{OpenJournal, run};
pub use driver::{CommitOrder, Context, Driver, Readiness};
pub use event::{MatchObserver, Unobserved, WorkerEvent};
pub use identities::Identities;
pub use latest::Latest;
pub use link::WorkerLink;
pub use live_boards::{BoardSnapshot, LiveBoards};
pub use live_workers::{Bench, LiveWorkers, QueueSnapshot, WorkerHealth, WorkerSnapshot, WorkerStatus};
pub use scheduler::Scheduler;
pub use stream::drive;
pub use threads::{GameThreads, LocalDriver};
