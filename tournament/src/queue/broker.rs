//! The queue as it lies on the broker, and every command on it.
//!
//! | key | what |
//! |---|---|
//! | `kroo:{NAME}:job` | what is played (see `job.rs`) |
//! | `kroo:{NAME}:state` | the number of that job, and `running` or `stopped` |
//! | `kroo:{NAME}:batches` | a stream of batches to be played, with the consumer group `workers` |
//! | `kroo:{NAME}:results` | a stream of what has been played, until the coordinator has it in its journal |
//! | `kroo:{NAME}:notes` | a stream of what workers want a user to know |
//! | `kroo:{NAME}:workers` | who is there: for each worker the time of its last sign of life, and what it says of itself |
//! | `kroo:{NAME}:refused` | who may not play on, and why |
//! | `kroo:{NAME}:progress` | how far the match is |
//! | `kroo:{NAME}:executables` | pieces of executables, if the coordinator offers them: `HASH:PLACE` |
//! | `kroo:{NAME}:lock` | who coordinates |
//!
//! A batch stays in its stream until its result is there: a script takes it out and puts the result in, in one step, and only for
//! the first who brings one. So whatever ends a worker, a coordinator or the broker itself, a batch is either still to be
//! played or has exactly one result. A worker renews its lease on a batch while it plays. A batch whose lease has run out is
//! taken over by the next worker that has nothing else to do, or looks, as each does now and then.

use super::address::QueueAddress;
use super::connection::{Connection, StreamEntry, bytes, entries, list, pairs, streams, text};
use super::error::QueueError;
use redis::{Cmd, Value, cmd};
use std::collections::BTreeSet;
use std::time::Duration;

/// How long the queue stays locked after the last sign of life of its coordinator.
pub(super) const LOCKED: Duration = Duration::from_secs(15);
/// The consumer group.
const GROUP: &str = "workers";
/// Entries that are read at once at most.
const AT_ONCE: usize = 256;
/// Notes that are kept.
const MAX_NOTES: usize = 1_000;
/// How long a queue that is over can be seen, in seconds.
const REMEMBERED: u64 = 24 * 60 * 60;
/// The key with pieces of executables.
const EXECUTABLES: &str = "executables";

const LOCK: &str = "\
local held = redis.call('GET', KEYS[1])
if held and held ~= ARGV[1] then return held end
if held then redis.call('PEXPIRE', KEYS[1], ARGV[2]) return false end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return false";

const UNLOCK: &str = "\
if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('DEL', KEYS[1]) end
return false";

/// The first result of a batch takes its place. One for another job, or a second one, is dropped.
const DELIVER: &str = "\
if redis.call('GET', KEYS[3]) ~= ARGV[3] .. ' running' then return 0 end
if redis.call('XACK', KEYS[1], ARGV[1], ARGV[2]) == 0 then return 0 end
redis.call('XDEL', KEYS[1], ARGV[2])
redis.call('XADD', KEYS[2], '*', 'batch', ARGV[2], 'worker', ARGV[4], 'games', ARGV[5])
return 1";

/// A sign of life: the lease on each batch is renewed, unless somebody else has taken it over, or the batches are gone because the
/// match is over.
const RENEW: &str = "\
local now = redis.call('TIME')
for place = 4, #ARGV do
  local held = redis.pcall('XPENDING', KEYS[1], ARGV[1], ARGV[place], ARGV[place], 1)
  if not held.err and held[1] and held[1][2] == ARGV[2] then
    redis.call('XCLAIM', KEYS[1], ARGV[1], ARGV[2], 0, ARGV[place], 'JUSTID')
  end
end
redis.pcall('HSET', KEYS[2], ARGV[2], now[1] .. ' ' .. ARGV[3])
return {redis.call('GET', KEYS[3]), redis.call('HGET', KEYS[4], ARGV[2]), redis.call('EXISTS', KEYS[5])}";

