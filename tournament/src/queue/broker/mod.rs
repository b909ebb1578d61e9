//! The keys of a queue on the broker, and every command on them.
//!
//! | key | what |
//! |---|---|
//! | `kroo:{NAME}:job` | what is played (see `job.rs`) |
//! | `kroo:{NAME}:state` | the number of that job, and `running` or `stopped` |
//! | `kroo:{NAME}:batches` | a stream of batches to be played, with the consumer group `workers` |
//! | `kroo:{NAME}:results:USER` | a stream of what workers of this user have played, until the coordinator has it in its journal |
//! | `kroo:{NAME}:notes:USER` | a stream of what they want a user to know |
//! | `kroo:{NAME}:workers:USER` | its processes: the time of the last sign of life of each, and what it says of itself |
//! | `kroo:{NAME}:bell` | a number that grows with each result |
//! | `kroo:{NAME}:refused` | which users may not play on, and why; of the shared user, which processes |
//! | `kroo:{NAME}:progress` | how far the match is |
//! | `kroo:{NAME}:executables` | pieces of executables, if the coordinator offers them: `HASH:PLACE` |
//! | `kroo:{NAME}:lock` | the coordinator |
//!
//! A batch stays in its stream until its result is there: a script takes it out and puts the result in, in one step, and only for
//! the first worker that brings one. So whatever ends a worker, a coordinator or the broker itself, a batch is either still to be
//! played or has exactly one result. A worker renews its lease on a batch while it plays. A batch whose lease has run out is
//! taken over by the next worker that has nothing else to do, or looks, as each does now and then.
//!
//! Only the user USER may write its keys (`tournament/scale/queue-users.sh`), so a result shows whose it is. Scripts read the
//! lines of workers, skip those that are too long and stop after some bytes: a blocking command would read everything. The
//! coordinator loads them (`scripts.rs`), again after each lost connection; no other user needs the right to.

mod coordinating;
mod scripts;
mod working;

use super::address::{QueueAddress, is_word};
use super::connection::{Connection, StreamEntry, bytes, list, text};
use super::error::QueueError;
use super::machine::{MAX_MACHINE, SHARED_USER, WorkerId, is_name};
use redis::{Cmd, Value, cmd};
use scripts::Script;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

/// How long the queue stays locked after the last sign of life of its coordinator.
pub(super) const LOCKED: Duration = Duration::from_secs(15);
/// The consumer group.
const GROUP: &str = "workers";
/// Entries of a stream that are read at once at most, and bytes of all streams.
const AT_ONCE: usize = 128;
const BYTES_AT_ONCE: usize = 32 << 20;
/// The most notes of a user that are kept.
const MAX_NOTES: usize = 1_000;
/// The most bytes of a note.
const MAX_NOTE_BYTES: usize = 8 << 10;
/// Processes of a user. A list that is longer is written anew by those that are there.
const MAX_PROCESSES: usize = 4_096;
/// The longest job, in bytes: that of a thousand engines has about a quarter.
pub(super) const MAX_JOB: usize = 4 << 20;
/// The longest report of progress, in bytes: that of a thousand engines has about a quarter.
pub(super) const MAX_PROGRESS: usize = 64 << 10;
/// Where a stream begins.
const BEGIN: &str = "0-0";
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
    /// Why this worker may not play on.
    pub refused: Option<String>,
    /// Whether a coordinator is there.
    pub coordinated: bool,
}

/// Workers: each with the seconds since its last sign of life, and what it says of itself.
pub(super) type Presences = Vec<(WorkerId, u64, Vec<u8>)>;

/// Messages of workers since the last read, user by user.
#[derive(Debug, Default)]
pub(super) struct News {
    /// Results, with their users.
    pub results: Vec<(String, StreamEntry)>,
    /// Notes, with their users.
    pub notes: Vec<(String, StreamEntry)>,
}

/// How far the streams of each user have been read.
#[derive(Debug, Default)]
pub(super) struct ReadUpTo {
    /// The last result and the last note of each user.
    last: BTreeMap<String, [String; 2]>,
    /// The bell when everything had been read.
    bell: String,
    /// With which user the next reading begins, so that none keeps the others waiting.
    turn: usize,
}

impl ReadUpTo {
    /// Has everything looked at again that has not been read, whether or not the bell was rung.
    pub fn look_again(&mut self) {
        self.bell.clear();
    }
}

/// A queue on a broker.
pub(super) struct Broker {
    connection: Connection,
    prefix: String,
    /// The broker's user that this process is.
    user: String,
    /// The connection on which this process has loaded the scripts.
    loaded: Option<u64>,
}

impl Broker {
    /// The queue at an address; the broker is not asked yet.
    ///
    /// # Errors
    /// If the address is invalid.
    pub fn new(address: &QueueAddress) -> Result<Broker, QueueError> {
        // The braces keep the keys of a queue together if the broker is a cluster.
        let prefix = format!("kroo:{{{}}}", address.name());
        let user = address.user().unwrap_or(SHARED_USER).to_owned();
        Ok(Broker { connection: Connection::new(address)?, prefix, user, loaded: None })
    }

