//! The keys of a queue on the broker, and every command on them.
//!
//! | key | what |
//! |---|---|
//! | `kroo:{NAME}:job` | what is played (see `job.rs`) |
//! | `kroo:{NAME}:state` | the number of that job, and `running` or `stopped` |
//! | `kroo:{NAME}:batches` | a stream of batches to be played, with the consumer group `workers` |
//! | `kroo:{NAME}:results` | a stream of what workers have played, until the coordinator has it in its journal |
//! | `kroo:{NAME}:notes` | a stream of what they want a user to know |
//! | `kroo:{NAME}:workers` | the time of each one's last sign of life, and its own description |
//! | `kroo:{NAME}:refused` | workers that have brought a wrong result and are to leave, and why |
//! | `kroo:{NAME}:progress` | how far the match is |
//! | `kroo:{NAME}:executables` | pieces of executables, if the coordinator offers them: `HASH:PLACE` |
//! | `kroo:{NAME}:lock` | the coordinator |
//!
//! A batch stays in its stream until its result is there: a script takes it out and puts the result in, in one step, and only for
//! the first worker that brings one. If a worker, a coordinator or the broker ends, a batch is therefore either still to be
//! played or has exactly one result. A worker renews its lease on a batch while it plays. A batch with an expired lease is taken
//! over by the next worker without other work, or by one of the regular searches of all workers.
//!
//! A user who may write one of these keys may write all: the broker's users keep strangers out, and queues apart.

mod coordinating;
mod scripts;

use super::address::QueueAddress;
use super::connection::{Connection, ShownEntry, StreamEntry};
use super::error::QueueError;
use super::machine::is_name;
use redis::{Cmd, Value, cmd};
use std::collections::BTreeMap;
use std::time::Duration;

/// How long the queue stays locked after the last sign of life of its coordinator.
pub(super) const LOCKED: Duration = Duration::from_secs(15);
/// The consumer group.
const GROUP: &str = "workers";
/// Games, batches and notes that are read at once at most.
const AT_ONCE: usize = 256;
/// The most notes that are kept.
const MAX_NOTES: usize = 1_000;
/// How long a queue that is over can be seen, in seconds.
const REMEMBERED: u64 = 24 * 60 * 60;
/// The key with pieces of executables.
const EXECUTABLES: &str = "executables";

/// The queue's reply about its job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct JobState {
    /// The job's number.
    pub job: String,
    /// Whether it is being played.
    pub running: bool,
}

/// The answer to a sign of life: the state of the queue, why this worker is to leave, and whether a coordinator is there.
pub(super) type Presence = (Option<JobState>, Option<String>, bool);

/// Workers: the name of each, the seconds since its last sign of life, and its own description.
pub(super) type Presences = Vec<(String, u64, Vec<u8>)>;

/// Results and notes of workers, and the number of the last of each that has been read.
pub(super) type News = [Vec<StreamEntry>; 2];
pub(super) type ReadUpTo = [Option<String>; 2];

/// A queue on a broker.
pub(super) struct Broker {
    connection: Connection,
    prefix: String,
}

impl Broker {
    /// The queue at an address; the broker is not asked yet.
    pub fn new(address: &QueueAddress) -> Result<Broker, QueueError> {
        // The braces keep the keys of a queue together if the broker is a cluster.
        let prefix = format!("kroo:{{{}}}", address.name());
        Ok(Broker { connection: Connection::new(address)?, prefix })
    }

    fn key(&self, name: &str) -> String {
        format!("{}:{name}", self.prefix)
    }

    fn script(&self, text: &str, keys: &[&str]) -> Cmd {
        let mut command = cmd("EVAL");
        let keys: Vec<String> = keys.iter().map(|key| self.key(key)).collect();
        command.arg(text).arg(keys.len()).arg(keys);
        command
    }

    pub fn progress(&mut self) -> Result<Option<Vec<u8>>, QueueError> {
        self.connection.ask(cmd("GET").arg(self.key("progress")))
    }

    pub fn is_locked(&mut self) -> Result<bool, QueueError> {
        self.connection.ask(cmd("EXISTS").arg(self.key("lock")))
    }

    /// How many batches have no result yet, and how many of these are being played.
    pub fn loads(&mut self) -> Result<(u64, u64), QueueError> {
        let all = self.connection.ask(cmd("XLEN").arg(self.key("batches")))?;
        let pending = self.connection.ask(cmd("XPENDING").arg(self.key("batches")).arg(GROUP))?;
        let (played, ..): (u64, Value, Value, Value) = pending;
        Ok((all, played))
    }

    /// Which workers there are.
    pub fn workers(&mut self) -> Result<Presences, QueueError> {
        let (now, _): (u64, u64) = self.connection.ask(&cmd("TIME"))?;
        let found: BTreeMap<Vec<u8>, Vec<u8>> =
            self.connection.ask(cmd("HGETALL").arg(self.key("workers")))?;
        let worker = |(name, says): (Vec<u8>, Vec<u8>)| {
            let name = String::from_utf8(name).ok().filter(|name| is_name(name))?;
            let blank = says.iter().position(|&byte| byte == b' ')?;
            let seen: u64 = str::from_utf8(&says[..blank]).ok()?.parse().ok()?;
            Some((name, now.saturating_sub(seen), says[blank + 1..].to_vec()))
        };
        Ok(found.into_iter().filter_map(worker).collect())
    }

