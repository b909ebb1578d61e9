//! Who plays the games of a match through a queue, for a display.

use super::latest::Latest;
use serde::Serialize;

/// The last state of a queue; nothing in a match on one machine.
pub type LiveWorkers = Latest<Option<QueueSnapshot>>;

/// The state of a queue.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct QueueSnapshot {
    /// Who plays.
    pub workers: Vec<WorkerSnapshot>,
    /// Batches that no worker has yet, and those in play.
    pub batches: [u64; 2],
    /// How many games are committed in a minute, once that is known.
    pub games_per_minute: Option<u64>,
}

/// A worker.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct WorkerSnapshot {
    /// Its name, which no other has.
    pub name: String,
    /// The machine's name.
    pub host: String,
    /// Its processors.
    pub processor: String,
    /// How many processors it may use.
    pub cores: u64,
    /// How many games it plays at once.
    pub threads: u64,
    /// How many it has finished.
    pub games: u64,
    /// Nodes per second of its `bench`.
    pub nps: u64,
    /// Whether it is there.
    pub health: WorkerHealth,
    /// Seconds since its last sign of life, if that is not just now.
    pub silent: Option<u64>,
}

/// Whether a worker is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum WorkerHealth {
    /// It may play no more.
    Refused,
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
            WorkerHealth::Refused => "refused",
            WorkerHealth::Silent => "silent",
            WorkerHealth::There => "there",
        }
    }
}
