//! The state that all threads of a worker share: two connections to the queue, the batches in play, and the signs of life.

use super::broker::{Broker, JobState};
use super::connection::StreamEntry;
use super::error::QueueError;
use super::games::{Batch, lines_of};
use super::job::{Job, json};
use super::options::WorkerOptions;
use crate::engine::{Stop, locked};
use crate::ledger::record::{GameRecord, WorkerInfo};
use crate::run::WorkerStatus;
use crate::schedule::ScheduledGame;
use ahash::AHashSet;
use crossbeam_channel::{Receiver, RecvTimeoutError};
use std::collections::{BTreeSet, VecDeque};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

/// How long one request waits for a batch.
const WAIT: Duration = Duration::from_millis(200);
/// The longest time between two signs of life.
const SIGN_OF_LIFE: Duration = Duration::from_secs(1);
/// How many times a lease is renewed while it lasts.
const SIGNS_IN_LEASE: u32 = 4;
/// The pause before a lost broker is asked again.
pub(super) const PAUSE: Duration = Duration::from_millis(500);

#[derive(Clone, Copy)]
pub struct WorkerSwitches<'a> {
    /// Everything ends at once.
    pub stop: &'a Stop,
    /// No new batch is begun.
    pub leave: &'a AtomicBool,
}

impl WorkerSwitches<'_> {
    /// Whether one of them is set.
    pub(super) fn is_leaving(self) -> bool {
        self.stop.is_set() || self.leave.load(Ordering::SeqCst)
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WorkerTotals {
    /// Games in batches that were the first with their result.
    pub games: u64,
    /// Batches that another worker had finished before.
    pub late: u64,
    /// Batches that were given back.
    pub given_back: u64,
}

/// The state that all threads of a worker share.
pub(super) struct Clerk<'a> {
    pub options: &'a WorkerOptions,
    pub job: &'a Job,
    pub worker: String,
    /// This worker, as named in its games.
    pub info: Arc<WorkerInfo>,
    pub switches: WorkerSwitches<'a>,
    pub report: &'a (dyn Fn(&str) + Sync),
    /// For batches: one thread waits for one at a time.
    pub taking: Mutex<Broker>,
    /// For everything else.
    pub telling: Mutex<Broker>,
    /// Its description of itself, without its games.
    pub status: WorkerStatus,
    pub totals: Mutex<WorkerTotals>,
    /// The batches in play.
    pub held: Mutex<BTreeSet<String>>,
    /// The last look found no batch, and none has been taken since.
    pub idle: AtomicBool,
    /// When expired leases were last checked.
    pub looked: Mutex<Instant>,
    /// The match is over.
    pub over: AtomicBool,
    pub failed: Mutex<Option<QueueError>>,
    pub warned: Mutex<AHashSet<String>>,
}

