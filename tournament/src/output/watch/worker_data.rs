//! The workers of a queue, as data for the page.

use crate::run::{QueueSnapshot, WorkerHealth, WorkerSnapshot};
use serde::Serialize;

/// Most workers that a page gets.
const MAX_WORKERS: usize = 200;

/// The workers: those first that are not there, then in the order of their machines.
#[derive(PartialEq, Serialize)]
pub(super) struct WorkersData {
    workers: Vec<WorkerSnapshot>,
    /// How many there are besides.
    more: usize,
    /// How many games are played at once by all that are there.
    at_once: u64,
    /// Batches that no worker has yet, and those in play.
    batches: [u64; 2],
    games_per_minute: Option<u64>,
}

impl WorkersData {
    pub fn new(seen: QueueSnapshot) -> WorkersData {
        let QueueSnapshot { mut workers, batches, games_per_minute } = seen;
        let at_once = workers
            .iter()
            .filter(|worker| worker.health == WorkerHealth::There)
            .map(|worker| worker.says.threads)
            .sum();
        // A message to the page each second would say nothing.
        workers
            .iter_mut()
            .filter(|worker| worker.health == WorkerHealth::There)
            .for_each(|worker| worker.silent = 0);
        workers.sort_by(|one, other| {
            one.health
                .cmp(&other.health)
                .then_with(|| (&one.says.host, &one.worker).cmp(&(&other.says.host, &other.worker)))
        });
        let more = workers.len().saturating_sub(MAX_WORKERS);
        workers.truncate(MAX_WORKERS);
        WorkersData { workers, more, at_once, batches, games_per_minute }
    }
}
