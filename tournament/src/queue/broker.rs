//! The queue as it lies on the broker, and every command on it.
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
//! | `kroo:{NAME}:lock` | who coordinates |
//!
//! A batch stays in its stream until its result is there: a script takes it out and puts the result in, in one step, and only for
//! the first who brings one. So whatever ends a worker, a coordinator or the broker itself, a batch is either still to be
//! played or has exactly one result. A worker renews its lease on a batch while it plays. A batch whose lease has run out is
//! taken over by the next worker that has nothing else to do, or looks, as each does now and then.
//!
//! Only the user USER may write its keys (`tournament/scale/queue-users.sh`), so a result shows whose it is. What workers have written
//! is read by scripts that leave out what is too long and stop after so many bytes: a blocking command would read everything.

use super::address::{QueueAddress, is_word};
use super::batch::MAX_BATCH;
use super::connection::{Connection, StreamEntry, bytes, entries, list, streams, text};
use super::error::QueueError;
use super::machine::{MAX_MACHINE, SHARED_USER, WorkerId, is_name};
use redis::{Cmd, Value, cmd};
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

/// How long the queue stays locked after the last sign of life of its coordinator.
pub(super) const LOCKED: Duration = Duration::from_secs(15);
/// The consumer group.
const GROUP: &str = "workers";
/// Entries of a stream that are read at once at most, and bytes of all streams.
const AT_ONCE: usize = 128;
const BYTES_AT_ONCE: usize = 32 << 20;
/// Notes of a user that are kept, and the bytes of one.
const MAX_NOTES: usize = 1_000;
const MAX_NOTE: usize = 8 << 10;
/// Processes of a user. A list that is longer is written anew by those that are there.
const MAX_PROCESSES: usize = 4_096;
/// The longest job and report of progress, in bytes: those of a thousand engines have about a quarter.
pub(super) const MAX_JOB: usize = 4 << 20;
pub(super) const MAX_PROGRESS: usize = 64 << 10;
/// Where a stream begins.
const BEGIN: &str = "0-0";
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
redis.call('XADD', KEYS[2], '*', 'job', ARGV[3], 'worker', ARGV[4], 'games', ARGV[5])
redis.call('INCR', KEYS[4])
return 1";

