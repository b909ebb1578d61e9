//! The commands of a coordinator.

use super::scripts;
use super::{AT_ONCE, Broker, EXECUTABLES, GROUP, News, REMEMBERED, ReadUpTo};
use crate::queue::connection::{ShownEntry, StreamEntry};
use crate::queue::error::QueueError;
use redis::cmd;
use std::time::Duration;

impl Broker {
    /// Takes the lock for a while, or goes on holding it. Otherwise returns the holder.
    pub fn lock(&mut self, me: &str, time: Duration) -> Result<Option<String>, QueueError> {
        let mut command = self.script(scripts::LOCK, &["lock"]);
        command.arg(me).arg(time.as_millis() as u64);
        self.connection.ask(&command)
    }

    pub fn unlock(&mut self, me: &str) -> Result<(), QueueError> {
        let mut command = self.script(scripts::UNLOCK, &["lock"]);
        self.connection.ask(command.arg(me))
    }

    /// Removes everything but the lock.
    pub fn clear(&mut self) -> Result<(), QueueError> {
        let mut command = cmd("DEL");
        for key in
            ["job", "state", "batches", "results", "notes", "workers", "refused", "progress", EXECUTABLES]
        {
            command.arg(self.key(key));
        }
        self.connection.ask(&command)
    }

    /// Publishes a job; workers play its existing batches.
    pub fn publish(&mut self, number: &str, job: &str) -> Result<(), QueueError> {
        self.connection.ask::<()>(cmd("SET").arg(self.key("job")).arg(job))?;
        self.make_group()?;
        self.connection.ask(cmd("SET").arg(self.key("state")).arg(format!("{number} running")))
    }

    /// Whether workers see that a job is played, and find it.
    pub fn is_published(&mut self, number: &str) -> Result<bool, QueueError> {
        let is_running = self.state()?.is_some_and(|state| state.running && state.job == number);
        Ok(self.connection.ask::<bool>(cmd("EXISTS").arg(self.key("job")))? && is_running)
    }

    /// Makes the group of workers, unless it is there.
    fn make_group(&mut self) -> Result<(), QueueError> {
        let mut group = cmd("XGROUP");
        group.arg("CREATE").arg(self.key("batches")).arg(GROUP).arg("0").arg("MKSTREAM");
        match self.connection.ask(&group) {
            Err(QueueError::Failed(error)) if error.to_string().contains("BUSYGROUP") => Ok(()),
            made => made,
        }
    }

    /// Makes all existing batches available to workers: makes their group again if it is lost, and removes batches that it would
    /// give to no worker.
    pub fn mend(&mut self) -> Result<(), QueueError> {
        self.make_group()?;
        let mut command = self.script(scripts::MEND, &["batches"]);
        self.connection.ask(command.arg(GROUP))
    }

    /// Has all workers stop, and removes the job.
    pub fn end(&mut self, number: &str) -> Result<(), QueueError> {
        let mut state = cmd("SET");
        state.arg(self.key("state")).arg(format!("{number} stopped")).arg("EX").arg(REMEMBERED);
        self.connection.ask::<()>(&state)?;
        let mut delete = cmd("DEL");
        for key in ["job", "batches", "results", "notes", EXECUTABLES] {
            delete.arg(self.key(key));
        }
        self.connection.ask::<()>(&delete)?;
        // A worker learns that it is refused by its next sign of life, which may come after the end.
        for key in ["workers", "refused"] {
            self.connection.ask::<()>(cmd("EXPIRE").arg(self.key(key)).arg(REMEMBERED))?;
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

    /// Some of the batches that have no result yet, after one or from the beginning; none if there are no more.
    pub fn batches(&mut self, after: Option<&str>) -> Result<Vec<StreamEntry>, QueueError> {
        let mut command = cmd("XRANGE");
        command.arg(self.key("batches")).arg(after.map_or("-".to_owned(), |after| format!("({after}")));
        self.connection.ask(command.arg("+").arg("COUNT").arg(AT_ONCE)).map(StreamEntry::list)
    }

    pub fn remove_batch(&mut self, id: &str) -> Result<(), QueueError> {
        self.connection.ask::<()>(cmd("XACK").arg(self.key("batches")).arg(GROUP).arg(id))?;
        self.connection.ask(cmd("XDEL").arg(self.key("batches")).arg(id))
    }

    /// Some of the results and notes that have not been read, if any come within a time. A result has `games` games at most.
    pub fn news(&mut self, read: &mut ReadUpTo, games: usize, wait: Duration) -> Result<News, QueueError> {
        let keys = ["results", "notes"].map(|name| self.key(name));
        let mut command = cmd("XREAD");
        command.arg("COUNT").arg((AT_ONCE / games).max(1));
        if !wait.is_zero() {
            command.arg("BLOCK").arg((wait.as_millis() as u64).max(1));
        }
        command
            .arg("STREAMS")
            .arg(&keys)
            .arg(&read.each_ref().map(|last| last.as_deref().unwrap_or("0-0"))[..]);
        let found: Vec<(String, Vec<ShownEntry>)> = self.connection.ask_waiting(&command, wait)?;
        let mut news = News::default();
        for (key, entries) in found {
            let (place, entries) = (usize::from(key == keys[1]), StreamEntry::list(entries));
            if let Some(last) = entries.last() {
                read[place] = Some(last.id.clone());
            }
            news[place] = entries;
        }
        Ok(news)
    }

    /// Removes entries from a stream: results that are safe in the journal, or notes that the user knows.
    pub fn forget(&mut self, name: &str, entries: &[String]) -> Result<(), QueueError> {
        if entries.is_empty() {
            return Ok(());
        }
        self.connection.ask(cmd("XDEL").arg(self.key(name)).arg(entries))
    }

    /// Publishes the progress of the match.
    pub fn tell_progress(&mut self, progress: &str) -> Result<(), QueueError> {
        let mut command = cmd("SET");
        command.arg(self.key("progress")).arg(progress).arg("EX").arg(REMEMBERED);
        self.connection.ask(&command)
    }

    /// Puts a piece of an executable into the queue.
    pub fn offer(&mut self, sha256: &str, place: u64, piece: &[u8]) -> Result<(), QueueError> {
        let mut command = cmd("HSET");
        command.arg(self.key(EXECUTABLES)).arg(format!("{sha256}:{place}")).arg(piece);
        self.connection.ask::<()>(&command)?;
        if place == 0 { self.keep_offer() } else { Ok(()) }
    }

    /// Keeps the executables for as long as the longest lease, and another day.
    pub fn keep_offer(&mut self) -> Result<(), QueueError> {
        self.connection.ask(cmd("EXPIRE").arg(self.key(EXECUTABLES)).arg(2 * REMEMBERED))
    }

    /// How many pieces of executables there are.
    pub fn offered(&mut self) -> Result<u64, QueueError> {
        self.connection.ask(cmd("HLEN").arg(self.key(EXECUTABLES)))
    }

    /// Has a worker leave.
    pub fn refuse(&mut self, worker: &str, why: &str) -> Result<(), QueueError> {
        self.connection.ask(cmd("HSET").arg(self.key("refused")).arg(worker).arg(why))
    }
}