/// The lease on a batch ends at once, unless somebody else has taken it over.
const GIVE_BACK: &str = "\
local held = redis.call('XPENDING', KEYS[1], ARGV[1], ARGV[3], ARGV[3], 1)
if held[1] and held[1][2] == ARGV[2] then
  redis.call('XCLAIM', KEYS[1], ARGV[1], ARGV[2], 0, ARGV[3], 'IDLE', 604800000, 'JUSTID')
end
return false";

/// A piece of an executable; its length if that is more than it should be.
const PIECE: &str = "\
local piece = redis.call('HGET', KEYS[1], ARGV[1])
if piece and #piece > tonumber(ARGV[2]) then return #piece end
return piece";

/// What the queue says of its job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct JobState {
    /// The job's number.
    pub job: String,
    /// Whether it is being played.
    pub running: bool,
}

/// What a sign of life is answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Presence {
    pub state: Option<JobState>,
    /// Why this worker may not play on.
    pub refused: Option<String>,
    /// Whether a coordinator is there.
    pub coordinated: bool,
}

/// Workers: the name of each, the seconds since its last sign of life, and what it says of itself.
pub(super) type Presences = Vec<(String, u64, Vec<u8>)>;

/// A queue on a broker.
pub(super) struct Broker {
    connection: Connection,
    prefix: String,
}

impl Broker {
    /// The queue at an address; the broker is not asked yet.
    ///
    /// # Errors
    /// If the address is none.
    pub fn new(address: &QueueAddress) -> Result<Broker, QueueError> {
        // The braces keep the keys of a queue together if the broker is a cluster.
        let prefix = format!("kroo:{{{}}}", address.name());
        Ok(Broker { connection: Connection::new(address)?, prefix })
    }

    fn key(&self, name: &str) -> String {
        format!("{}:{name}", self.prefix)
    }

    fn script(&self, script: &str, keys: &[&str]) -> Cmd {
        // The keys are not declared: a broker checks the rights to each key at each command of the script, but would ask for the
        // right to write every declared one. The name of a queue has no quotation mark.
        let keys: Vec<String> = keys.iter().map(|key| format!("'{}'", self.key(key))).collect();
        let mut command = cmd("EVAL");
        command.arg(format!("local KEYS = {{{}}}\n{script}", keys.join(","))).arg(0);
        command
    }

    // What coordinators do.

    /// Takes the lock for a while, or goes on holding it. Otherwise says who has it.
    pub fn lock(&mut self, me: &str, time: Duration) -> Result<Option<String>, QueueError> {
        let mut command = self.script(LOCK, &["lock"]);
        command.arg(me).arg(time.as_millis() as u64);
        Ok(text(&self.connection.ask(&command)?))
    }

    pub fn unlock(&mut self, me: &str) -> Result<(), QueueError> {
        let mut command = self.script(UNLOCK, &["lock"]);
        self.connection.ask(command.arg(me)).map(drop)
    }

    /// Removes everything but the lock.
    pub fn clear(&mut self) -> Result<(), QueueError> {
        let mut command = cmd("DEL");
        for key in
            ["job", "state", "batches", "results", "notes", "workers", "refused", "progress", EXECUTABLES]
        {
            command.arg(self.key(key));
        }
        self.connection.ask(&command).map(drop)
    }

    /// Has workers play a job, as far as its batches are there.
    pub fn publish(&mut self, number: &str, job: &str) -> Result<(), QueueError> {
        self.connection.ask(cmd("SET").arg(self.key("job")).arg(job))?;
        let mut group = cmd("XGROUP");
        group.arg("CREATE").arg(self.key("batches")).arg(GROUP).arg("0").arg("MKSTREAM");
        match self.connection.ask(&group) {
            Err(QueueError::Refused { problem, .. }) if problem.contains("BUSYGROUP") => {}
            made => drop(made?),
        }
        self.connection.ask(cmd("SET").arg(self.key("state")).arg(format!("{number} running"))).map(drop)
    }

