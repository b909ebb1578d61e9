//! Playing the rest of a match.
//!
//! [`run`] opens the ledger and adds finished games from any source: the threads of this process ([`play_here`]), or workers
//! behind a queue. Each thread takes the next game through its link ([`WorkerLink`]), here from the scheduler.
//!
//! Uses: `engine`, `failure`, `game`, `ledger`, `plan`, `schedule`, `tuning`. Begin with [`run`].

mod collector;
mod engine_pool;
mod live;
mod threads;
mod worker;

pub use collector::{Context, OpenJournal, Shown, run};
pub use engine_pool::{Identities, TrialFailure};
pub use live::{
    Bench, BoardSnapshot, Latest, LiveBoards, LiveWorkers, QueueSnapshot, WorkerHealth, WorkerSnapshot,
    WorkerStatus,
};
pub use threads::{GameThreads, play_here};
pub use worker::{WorkerEvent, WorkerLink};
