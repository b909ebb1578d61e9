//! The workers as the coordinator sees them, and how many games they play at once.

use super::address::QueueAddress;
use super::broker::{Broker, Presences};
use super::error::QueueError;
use crate::run::{WorkerHealth, WorkerSnapshot, WorkerStatus};
use std::time::{Duration, Instant};

/// After how long without any worker the user gets a hint how to start one.
const NO_WORKERS: Duration = Duration::from_secs(10);

/// The workers of a queue.
#[derive(Debug)]
pub(super) struct Roster {
    /// How many games all of them together play at once.
    pub slots: u64,
    /// Those that have said what can be, as they were seen last.
    pub workers: Vec<WorkerSnapshot>,
    /// Since when no worker is there; `None` if one is, or the user knows.
    empty_since: Option<Instant>,
}

impl Roster {
    /// A roster without workers.
    pub fn new() -> Roster {
        Roster { slots: 0, workers: Vec::new(), empty_since: Some(Instant::now()) }
    }

    /// Finds the workers. Returns what a user should know.
    pub fn look(
        &mut self,
        broker: &mut Broker,
        address: &QueueAddress,
        lease: Duration,
    ) -> Result<Option<String>, QueueError> {
        self.workers = snapshots(broker.workers()?, lease);
        let there = self.workers.iter().filter(|worker| worker.health == WorkerHealth::There);
        self.slots = there.map(|worker| worker.says.threads).sum();
        if self.slots > 0 {
            self.empty_since = None;
        } else if self.empty_since.is_some_and(|since| since.elapsed() > NO_WORKERS) {
            self.empty_since = None;
            let text = format!("no worker is there yet: `referee worker '{address}'` on any machine is one");
            return Ok(Some(text));
        }
        Ok(None)
    }
}

/// Workers as they are shown. One that says what cannot be is left out.
pub(super) fn snapshots(workers: Presences, lease: Duration) -> Vec<WorkerSnapshot> {
    let snapshot = |(worker, silent, says): (String, u64, Vec<u8>)| {
        let says = WorkerStatus::parse(&says).ok()?;
        let is_silent = silent > lease.as_secs();
        let health = if is_silent { WorkerHealth::Silent } else { WorkerHealth::There };
        Some(WorkerSnapshot { worker, says, silent, health })
    };
    workers.into_iter().filter_map(snapshot).collect()
}
