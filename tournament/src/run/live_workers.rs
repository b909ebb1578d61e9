//! The workers of a queue, as its coordinator and `referee status` see them.

use super::latest::Latest;
use serde::{Deserialize, Serialize};

/// The last state of a queue; nothing in a match on one machine.
pub type LiveWorkers = Latest<Option<QueueSnapshot>>;

/// The state of a queue.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct QueueSnapshot {
    /// Its workers.
    pub workers: Vec<WorkerSnapshot>,
    /// Batches that no worker has yet, and those in play.
    pub batches: [u64; 2],
    /// How many games are committed in a minute, once that is known.
    pub games_per_minute: Option<u64>,
}

/// A worker as the broker shows it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct WorkerSnapshot {
    /// Its name, which no other has.
    pub worker: String,
    /// Its description of itself.
    #[serde(flatten)]
    pub says: WorkerStatus,
    /// Seconds since its last sign of life.
    pub silent: u64,
    /// Whether it is there.
    pub health: WorkerHealth,
}

/// A worker's description of itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WorkerStatus {
    /// The machine's name.
    pub host: String,
    /// Its processors.
    pub processor: String,
    /// How many processors the worker may use.
    pub cores: u64,
    /// How many games it plays at once.
    pub threads: u64,
    /// How many games it has finished.
    pub games: u64,
    /// The result of its bench.
    pub bench: Bench,
}

/// The result of the engine's `bench`, compiled into the referee, on a machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bench {
    /// The nodes that it visits: the signature of the search.
    pub nodes: u64,
    /// Nodes per second, of one thread.
    pub nps: u64,
}

/// Whether a worker is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum WorkerHealth {
    /// It has given no sign of life for longer than the lease: its games are played by others.
    Silent,
    /// It plays.
    There,
}

impl WorkerHealth {
    /// As it is written.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            WorkerHealth::Silent => "silent",
            WorkerHealth::There => "there",
        }
    }
}