    pub fn state(&mut self) -> Result<Option<JobState>, QueueError> {
        self.connection.ask(cmd("GET").arg(self.key("state"))).map(job_state)
    }

    /// The job, as written.
    pub fn job(&mut self) -> Result<Option<Vec<u8>>, QueueError> {
        self.connection.ask(cmd("GET").arg(self.key("job")))
    }

    /// A piece of an executable; `None` if the queue lacks it.
    pub fn piece(&mut self, sha256: &str, place: u64) -> Result<Option<Vec<u8>>, QueueError> {
        let mut command = cmd("HGET");
        command.arg(self.key(EXECUTABLES)).arg(format!("{sha256}:{place}"));
        self.connection.ask(&command)
    }

    /// A batch that no worker has, if one comes within a time.
    pub fn take(&mut self, worker: &str, wait: Duration) -> Result<Option<StreamEntry>, QueueError> {
        let mut command = cmd("XREADGROUP");
        command.arg("GROUP").arg(GROUP).arg(worker).arg("COUNT").arg(1);
        command.arg("BLOCK").arg((wait.as_millis() as u64).max(1));
        command.arg("STREAMS").arg(self.key("batches")).arg(">");
        let found: Vec<(String, Vec<ShownEntry>)> = self.connection.ask_waiting(&command, wait)?;
        Ok(found.into_iter().flat_map(|(_, entries)| StreamEntry::list(entries)).next())
    }

    /// A batch with an expired lease, even if many older ones are being played.
    pub fn take_over(&mut self, worker: &str, lease: Duration) -> Result<Option<StreamEntry>, QueueError> {
        let (key, lease) = (self.key("batches"), lease.as_millis() as u64);
        loop {
            let mut expired = cmd("XPENDING");
            expired.arg(&key).arg(GROUP).arg("IDLE").arg(lease).arg("-").arg("+").arg(1);
            let expired: Vec<(String, Value, Value, Value)> = self.connection.ask(&expired)?;
            let Some((id, ..)) = expired.into_iter().next() else { return Ok(None) };
            let mut claim = cmd("XCLAIM");
            claim.arg(&key).arg(GROUP).arg(worker).arg(lease).arg(id);
            let claimed = StreamEntry::list(self.connection.ask(&claim)?);
            // Without an entry another worker was faster, or the batch has been removed: either way it is no longer expired.
            if let Some(batch) = claimed.into_iter().next() {
                return Ok(Some(batch));
            }
        }
    }

    /// Brings the result of a batch. Says whether it was the first one.
    pub fn deliver(
        &mut self,
        worker: &str,
        job: &str,
        batch: &str,
        games: &[u8],
    ) -> Result<bool, QueueError> {
        let mut command = self.script(scripts::DELIVER, &["batches", "results", "state"]);
        command.arg(GROUP).arg(batch).arg(job).arg(worker).arg(games);
        self.connection.ask(&command)
    }

    /// Gives a sign of life, with the worker's description of itself, and renews the leases on its batches.
    pub fn renew(&mut self, worker: &str, says: &str, batches: &[String]) -> Result<Presence, QueueError> {
        let mut command = self.script(scripts::RENEW, &["batches", "workers", "state", "refused", "lock"]);
        command.arg(GROUP).arg(worker).arg(says).arg(batches);
        let (state, refused, coordinated) = self.connection.ask(&command)?;
        Ok((job_state(state), refused, coordinated))
    }

    /// Gives a batch back: the next worker takes it over.
    pub fn give_back(&mut self, worker: &str, batch: &str) -> Result<(), QueueError> {
        let mut command = self.script(scripts::GIVE_BACK, &["batches"]);
        self.connection.ask(command.arg(GROUP).arg(worker).arg(batch))
    }

    /// Says something that a user should know, with other fields: `broken` if an engine does not work on this worker's machine.
    pub fn note(&mut self, worker: &str, note: &str, more: &[&str]) -> Result<(), QueueError> {
        let mut command = cmd("XADD");
        command.arg(self.key("notes")).arg("MAXLEN").arg("~").arg(MAX_NOTES).arg("*");
        command.arg("worker").arg(worker).arg("note").arg(note).arg(more);
        self.connection.ask(&command)
    }

    pub fn leave(&mut self, worker: &str) -> Result<(), QueueError> {
        self.connection.ask(cmd("HDEL").arg(self.key("workers")).arg(worker))
    }
}

fn job_state(text: Option<Vec<u8>>) -> Option<JobState> {
    let text = String::from_utf8(text?).ok()?;
    let (job, state) = text.split_once(' ')?;
    Some(JobState { job: job.to_owned(), running: state == "running" })
}
