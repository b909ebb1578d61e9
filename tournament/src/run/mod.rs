//! Playing everything in a plan: a driver that has the games played, and one collector that counts them.
//!
//! The driver of a match on one machine has a number of threads ([`GameThreads`]). Each takes the next game through its link
//! ([`WorkerLink`]), here from the scheduler, plays it, and hands over a [`GameRecord`](crate::record::GameRecord).
//! The collector writes it to the journal, if there is one; only when it is on the disk does the game count. Each game goes to
//! a [`MatchObserver`] twice: at once, and when all games before it are there. Neither the counts nor the files depend on the
//! number of workers, nor on how often the match was interrupted.
//!
//! A monitor keeps each worker and its engines on one processor as long as the engines answer at once.

mod affinity;
mod collector;
mod driver;
mod engine_pool;
mod event;
mod identities;
mod link;
mod live_boards;
mod live_workers;
mod processors;
mod progress;
mod scheduler;
mod threads;
mod trial;
mod worker;

pub use collector::{OpenJournal, run};
pub use driver::{CommitOrder, Contest, Driver, Readiness};
pub use event::{MatchObserver, WorkerEvent};
pub use identities::Identities;
pub use link::WorkerLink;
pub use live_boards::{BoardSnapshot, LiveBoards};
pub use live_workers::{LiveWorkers, QueueSnapshot, WorkerHealth, WorkerSnapshot};
pub use progress::{Progress, ProgressCounts};
pub use scheduler::Scheduler;
pub use threads::{GameThreads, LocalDriver};