    fn key(&self, name: &str) -> String {
        format!("{}:{name}", self.prefix)
    }

    /// The name of a key that only this user may write.
    fn own(&self, name: &str) -> String {
        format!("{name}:{}", self.user)
    }

    /// The identity of a process of this user.
    pub fn id(&self, process: &str) -> WorkerId {
        WorkerId::new(&self.user, Some(process))
    }

    /// The broker's users.
    pub fn users(&mut self) -> Result<Vec<String>, QueueError> {
        let found = list(self.connection.ask(cmd("ACL").arg("USERS"))?);
        let found = found.ok_or_else(|| self.connection.unexpected("its users"))?;
        let mut users: Vec<String> = found.iter().filter_map(text).filter(|user| is_word(user)).collect();
        users.sort();
        Ok(users)
    }

    fn script(&self, script: Script, keys: &[&str]) -> Cmd {
        let mut command = cmd("EVALSHA");
        command
            .arg(script.hash())
            .arg(0)
            .arg(keys.len())
            .arg(keys.iter().map(|key| self.key(key)).collect::<Vec<_>>());
        command
    }

    /// Has the broker know the scripts, which it forgets when it restarts.
    fn load_scripts(&mut self) -> Result<(), QueueError> {
        if self.loaded == Some(self.connection.number()) {
            return Ok(());
        }
        let mut commands = redis::pipe();
        for text in Script::texts() {
            commands.cmd("SCRIPT").arg("LOAD").arg(text);
        }
        self.connection.ask_all(&commands)?;
        self.loaded = Some(self.connection.number());
        Ok(())
    }

    pub fn progress(&mut self) -> Result<Option<Vec<u8>>, QueueError> {
        self.beginning("progress", MAX_PROGRESS)
    }

    pub fn is_locked(&mut self) -> Result<bool, QueueError> {
        Ok(self.connection.ask(cmd("EXISTS").arg(self.key("lock")))? == Value::Int(1))
    }

    /// The value of a key, or one byte more than the most there may be; `None` if there is none.
    fn beginning(&mut self, name: &str, most: usize) -> Result<Option<Vec<u8>>, QueueError> {
        let value = self.connection.ask(cmd("GETRANGE").arg(self.key(name)).arg(0).arg(most))?;
        Ok(bytes(value).filter(|bytes| !bytes.is_empty()))
    }

    /// The reasons for which workers may not play on.
    pub fn refused(&mut self) -> Result<BTreeSet<String>, QueueError> {
        let found = list(self.connection.ask(cmd("HKEYS").arg(self.key("refused")))?).unwrap_or_default();
        Ok(found.iter().filter_map(text).collect())
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

    /// Which workers of these users there are, and users that have too many.
    pub fn workers(&mut self, users: &[String]) -> Result<(Presences, Vec<String>), QueueError> {
        let mut command = self.script(Script::Workers, &["workers:"]);
        command.arg(MAX_PROCESSES).arg(2 * MAX_MACHINE).arg(BYTES_AT_ONCE).arg(users);
        let reply = list(self.connection.ask(&command)?).unwrap_or_default();
        let [now, found, long] = <[Value; 3]>::try_from(reply)
            .map_err(|_| self.connection.unexpected("which workers there are"))?;
        let now: u64 = text(&now).and_then(|text| text.parse().ok()).unwrap_or_default();
        let worker = |value: Value| {
            let [user, process, says] = <[Value; 3]>::try_from(list(value)?).ok()?;
            let says = bytes(says)?;
            let blank = says.iter().position(|&byte| byte == b' ')?;
            let seen: u64 = std::str::from_utf8(&says[..blank]).ok()?.parse().ok()?;
            let process = text(&process).filter(|process| is_name(process))?;
            let id = WorkerId::new(&text(&user)?, Some(&process));
            Some((id, now.saturating_sub(seen), says[blank + 1..].to_vec()))
        };
        let found = list(found).unwrap_or_default().into_iter().filter_map(worker).collect();
        Ok((found, list(long).unwrap_or_default().iter().filter_map(text).collect()))
    }

    pub fn state(&mut self) -> Result<Option<JobState>, QueueError> {
        let value = self.connection.ask(cmd("GET").arg(self.key("state")))?;
        Ok(job_state(&value))
    }

    /// The job, as it was written.
    pub fn job(&mut self) -> Result<Option<Vec<u8>>, QueueError> {
        self.beginning("job", MAX_JOB)
    }
}

/// The hashes of all scripts, for tests.
#[must_use]
pub fn script_hashes() -> Vec<String> {
    Script::hashes().map(str::to_owned).collect()
}

fn job_state(value: &Value) -> Option<JobState> {
    let text = text(value)?;
    let (job, state) = text.split_once(' ')?;
    Some(JobState { job: job.to_owned(), running: state == "running" })
}
