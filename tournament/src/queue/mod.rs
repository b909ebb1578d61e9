//! A match on many machines: a coordinator that has the schedule and the journal, and workers that play, with a queue between
//! them on a broker that speaks the protocol of Redis and has its streams.
//!
//! The coordinator (a driver of [`crate::run`]) writes batches of whole pairs of games, the same number of pairs for every
//! worker, and takes their results. The collector commits them to the journal in the order of the schedule and decides an SPRT at
//! the same game as one machine. A worker learns the games from the job, finds the executables by their content, and plays
//! batches with the same threads as a match on one machine. With limits by nodes the games are the same on every worker.
//!
//! A batch belongs to a worker for a time, the lease, which it renews. Whatever happens to it (it dies, hangs, is suspended, loses
//! its network) the batch is another's when the lease has run out. Only the first result of a batch counts.
//!
//! Workers, coordinator and broker are trusted not to attack. They may err: everything read from the queue is checked as strictly
//! as a line of a journal. A job can make workers start any of their programs, with any arguments, and any program at all if they
//! fetch missing ones. Workers therefore run engines in a sandbox, and take neither folders nor variables from a job (see
//! `contained.rs`).
//!
//! Uses: `engine`, `failure`, `game`, `ledger`, `plan`, `run`, `schedule`, `statistics`. Begin with
//! `coordinator/` and `worker.rs`; `broker/` has every command that the broker is given.

mod address;
mod error;
mod options;

#[cfg(feature = "queue")]
mod broker;
#[cfg(feature = "queue")]
mod clerk;
#[cfg(feature = "queue")]
mod connection;
#[cfg(feature = "queue")]
mod contained;
#[cfg(feature = "queue")]
mod coordinator;
#[cfg(feature = "queue")]
mod executables;
#[cfg(feature = "queue")]
mod fetch;
#[cfg(feature = "queue")]
#[doc(hidden)]
pub mod games;
#[cfg(feature = "queue")]
#[doc(hidden)]
pub mod job;
#[cfg(feature = "queue")]
mod machine;
mod password;
#[cfg(feature = "queue")]
mod status;
#[cfg(feature = "queue")]
mod worker;

pub use address::{CA_VARIABLE, PASSWORD_FILE_VARIABLE, PASSWORD_VARIABLE, QueueAddress};
pub use error::QueueError;
pub use options::{BATCH, FETCH_LIMIT, LEASE, OnSignal, QueueOptions, StatusOptions, WorkerOptions};
pub use password::{hide_password, was_given_password};

#[cfg(feature = "queue")]
pub use clerk::{WorkerSwitches, WorkerTotals};
#[cfg(feature = "queue")]
pub use coordinator::Coordinator;
#[cfg(feature = "queue")]
pub use job::contents_of;
#[cfg(feature = "queue")]
pub use status::status;
#[cfg(feature = "queue")]
pub use worker::work;