impl Clerk<'_> {
    /// Says that it is there, renews its leases, and notices when the match is over.
    pub fn give_signs_of_life(&self, ended: &Receiver<()>) {
        let every = SIGN_OF_LIFE.min(self.job.lease() / SIGNS_IN_LEASE);
        let (mut alone_since, mut lost) = (None, false);
        loop {
            let held: Vec<String> = locked(&self.held).iter().cloned().collect();
            let games = locked(&self.totals).games;
            let says = json(&WorkerStatus { games, ..self.status.clone() });
            let presence = locked(&self.telling).renew(&self.worker, &says, &held);
            let missing = match presence {
                Ok((state, refused, coordinated)) => {
                    if std::mem::replace(&mut lost, false) {
                        self.warn("the broker is back");
                    }
                    if let Some(why) = refused {
                        self.fail(QueueError::thrown_out(&why));
                    }
                    self.notice(state);
                    (!coordinated).then(|| "there is no coordinator".to_owned())
                }
                Err(error) if error.is_passing() => {
                    if !std::mem::replace(&mut lost, true) {
                        self.warn(&format!("{error}; retrying"));
                    }
                    Some(error.to_string())
                }
                Err(error) => {
                    self.fail(error);
                    None
                }
            };
            let is_idle = held.is_empty() && self.idle.load(Ordering::SeqCst);
            match missing.filter(|_| is_idle && !self.over.load(Ordering::SeqCst)) {
                None => alone_since = None,
                Some(what) => {
                    let since: &mut Instant = alone_since.get_or_insert_with(Instant::now);
                    if since.elapsed() >= self.options.wait {
                        self.fail(QueueError::waited(self.options, &what));
                    }
                }
            }
            if ended.recv_timeout(every) != Err(RecvTimeoutError::Timeout) {
                return;
            }
        }
    }

    /// Stops if the match of this worker is over.
    fn notice(&self, state: Option<JobState>) {
        if state.is_some_and(|state| state.job != self.job.number || !state.running) {
            self.over.store(true, Ordering::SeqCst);
            self.switches.stop.set();
        }
    }

    /// The next batch; `None` if none has come yet.
    pub fn take(&self) -> Result<Option<OpenBatch>, QueueError> {
        let mut broker = locked(&self.taking);
        if self.switches.is_leaving() {
            return Ok(None);
        }
        let found = self.look(&mut broker);
        self.idle.store(!matches!(found, Ok(Some(_))), Ordering::SeqCst);
        drop(broker);
        let Some(entry) = found? else { return Ok(None) };
        let batch = entry.games().and_then(Batch::parse);
        match batch.and_then(|batch| batch.scheduled(&self.job.plan, self.job.most_games())) {
            Ok(games) => {
                locked(&self.held).insert(entry.id.clone());
                Ok(Some(OpenBatch { id: entry.id, left: games.into(), finished: Vec::new() }))
            }
            Err(problem) => {
                // The coordinator writes it again if it should be there.
                let mut broker = locked(&self.telling);
                let text = format!("removed an invalid batch from the queue: {problem}");
                broker.note(&self.worker, &text, &[])?;
                broker.remove_batch(&entry.id)?;
                Ok(None)
            }
        }
    }

    /// A batch that no worker plays, or with an expired lease.
    fn look(&self, broker: &mut Broker) -> Result<Option<StreamEntry>, QueueError> {
        let due = locked(&self.looked).elapsed() > self.job.lease() / SIGNS_IN_LEASE;
        if due && let Some(expired) = self.take_over(broker)? {
            return Ok(Some(expired));
        }
        match broker.take(&self.worker, WAIT)? {
            Some(fresh) => Ok(Some(fresh)),
            None => self.take_over(broker),
        }
    }

    /// A batch with an expired lease.
    fn take_over(&self, broker: &mut Broker) -> Result<Option<StreamEntry>, QueueError> {
        *locked(&self.looked) = Instant::now();
        broker.take_over(&self.worker, self.job.lease())
    }

    /// Brings the result of a batch; retries while the broker is not there.
    pub fn deliver(&self, batch: &OpenBatch) {
        let lines = lines_of(&batch.finished);
        let began = Instant::now();
        let delivered = loop {
            let delivered = locked(&self.telling).deliver(&self.worker, &self.job.number, &batch.id, &lines);
            match delivered {
                Err(error) if error.is_passing() && !self.switches.stop.is_set() => {
                    if began.elapsed() > self.options.wait {
                        break Err(error);
                    }
                    thread::sleep(PAUSE);
                }
                delivered => break delivered,
            }
        };
        locked(&self.held).remove(&batch.id);
        match delivered {
            Ok(true) => locked(&self.totals).games += batch.finished.len() as u64,
            Ok(false) => locked(&self.totals).late += 1,
            Err(_) if self.switches.stop.is_set() => {}
            Err(error) => self.fail(error),
        }
    }

    /// Gives a batch back that was not finished.
    pub fn give_back(&self, batch: &OpenBatch) {
        locked(&self.held).remove(&batch.id);
        if !self.over.load(Ordering::SeqCst) {
            locked(&self.totals).given_back += 1;
            // If this fails, its lease runs out.
            let _ = locked(&self.telling).give_back(&self.worker, &batch.id);
        }
    }

    /// Ends the worker because of an error; the first one counts.
    pub fn fail(&self, error: QueueError) {
        locked(&self.failed).get_or_insert(error);
        self.switches.stop.set();
    }

    pub fn warn(&self, text: &str) {
        (self.report)(&format!("warning: {text}"));
    }
}

/// A batch in play.
pub(super) struct OpenBatch {
    pub id: String,
    pub left: VecDeque<ScheduledGame>,
    pub finished: Vec<GameRecord>,
}