    /// Has all workers stop, and removes the job.
    pub fn end(&mut self, number: &str) -> Result<(), QueueError> {
        let mut state = cmd("SET");
        state.arg(self.key("state")).arg(format!("{number} stopped")).arg("EX").arg(REMEMBERED);
        self.connection.ask(&state)?;
        let mut delete = cmd("DEL");
        for key in ["job", "batches", "results", "notes", EXECUTABLES] {
            delete.arg(self.key(key));
        }
        self.connection.ask(&delete)?;
        for key in ["workers", "refused"] {
            self.connection.ask(cmd("EXPIRE").arg(self.key(key)).arg(REMEMBERED))?;
        }
        Ok(())
    }

    /// Has workers play these batches, too.
    pub fn add(&mut self, batches: &[String]) -> Result<(), QueueError> {
        if batches.is_empty() {
            return Ok(());
        }
        let mut commands = redis::pipe();
        for batch in batches {
            commands.cmd("XADD").arg(self.key("batches")).arg("*").arg("games").arg(batch);
        }
        self.connection.ask_all(&commands)
    }

    /// All batches that have no result yet.
    pub fn batches(&mut self) -> Result<Vec<StreamEntry>, QueueError> {
        let value = self.connection.ask(cmd("XRANGE").arg(self.key("batches")).arg("-").arg("+"))?;
        entries(value).ok_or_else(|| self.connection.unexpected("the entries of a stream"))
    }

    pub fn remove_batch(&mut self, id: &str) -> Result<(), QueueError> {
        self.connection.ask(cmd("XACK").arg(self.key("batches")).arg(GROUP).arg(id))?;
        self.connection.ask(cmd("XDEL").arg(self.key("batches")).arg(id)).map(drop)
    }

    /// Results and notes after these, and if there are none, those that come within a time.
    pub fn news(
        &mut self,
        after: [&str; 2],
        wait: Option<Duration>,
    ) -> Result<[Vec<StreamEntry>; 2], QueueError> {
        let keys = ["results", "notes"].map(|name| self.key(name));
        let mut command = cmd("XREAD");
        command.arg("COUNT").arg(AT_ONCE);
        if let Some(wait) = wait {
            command.arg("BLOCK").arg((wait.as_millis() as u64).max(1));
        }
        command.arg("STREAMS").arg(&keys).arg(&after);
        let value = self.connection.ask_waiting(&command, wait.unwrap_or_default())?;
        let found = streams(value).ok_or_else(|| self.connection.unexpected("the entries of streams"))?;
        let mut news = [Vec::new(), Vec::new()];
        for (key, entries) in found {
            if let Some(place) = keys.iter().position(|known| *known == key) {
                news[place] = entries;
            }
        }
        Ok(news)
    }

    /// Results that are safe in the journal.
    pub fn forget_results(&mut self, ids: &[String]) -> Result<(), QueueError> {
        if ids.is_empty() {
            return Ok(());
        }
        self.connection.ask(cmd("XDEL").arg(self.key("results")).arg(ids)).map(drop)
    }

    /// Who is there.
    pub fn workers(&mut self) -> Result<Presences, QueueError> {
        let now = list(self.connection.ask(&cmd("TIME"))?).and_then(|time| text(time.first()?)?.parse().ok());
        let now = now.ok_or_else(|| self.connection.unexpected("the time"))?;
        let value = self.connection.ask(cmd("HGETALL").arg(self.key("workers")))?;
        let found = pairs(value).ok_or_else(|| self.connection.unexpected("a table"))?;
        let worker = |(id, value): (Vec<u8>, Vec<u8>)| {
            let blank = value.iter().position(|&byte| byte == b' ')?;
            let seen = std::str::from_utf8(&value[..blank]).ok()?.parse().ok()?;
            let age = u64::saturating_sub(now, seen);
            Some((String::from_utf8(id).ok()?, age, value[blank + 1..].to_vec()))
        };
        Ok(found.into_iter().filter_map(worker).collect())
    }

