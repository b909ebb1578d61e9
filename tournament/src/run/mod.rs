//! Playing what is left of a match.
//!
//! [`run`] opens the ledger and puts finished games there, whoever has played them: the threads of this process ([`play_here`]), or
//! workers behind a queue. Each thread takes the next game through its link ([`WorkerLink`]), here from the scheduler.
//!
//! Uses: `engine`, `failure`, `game`, `ledger`, `plan`, `schedule`, `tuning`. Begin with [`run`].

mod collector;
mod engine_pool;
mod identities;
mod latest;
mod link;
mod live_boards;
mod live_workers;
mod processors;
mod threads;
mod worker;

pub use collector::{Context, OpenJournal, Shown, run};
pub use engine_pool::TrialFailure;
pub use identities::Identities;
pub use latest::Latest;
pub use link::{WorkerEvent, WorkerLink};
pub use live_boards::{BoardSnapshot, LiveBoards};
pub use live_workers::{Bench, LiveWorkers, QueueSnapshot, WorkerHealth, WorkerSnapshot, WorkerStatus};
pub use threads::{GameThreads, play_here};
