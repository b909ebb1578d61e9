//! The commands of a coordinator.

use super::scripts::Script;
use super::{
    AT_ONCE, BEGIN, BYTES_AT_ONCE, Broker, EXECUTABLES, GROUP, MAX_NOTE_BYTES, News, REMEMBERED, ReadUpTo,
};
use crate::queue::batch::MAX_BATCH;
use crate::queue::connection::{StreamEntry, entries, list, text};
use crate::queue::error::QueueError;
use crate::queue::machine::WorkerId;
use redis::{Value, cmd};
use std::collections::BTreeMap;
use std::time::Duration;

impl Broker {
    /// Takes the lock for a while, or goes on holding it. Otherwise returns the holder. It also loads the scripts, if need be.
    pub fn lock(&mut self, me: &str, time: Duration) -> Result<Option<String>, QueueError> {
        self.load_scripts()?;
        let mut command = self.script(Script::Lock, &["lock"]);
        command.arg(me).arg(time.as_millis() as u64);
        Ok(text(&self.connection.ask(&command)?))
    }

    pub fn unlock(&mut self, me: &str) -> Result<(), QueueError> {
        let mut command = self.script(Script::Unlock, &["lock"]);
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
        self.make_group()?;
        self.connection.ask(cmd("SET").arg(self.key("state")).arg(format!("{number} running"))).map(drop)
    }

    /// Whether workers see that a job is played, and find it.
    pub fn is_published(&mut self, number: &str) -> Result<bool, QueueError> {
        let is_running = self.state()?.is_some_and(|state| state.running && state.job == number);
        let job = self.connection.ask(cmd("EXISTS").arg(self.key("job")))?;
        Ok(is_running && job == Value::Int(1))
    }

    /// Makes the group of workers, unless it is there.
    fn make_group(&mut self) -> Result<(), QueueError> {
        let mut group = cmd("XGROUP");
        group.arg("CREATE").arg(self.key("batches")).arg(GROUP).arg("0").arg("MKSTREAM");
        match self.connection.ask(&group) {
            Err(QueueError::Failed(error)) if error.to_string().contains("BUSYGROUP") => Ok(()),
            made => made.map(drop),
        }
    }

    /// Has workers get all batches that are there: makes their group if it is lost, and removes batches that it would give to
    /// nobody.
    pub fn mend(&mut self) -> Result<(), QueueError> {
        self.make_group()?;
        let mut command = self.script(Script::Mend, &["batches"]);
        self.connection.ask(command.arg(GROUP)).map(drop)
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
        let mut command = self.script(Script::Batches, &["batches"]);
        command.arg(BYTES_AT_ONCE).arg(AT_ONCE).arg(after.unwrap_or(BEGIN)).arg(MAX_BATCH);
        let value = self.connection.ask(&command)?;
        entries(value).ok_or_else(|| self.connection.unexpected("the entries of a stream"))
    }

    pub fn remove_batch(&mut self, id: &str) -> Result<(), QueueError> {
        self.connection.ask(cmd("XACK").arg(self.key("batches")).arg(GROUP).arg(id))?;
        self.connection.ask(cmd("XDEL").arg(self.key("batches")).arg(id)).map(drop)
    }

    /// Results and notes of these users that have not been read, or some of them, a result with at most `most` bytes.
    pub fn news(&mut self, users: &[String], read: &mut ReadUpTo, most: usize) -> Result<News, QueueError> {
        if !read.bell.is_empty() {
            let bell = text(&self.connection.ask(cmd("GET").arg(self.key("bell")))?);
            if bell.as_deref().unwrap_or("0") == read.bell {
                return Ok(News::default());
            }
        }
        let keys = ["bell", "results:", "notes:"];
        let mut command = self.script(Script::News, &keys);
        command.arg(BYTES_AT_ONCE).arg(AT_ONCE).arg(most).arg(MAX_NOTE_BYTES);
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

    /// Forgets the processes of a user: those that are there say so again.
    pub fn forget_workers(&mut self, user: &str) -> Result<(), QueueError> {
        self.connection.ask(cmd("DEL").arg(self.key(&format!("workers:{user}")))).map(drop)
    }

    /// Publishes the progress of the match.
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
}