    /// Tells those who ask how far the match is.
    pub fn tell_progress(&mut self, progress: &str) -> Result<(), QueueError> {
        let mut command = cmd("SET");
        command.arg(self.key("progress")).arg(progress).arg("EX").arg(REMEMBERED);
        self.connection.ask(&command).map(drop)
    }

    /// Puts a piece of an executable into the queue.
    pub fn offer(&mut self, sha256: &str, place: u64, piece: &[u8]) -> Result<(), QueueError> {
        let mut command = cmd("HSET");
        command.arg(self.key(EXECUTABLES)).arg(format!("{sha256}:{place}")).arg(piece);
        self.connection.ask(&command)?;
        if place == 0 { self.keep_offer() } else { Ok(()) }
    }

    /// Keeps the executables for as long as the longest lease, and another day.
    pub fn keep_offer(&mut self) -> Result<(), QueueError> {
        self.connection.ask(cmd("EXPIRE").arg(self.key(EXECUTABLES)).arg(2 * REMEMBERED)).map(drop)
    }

    /// How many pieces of executables there are.
    pub fn offered(&mut self) -> Result<u64, QueueError> {
        match self.connection.ask(cmd("HLEN").arg(self.key(EXECUTABLES)))? {
            Value::Int(found) => Ok(found.unsigned_abs()),
            _ => Err(self.connection.unexpected("a number")),
        }
    }

    /// Has a worker play no more.
    pub fn refuse(&mut self, worker: &str, why: &str) -> Result<(), QueueError> {
        self.connection.ask(cmd("HSET").arg(self.key("refused")).arg(worker).arg(why)).map(drop)
    }

    // What those do who only look.

    pub fn progress(&mut self) -> Result<Option<Vec<u8>>, QueueError> {
        Ok(bytes(self.connection.ask(cmd("GET").arg(self.key("progress")))?))
    }

    pub fn is_locked(&mut self) -> Result<bool, QueueError> {
        Ok(self.connection.ask(cmd("EXISTS").arg(self.key("lock")))? == Value::Int(1))
    }

    /// Who may not play on.
    pub fn refused(&mut self) -> Result<BTreeSet<String>, QueueError> {
        let found = list(self.connection.ask(cmd("HKEYS").arg(self.key("refused")))?).unwrap_or_default();
        Ok(found.iter().filter_map(text).collect())
    }

    /// How many batches have no result yet, and how many of these somebody plays.
    pub fn loads(&mut self) -> Result<(u64, u64), QueueError> {
        let all = self.connection.ask(cmd("XLEN").arg(self.key("batches")))?;
        let played = list(self.connection.ask(cmd("XPENDING").arg(self.key("batches")).arg(GROUP))?);
        let number = |value: &Value| text(value).and_then(|text| text.parse().ok());
        let played = played.and_then(|played| number(played.first()?));
        let found = number(&all).zip(played);
        found.ok_or_else(|| self.connection.unexpected("how many entries there are"))
    }

    // What workers do.

    pub fn state(&mut self) -> Result<Option<JobState>, QueueError> {
        let value = self.connection.ask(cmd("GET").arg(self.key("state")))?;
        Ok(job_state(&value))
    }

    /// The job, as it was written.
    pub fn job(&mut self) -> Result<Option<Vec<u8>>, QueueError> {
        Ok(bytes(self.connection.ask(cmd("GET").arg(self.key("job")))?))
    }

    /// A piece of an executable; `None` if there is none, and its length alone if that is more than `most`.
    pub fn piece(
        &mut self,
        sha256: &str,
        place: u64,
        most: usize,
    ) -> Result<Option<Result<Vec<u8>, i64>>, QueueError> {
        let mut command = self.script(PIECE, &[EXECUTABLES]);
        command.arg(format!("{sha256}:{place}")).arg(most);
        Ok(match self.connection.ask(&command)? {
            Value::Int(length) => Some(Err(length)),
            other => bytes(other).map(Ok),
        })
    }