/// Reads a part of a stream: of an entry that is longer than `most` only its bytes, and nothing after so many bytes in all.
const READ: &str = "\
local left = tonumber(ARGV[1])
local function read(key, after, most)
  local kept = {}
  for _, entry in ipairs(redis.call('XRANGE', key, '(' .. after, '+', 'COUNT', ARGV[2])) do
    if left <= 0 then break end
    local bytes = 0
    for _, text in ipairs(entry[2]) do bytes = bytes + #text end
    if bytes > most then entry[2] = bytes else left = left - bytes end
    kept[#kept + 1] = entry
  end
  return kept
end
";

/// A part of the batches.
const BATCHES: &str = "return read(KEYS[1], ARGV[3], tonumber(ARGV[4]))";

/// Results and notes of several users, and the bell.
const NEWS: &str = "\
local bell, news = redis.call('GET', KEYS[1]) or '0', {}
for place = 5, #ARGV, 3 do
  local user = ARGV[place]
  news[#news + 1] = read(KEYS[2] .. user, ARGV[place + 1], tonumber(ARGV[3]))
  news[#news + 1] = read(KEYS[3] .. user, ARGV[place + 2], tonumber(ARGV[4]))
end
return {bell, news}";

/// The processes of several users, without those that say too much, and so many bytes of all.
const WORKERS: &str = "\
local found, long, left = {}, {}, tonumber(ARGV[3])
for place = 4, #ARGV do
  local user = ARGV[place]
  if redis.call('HLEN', KEYS[1] .. user) > tonumber(ARGV[1]) then
    long[#long + 1] = user
  else
    local all = redis.call('HGETALL', KEYS[1] .. user)
    for at = 1, #all, 2 do
      local bytes = #all[at] + #all[at + 1]
      if bytes <= tonumber(ARGV[2]) and bytes <= left then
        left = left - bytes
        found[#found + 1] = {user, all[at], all[at + 1]}
      end
    end
  end
end
return {redis.call('TIME')[1], found, long}";

/// A sign of life: the lease on each batch is renewed, unless somebody else has taken it over, or the batches are gone because the
/// match is over.
const RENEW: &str = "\
local now = redis.call('TIME')
for place = 5, #ARGV do
  local held = redis.pcall('XPENDING', KEYS[1], ARGV[1], ARGV[place], ARGV[place], 1)
  if not held.err and held[1] and held[1][2] == ARGV[2] then
    redis.call('XCLAIM', KEYS[1], ARGV[1], ARGV[2], 0, ARGV[place], 'JUSTID')
  end
end
redis.pcall('HSET', KEYS[2], ARGV[2], now[1] .. ' ' .. ARGV[3])
return {redis.call('GET', KEYS[3]), redis.call('HGET', KEYS[4], ARGV[4]), redis.call('EXISTS', KEYS[5])}";

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

/// Workers: each with the seconds since its last sign of life, and what it says of itself.
pub(super) type Presences = Vec<(WorkerId, u64, Vec<u8>)>;

/// What workers have written since it was last read, user by user.
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
}

impl Broker {
    /// The queue at an address; the broker is not asked yet.
    ///
    /// # Errors
    /// If the address is none.
    pub fn new(address: &QueueAddress) -> Result<Broker, QueueError> {
        // The braces keep the keys of a queue together if the broker is a cluster.
        let prefix = format!("kroo:{{{}}}", address.name());
        let user = address.user().unwrap_or(SHARED_USER).to_owned();
        Ok(Broker { connection: Connection::new(address)?, prefix, user })
    }

    fn key(&self, name: &str) -> String {
        format!("{}:{name}", self.prefix)
    }

    /// The name of a key that only this user may write.
    fn own(&self, name: &str) -> String {
        format!("{name}:{}", self.user)
    }

    /// Who a process of this user is.
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
        for key in ["job", "state", "batches", "bell", "refused", "progress", EXECUTABLES] {
            command.arg(self.key(key));
        }
        for user in self.users()? {
            for key in ["results", "notes", "workers"] {
                command.arg(self.key(&format!("{key}:{user}")));
            }
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
        let (mut delete, mut expire) = (cmd("DEL"), redis::pipe());
        for key in ["job", "batches", "bell", EXECUTABLES] {
            delete.arg(self.key(key));
        }
        expire.cmd("EXPIRE").arg(self.key("refused")).arg(REMEMBERED);
        for user in self.users()? {
            for key in ["results", "notes"] {
                delete.arg(self.key(&format!("{key}:{user}")));
            }
            expire.cmd("EXPIRE").arg(self.key(&format!("workers:{user}"))).arg(REMEMBERED);
        }
        self.connection.ask(&delete)?;
        self.connection.ask_all(&expire)
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

    /// Some of the batches that have no result yet, after one or from the beginning; none if there are no more.
    pub fn batches(&mut self, after: Option<&str>) -> Result<Vec<StreamEntry>, QueueError> {
        let mut command = self.script(&(READ.to_owned() + BATCHES), &["batches"]);
        command.arg(BYTES_AT_ONCE).arg(AT_ONCE).arg(after.unwrap_or(BEGIN)).arg(MAX_BATCH);
        let value = self.connection.ask(&command)?;
        entries(value).ok_or_else(|| self.connection.unexpected("the entries of a stream"))
    }

    pub fn remove_batch(&mut self, id: &str) -> Result<(), QueueError> {
        self.connection.ask(cmd("XACK").arg(self.key("batches")).arg(GROUP).arg(id))?;
        self.connection.ask(cmd("XDEL").arg(self.key("batches")).arg(id)).map(drop)
    }

    /// Results and notes of these users that have not been read, or some of them, a result with so many bytes at most.
    pub fn news(&mut self, users: &[String], read: &mut ReadUpTo, most: usize) -> Result<News, QueueError> {
        if !read.bell.is_empty() {
            let bell = text(&self.connection.ask(cmd("GET").arg(self.key("bell")))?);
            if bell.as_deref().unwrap_or("0") == read.bell {
                return Ok(News::default());
            }
        }
        let keys = ["bell", "results:", "notes:"];
        let mut command = self.script(&(READ.to_owned() + NEWS), &keys);
        command.arg(BYTES_AT_ONCE).arg(AT_ONCE).arg(most).arg(MAX_NOTE);
        let turn = read.turn % users.len().max(1);
        let users: Vec<&String> = users.iter().cycle().skip(turn).take(users.len()).collect();
        for user in &users {
            let begin = || [BEGIN, BEGIN].map(str::to_owned);
            command.arg(user).arg(read.last.get(*user).unwrap_or(&begin()));
        }
        let mut reply = list(self.connection.ask(&command)?).unwrap_or_default().into_iter();
        let bell = reply.next().as_ref().and_then(text);
        let bell = bell.ok_or_else(|| self.connection.unexpected("a bell"))?;
        let streams: Option<Vec<Vec<StreamEntry>>> =
            reply.next().and_then(list).and_then(|streams| streams.into_iter().map(entries).collect());
        let mut streams =
            streams.ok_or_else(|| self.connection.unexpected("the entries of streams"))?.into_iter();
        let mut news = News::default();
        for user in users {
            let last = read.last.entry(user.clone()).or_insert_with(|| [BEGIN, BEGIN].map(str::to_owned));
            for (place, list) in [&mut news.results, &mut news.notes].into_iter().enumerate() {
                let found = streams.next().unwrap_or_default();
                if let Some(entry) = found.last() {
                    last[place].clone_from(&entry.id);
                }
                list.extend(found.into_iter().map(|entry| (user.clone(), entry)));
            }
        }
        // Until nothing is left to be read the bell does not count.
        let all = news.results.is_empty() && news.notes.is_empty();
        read.bell = if all { bell } else { String::new() };
        read.turn = turn + 1;
        Ok(news)
    }

    /// Results that are safe in the journal, or none.
    pub fn forget_results(&mut self, results: &[(String, String)]) -> Result<(), QueueError> {
        self.forget("results", results)
    }

    /// Notes that the user knows.
    pub fn forget_notes(&mut self, notes: &[(String, String)]) -> Result<(), QueueError> {
        self.forget("notes", notes)
    }

    /// Removes entries from the streams of their users.
    fn forget(&mut self, name: &str, entries: &[(String, String)]) -> Result<(), QueueError> {
        if entries.is_empty() {
            return Ok(());
        }
        let mut by_user: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for (user, id) in entries {
            by_user.entry(user).or_default().push(id);
        }
        let mut commands = redis::pipe();
        for (user, ids) in by_user {
            commands.cmd("XDEL").arg(self.key(&format!("{name}:{user}"))).arg(ids);
        }
        self.connection.ask_all(&commands)
    }

    /// Removes all that a user has brought.
    pub fn drop_results(&mut self, user: &str) -> Result<(), QueueError> {
        let mut command = cmd("DEL");
        command.arg(self.key(&format!("results:{user}"))).arg(self.key(&format!("notes:{user}")));
        self.connection.ask(&command).map(drop)
    }

    /// Which workers of these users there are, and users that have too many.
    pub fn workers(&mut self, users: &[String]) -> Result<(Presences, Vec<String>), QueueError> {
        let mut command = self.script(WORKERS, &["workers:"]);
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

    /// Forgets the processes of a user: those that are there say so again.
    pub fn forget_workers(&mut self, user: &str) -> Result<(), QueueError> {
        self.connection.ask(cmd("DEL").arg(self.key(&format!("workers:{user}")))).map(drop)
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
    pub fn refuse(&mut self, worker: &WorkerId, why: &str) -> Result<(), QueueError> {
        self.connection.ask(cmd("HSET").arg(self.key("refused")).arg(worker.ban()).arg(why)).map(drop)
    }

    // What those do who only look.

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

    /// What the workers are refused by that may not play on.
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
        self.beginning("job", MAX_JOB)
    }

    /// Why a worker may not play.
    pub fn ban(&mut self, worker: &WorkerId) -> Result<Option<String>, QueueError> {
        Ok(text(&self.connection.ask(cmd("HGET").arg(self.key("refused")).arg(worker.ban()))?))
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
        let mut command = self.script(DELIVER, &["batches", &self.own("results"), "state", "bell"]);
        command.arg(GROUP).arg(batch).arg(job).arg(worker).arg(games);
        Ok(self.connection.ask(&command)? == Value::Int(1))
    }

    /// Gives a sign of life, with what the worker says of itself, and renews the leases on its batches.
    pub fn renew(&mut self, worker: &str, says: &str, batches: &[String]) -> Result<Presence, QueueError> {
        let mut command = self.script(RENEW, &["batches", &self.own("workers"), "state", "refused", "lock"]);
        command.arg(GROUP).arg(worker).arg(says).arg(self.id(worker).ban()).arg(batches);
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
        command.arg(self.key(&self.own("notes"))).arg("MAXLEN").arg("~").arg(MAX_NOTES).arg("*");
        self.connection.ask(command.arg("worker").arg(worker).arg("note").arg(note)).map(drop)
    }

    /// Says that an engine does not work on this worker's machine.
    pub fn tell_broken(&mut self, worker: &str, problem: &str) -> Result<(), QueueError> {
        let mut command = cmd("XADD");
        command.arg(self.key(&self.own("notes"))).arg("MAXLEN").arg("~").arg(MAX_NOTES).arg("*");
        command.arg("worker").arg(worker).arg("note").arg(problem).arg("broken").arg(1);
        self.connection.ask(&command).map(drop)
    }

    pub fn leave(&mut self, worker: &str) -> Result<(), QueueError> {
        self.connection.ask(cmd("HDEL").arg(self.key(&self.own("workers"))).arg(worker)).map(drop)
    }
}

fn job_state(value: &Value) -> Option<JobState> {
    let text = text(value)?;
    let (job, state) = text.split_once(' ')?;
    Some(JobState { job: job.to_owned(), running: state == "running" })
}
