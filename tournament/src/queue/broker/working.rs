//! The commands of a worker.

use super::scripts;
use super::{Broker, EXECUTABLES, GROUP, MAX_NOTES, Presence, job_state};
use crate::queue::connection::{StreamEntry, bytes, entries, list, streams, text};
use crate::queue::error::QueueError;
use redis::{Value, cmd};
use std::time::Duration;

impl Broker {
    /// A piece of an executable; `None` if there is none.
    pub fn piece(&mut self, sha256: &str, place: u64) -> Result<Option<Vec<u8>>, QueueError> {
        let mut command = cmd("HGET");
        command.arg(self.key(EXECUTABLES)).arg(format!("{sha256}:{place}"));
        Ok(bytes(self.connection.ask(&command)?))
    }

    /// A batch that no worker has, if one comes within a time.
    pub fn take(&mut self, worker: &str, wait: Duration) -> Result<Option<StreamEntry>, QueueError> {
        let mut command = cmd("XREADGROUP");
        command.arg("GROUP").arg(GROUP).arg(worker).arg("COUNT").arg(1);
        command.arg("BLOCK").arg((wait.as_millis() as u64).max(1));
        command.arg("STREAMS").arg(self.key("batches")).arg(">");
        let value = self.connection.ask_waiting(&command, wait)?;
        let found = streams(value).ok_or_else(|| self.connection.unexpected("the entries of streams"))?;
        Ok(found.into_iter().flat_map(|(_, entries)| entries).next())
    }

    /// A batch whose lease has run out, however many older ones are being played.
    pub fn take_over(&mut self, worker: &str, lease: Duration) -> Result<Option<StreamEntry>, QueueError> {
        let (key, lease) = (self.key("batches"), lease.as_millis() as u64);
        loop {
            let mut expired = cmd("XPENDING");
            expired.arg(&key).arg(GROUP).arg("IDLE").arg(lease).arg("-").arg("+").arg(1);
            let expired = list(self.connection.ask(&expired)?).unwrap_or_default().into_iter().next();
            let Some(id) = expired.and_then(list).and_then(|pending| text(pending.first()?)) else {
                return Ok(None);
            };
            let mut claim = cmd("XCLAIM");
            claim.arg(&key).arg(GROUP).arg(worker).arg(lease).arg(id);
            let claimed = entries(self.connection.ask(&claim)?)
                .ok_or_else(|| self.connection.unexpected("the entries of a stream"))?;
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
        Ok(self.connection.ask(&command)? == Value::Int(1))
    }

    /// Gives a sign of life, with what the worker says of itself, and renews the leases on its batches.
    pub fn renew(&mut self, worker: &str, says: &str, batches: &[String]) -> Result<Presence, QueueError> {
        let mut command = self.script(scripts::RENEW, &["batches", "workers", "state", "refused", "lock"]);
        command.arg(GROUP).arg(worker).arg(says).arg(batches);
        let reply = list(self.connection.ask(&command)?).unwrap_or_default();
        let refused = reply.get(1).and_then(text);
        let coordinated = reply.get(2) == Some(&Value::Int(1));
        Ok(Presence { state: reply.first().and_then(job_state), refused, coordinated })
    }

    /// Gives a batch back: the next worker takes it over.
    pub fn give_back(&mut self, worker: &str, batch: &str) -> Result<(), QueueError> {
        let mut command = self.script(scripts::GIVE_BACK, &["batches"]);
        self.connection.ask(command.arg(GROUP).arg(worker).arg(batch)).map(drop)
    }

    pub fn note(&mut self, worker: &str, note: &str) -> Result<(), QueueError> {
        self.add_note(worker, note, &[])
    }

    /// Says that an engine does not work on this worker's machine.
    pub fn tell_broken(&mut self, worker: &str, problem: &str) -> Result<(), QueueError> {
        self.add_note(worker, problem, &["broken", "1"])
    }

    fn add_note(&mut self, worker: &str, note: &str, more: &[&str]) -> Result<(), QueueError> {
        let mut command = cmd("XADD");
        command.arg(self.key("notes")).arg("MAXLEN").arg("~").arg(MAX_NOTES).arg("*");
        command.arg("worker").arg(worker).arg("note").arg(note).arg(more);
        self.connection.ask(&command).map(drop)
    }

    pub fn leave(&mut self, worker: &str) -> Result<(), QueueError> {
        self.connection.ask(cmd("HDEL").arg(self.key("workers")).arg(worker)).map(drop)
    }
}
