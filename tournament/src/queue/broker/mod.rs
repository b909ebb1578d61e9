//! The keys of a queue on the broker, and every command on them.
//!
//! | key | what |
//! |---|---|
//! | `kroo:{NAME}:job` | what is played (see `job.rs`) |
//! | `kroo:{NAME}:state` | the number of that job, and `running` or `stopped` |
//! | `kroo:{NAME}:batches` | a stream of batches to be played, with the consumer group `workers` |
//! | `kroo:{NAME}:results` | a stream of what workers have played, until the coordinator has it in its journal |
//! | `kroo:{NAME}:notes` | a stream of what they want a user to know |
//! | `kroo:{NAME}:workers` | the time of the last sign of life of each, and what it says of itself |
//! | `kroo:{NAME}:refused` | workers that have brought a wrong result and are to leave, and why |
//! | `kroo:{NAME}:progress` | how far the match is |
//! | `kroo:{NAME}:executables` | pieces of executables, if the coordinator offers them: `HASH:PLACE` |
//! | `kroo:{NAME}:lock` | the coordinator |
//!
//! A batch stays in its stream until its result is there: a script takes it out and puts the result in, in one step, and only for
//! the first worker that brings one. So whatever ends a worker, a coordinator or the broker itself, a batch is either still to be
//! played or has exactly one result. A worker renews its lease on a batch while it plays. A batch whose lease has run out is
//! taken over by the next worker that has nothing else to do, or looks, as each does now and then.
//!
//! Whoever may write one of these keys may write all: the broker's user keeps strangers out, and queues apart.

mod coordinating;
mod scripts;
mod working;

use super::address::QueueAddress;
use super::connection::{Connection, StreamEntry, bytes, list, pairs, text};
use super::error::QueueError;
use super::machine::is_name;
use redis::{Cmd, Value, cmd};
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

/// The answer to a sign of life.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Presence {
    pub state: Option<JobState>,
    /// Why this worker is to leave.
    pub refused: Option<String>,
    /// Whether a coordinator is there.
    pub coordinated: bool,
}

/// Workers: the name of each, the seconds since its last sign of life, and what it says of itself.
pub(super) type Presences = Vec<(String, u64, Vec<u8>)>;

/// Messages of workers since the last read.
#[derive(Debug, Default)]
pub(super) struct News {
    pub results: Vec<StreamEntry>,
    pub notes: Vec<StreamEntry>,
}

/// How far results and notes have been read: the last number of each.
#[derive(Debug)]
pub(super) struct ReadUpTo([String; 2]);

impl Default for ReadUpTo {
    /// Nothing has been read.
    fn default() -> ReadUpTo {
        ReadUpTo(["0-0", "0-0"].map(str::to_owned))
    }
}

/// A queue on a broker.
pub(super) struct Broker {
    connection: Connection,
    prefix: String,
}

impl Broker {
    /// The queue at an address; the broker is not asked yet.
    ///
    /// # Errors
    /// If the address is invalid.
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
        Ok(bytes(self.connection.ask(cmd("GET").arg(self.key("progress")))?))
    }

    pub fn is_locked(&mut self) -> Result<bool, QueueError> {
        Ok(self.connection.ask(cmd("EXISTS").arg(self.key("lock")))? == Value::Int(1))
    }

    /// How many batches have no result yet, and how many of these are being played.
    pub fn loads(&mut self) -> Result<(u64, u64), QueueError> {
        let all = self.connection.ask(cmd("XLEN").arg(self.key("batches")))?;
        let played = list(self.connection.ask(cmd("XPENDING").arg(self.key("batches")).arg(GROUP))?);
        let number = |value: &Value| text(value).and_then(|text| text.parse().ok());
        let played = played.and_then(|played| number(played.first()?));
        let found = number(&all).zip(played);
        found.ok_or_else(|| self.connection.unexpected("how many entries there are"))
    }

    /// Which workers there are.
    pub fn workers(&mut self) -> Result<Presences, QueueError> {
        let now = list(self.connection.ask(&cmd("TIME"))?);
        let now = now.and_then(|now| text(now.first()?)?.parse::<u64>().ok());
        let found = pairs(self.connection.ask(cmd("HGETALL").arg(self.key("workers")))?);
        let (now, found) =
            now.zip(found).ok_or_else(|| self.connection.unexpected("which workers there are"))?;
        let worker = |(name, says): (Vec<u8>, Vec<u8>)| {
            let name = String::from_utf8(name).ok().filter(|name| is_name(name))?;
            let blank = says.iter().position(|&byte| byte == b' ')?;
            let seen: u64 = std::str::from_utf8(&says[..blank]).ok()?.parse().ok()?;
            Some((name, now.saturating_sub(seen), says[blank + 1..].to_vec()))
        };
        Ok(found.into_iter().filter_map(worker).collect())
    }

    pub fn state(&mut self) -> Result<Option<JobState>, QueueError> {
        let value = self.connection.ask(cmd("GET").arg(self.key("state")))?;
        Ok(job_state(&value))
    }

    /// The job, as it was written.
    pub fn job(&mut self) -> Result<Option<Vec<u8>>, QueueError> {
        Ok(bytes(self.connection.ask(cmd("GET").arg(self.key("job")))?))
    }
}

fn job_state(value: &Value) -> Option<JobState> {
    let text = text(value)?;
    let (job, state) = text.split_once(' ')?;
    Some(JobState { job: job.to_owned(), running: state == "running" })
}
