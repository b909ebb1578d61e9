//! The workers as the coordinator sees them: how many games they play at once, and which may not play on.

use super::address::QueueAddress;
use super::broker::Broker;
use super::error::QueueError;
use super::machine::WorkerId;
use crate::run::{Bench, WorkerHealth, WorkerSnapshot, WorkerStatus};
use kroo::printable;
use std::collections::BTreeSet;
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
    /// The users of the broker.
    users: Vec<String>,
    /// The reasons for which workers may not play.
    refused: BTreeSet<String>,
    /// Since when no worker is there; `None` if one is, or the user knows.
    empty_since: Option<Instant>,
}

impl Roster {
    /// A roster without workers.
    pub fn new() -> Roster {
        Roster {
            slots: 0,
            workers: Vec::new(),
            users: Vec::new(),
            refused: BTreeSet::new(),
            empty_since: Some(Instant::now()),
        }
    }

    /// Learns which users there are, and which were refused by a coordinator before this one.
    pub fn begin(&mut self, broker: &mut Broker) -> Result<(), QueueError> {
        (self.users, self.refused) = (broker.users()?, broker.refused()?);
        Ok(())
    }

    /// Finds the workers, and refuses those whose search is another one than the coordinator's. Returns what a user should
    /// know.
    pub fn look(
        &mut self,
        broker: &mut Broker,
        address: &QueueAddress,
        bench: Bench,
        lease: Duration,
    ) -> Result<Vec<String>, QueueError> {
        let mut notes = Vec::new();
        self.slots = 0;
        self.workers.clear();
        self.users = broker.users()?;
        for user in self.refused.clone().iter().filter(|user| self.users.contains(user)) {
            broker.drop_results(user)?;
        }
        let (workers, crowded) = broker.workers(&self.users)?;
        for user in crowded {
            notes.push(format!("the workers of the user {user} are forgotten: there are too many"));
            broker.forget_workers(&user)?;
        }
        for (worker, silent, says) in workers {
            // A worker that says what cannot be is not counted.
            let Ok(says) = WorkerStatus::parse(&says) else { continue };
            let allowed = self.allows(&worker);
            if let Some(difference) = says.bench.difference(bench).filter(|_| allowed) {
                notes.push(format!("worker {worker} is refused: {difference}"));
                self.refuse(broker, &worker, &difference)?;
            } else if allowed && silent <= lease.as_secs() {
                self.slots += says.threads;
            }
            let health = health(!self.allows(&worker), silent, lease);
            self.workers.push(WorkerSnapshot { worker: worker.to_string(), says, silent, health });
        }
        if self.slots > 0 {
            self.empty_since = None;
        } else if self.empty_since.is_some_and(|since| since.elapsed() > NO_WORKERS) {
            self.empty_since = None;
            let address = address.for_worker();
            notes.push(format!("no worker is there yet: `referee worker '{address}'` on any machine is one"));
        }
        Ok(notes)
    }

    /// Has a worker play no more. A user of its own is refused with all that it has brought, whatever its processes call themselves.
    pub fn refuse(&mut self, broker: &mut Broker, worker: &WorkerId, why: &str) -> Result<(), QueueError> {
        self.refused.insert(worker.ban());
        broker.refuse(worker, &printable::line(why))?;
        worker.own_user().map_or(Ok(()), |user| broker.drop_results(user))
    }

    /// Whether a worker may play.
    pub fn allows(&self, worker: &WorkerId) -> bool {
        !self.refused.contains(&worker.ban())
    }

    /// The users whose results are read.
    pub fn readable(&self) -> Vec<String> {
        self.users.iter().filter(|user| !self.refused.contains(*user)).cloned().collect()
    }
}

/// Whether a worker is there.
pub(super) fn health(refused: bool, silent: u64, lease: Duration) -> WorkerHealth {
    match () {
        () if refused => WorkerHealth::Refused,
        () if silent > lease.as_secs() => WorkerHealth::Silent,
        () => WorkerHealth::There,
    }
}