    /// A batch that nobody has, if one comes within a time.
    pub fn take(&mut self, worker: &str, wait: Duration) -> Result<Option<StreamEntry>, QueueError> {
        let mut command = cmd("XREADGROUP");
        command.arg("GROUP").arg(GROUP).arg(worker).arg("COUNT").arg(1);
        command.arg("BLOCK").arg((wait.as_millis() as u64).max(1));
        command.arg("STREAMS").arg(self.key("batches")).arg(">");
        let value = self.connection.ask_waiting(&command, wait)?;
        let found = streams(value).ok_or_else(|| self.connection.unexpected("the entries of streams"))?;
        Ok(found.into_iter().flat_map(|(_, entries)| entries).next())
    }

    /// A batch whose lease has run out.
    pub fn take_over(&mut self, worker: &str, lease: Duration) -> Result<Option<StreamEntry>, QueueError> {
        let mut command = cmd("XAUTOCLAIM");
        command.arg(self.key("batches")).arg(GROUP).arg(worker).arg(lease.as_millis() as u64);
        command.arg("0-0").arg("COUNT").arg(1);
        let reply = list(self.connection.ask(&command)?).and_then(|reply| reply.into_iter().nth(1));
        let found =
            reply.and_then(entries).ok_or_else(|| self.connection.unexpected("the entries of a stream"))?;
        Ok(found.into_iter().next())
    }

    /// Brings the result of a batch. Says whether it was the first one.
    pub fn deliver(
        &mut self,
        worker: &str,
        job: &str,
        batch: &str,
        games: &[u8],
    ) -> Result<bool, QueueError> {
        let mut command = self.script(DELIVER, &["batches", "results", "state"]);
        command.arg(GROUP).arg(batch).arg(job).arg(worker).arg(games);
        Ok(self.connection.ask(&command)? == Value::Int(1))
    }

    /// Gives a sign of life, with what the worker says of itself, and renews the leases on its batches.
    pub fn renew(&mut self, worker: &str, says: &str, batches: &[String]) -> Result<Presence, QueueError> {
        let mut command = self.script(RENEW, &["batches", "workers", "state", "refused", "lock"]);
        command.arg(GROUP).arg(worker).arg(says).arg(batches);
        let reply = list(self.connection.ask(&command)?).unwrap_or_default();
        let refused = reply.get(1).and_then(text);
        let coordinated = reply.get(2) == Some(&Value::Int(1));
        Ok(Presence { state: reply.first().and_then(job_state), refused, coordinated })
    }

    /// Gives a batch back: the next worker takes it over.
    pub fn give_back(&mut self, worker: &str, batch: &str) -> Result<(), QueueError> {
        let mut command = self.script(GIVE_BACK, &["batches"]);
        self.connection.ask(command.arg(GROUP).arg(worker).arg(batch)).map(drop)
    }

    pub fn note(&mut self, worker: &str, note: &str) -> Result<(), QueueError> {
        let mut command = cmd("XADD");
        command.arg(self.key("notes")).arg("MAXLEN").arg("~").arg(MAX_NOTES).arg("*");
        self.connection.ask(command.arg("worker").arg(worker).arg("note").arg(note)).map(drop)
    }

    /// Says that an engine does not work on this worker's machine.
    pub fn tell_broken(&mut self, worker: &str, problem: &str) -> Result<(), QueueError> {
        let mut command = cmd("XADD");
        command.arg(self.key("notes")).arg("MAXLEN").arg("~").arg(MAX_NOTES).arg("*");
        command.arg("worker").arg(worker).arg("note").arg(problem).arg("broken").arg(1);
        self.connection.ask(&command).map(drop)
    }

    pub fn leave(&mut self, worker: &str) -> Result<(), QueueError> {
        self.connection.ask(cmd("HDEL").arg(self.key("workers")).arg(worker)).map(drop)
    }
}

fn job_state(value: &Value) -> Option<JobState> {
    let text = text(value)?;
    let (job, state) = text.split_once(' ')?;
    Some(JobState { job: job.to_owned(), running: state == "running" })
}
