//! The identity of a worker: its machine, and what it is doing.

use super::message::{too_long, unreadable};
use crate::engine::proc_fs::{host_name, processor_name};
use crate::failure::Failure;
use crate::run::{Bench, WorkerStatus};
use kroo::printable;
use std::collections::hash_map::RandomState;
use std::fmt;
use std::hash::{BuildHasher, Hasher};
use std::num::NonZero;
use std::{process, thread};

/// The longest description, in bytes.
pub(super) const MAX_MACHINE: usize = 4 << 10;
/// The most games that a worker plays at once.
const MAX_THREADS: u64 = 65_536;
/// The most characters of a worker's name.
const MAX_NAME: usize = 200;

/// The user of a broker that has only a password, which everyone knows.
pub(super) const SHARED_USER: &str = "default";

/// Which worker it is: the broker's user, which cannot be feigned, and the name that its process has given itself.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct WorkerId {
    user: String,
    process: String,
}

impl WorkerId {
    /// The worker whose user has written something in the name of a process.
    pub fn new(user: &str, process: Option<&str>) -> WorkerId {
        let process = process.filter(|name| is_name(name)).unwrap_or("without a name");
        WorkerId { user: user.to_owned(), process: process.to_owned() }
    }

    /// The worker's user, if no other worker has it.
    pub fn own_user(&self) -> Option<&str> {
        Some(self.user.as_str()).filter(|user| *user != SHARED_USER)
    }

    /// The name that its games record: that of its own user, whatever its processes call themselves.
    pub fn name(&self) -> &str {
        self.own_user().unwrap_or(&self.process)
    }

    /// The reason of its refusal. Names of processes are not names of users.
    pub fn ban(&self) -> String {
        self.own_user().map_or_else(|| format!("{SHARED_USER}/{}", self.process), str::to_owned)
    }
}

impl fmt::Display for WorkerId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.own_user() {
            Some(user) => write!(f, "{user}/{}", self.process),
            None => f.write_str(&self.process),
        }
    }
}

impl WorkerStatus {
    /// This machine.
    pub fn here(threads: usize, bench: Bench) -> WorkerStatus {
        let cores = thread::available_parallelism().map_or(1, NonZero::get) as u64;
        let short = |text: Option<String>| printable::name(&text.unwrap_or_default()).into_owned();
        WorkerStatus {
            host: short(host_name()),
            processor: short(processor_name()),
            cores,
            threads: threads as u64,
            games: 0,
            bench,
        }
    }

    pub fn text(&self) -> String {
        serde_json::to_string(self).expect("plain values can be written as JSON")
    }

    /// Reads what a worker says, and checks it.
    ///
    /// # Errors
    /// The first thing that is wrong.
    pub fn parse(bytes: &[u8]) -> Result<WorkerStatus, Failure> {
        if bytes.len() > MAX_MACHINE {
            return Err(too_long(bytes.len(), MAX_MACHINE));
        }
        let status: WorkerStatus = serde_json::from_slice(bytes).map_err(unreadable)?;
        status.bench.check().map_err(|problem| Failure::at("bench", problem))?;
        let most = MAX_THREADS;
        for (what, found) in [("cores", status.cores), ("threads", status.threads)] {
            if !(1..=most).contains(&found) {
                let problem = format!("{found}, expected a number from 1 to {most}");
                return Err(Failure::at(what, problem));
            }
        }
        for (what, text) in [("host", &status.host), ("processor", &status.processor)] {
            if *text != printable::name(text) {
                return Err(Failure::at(what, "expected at most 100 printable characters"));
            }
        }
        Ok(status)
    }
}

/// A name that no other worker or coordinator has.
pub(super) fn unique_name() -> String {
    let random = RandomState::new().build_hasher().finish() as u32;
    let host = host_name().unwrap_or_default();
    let host: String =
        host.chars().filter(|c| c.is_ascii_alphanumeric() || "-._".contains(*c)).take(64).collect();
    format!("{host}:{}:{random:08x}", process::id())
}

/// Whether a text can be the name of a worker.
pub(super) fn is_name(text: &str) -> bool {
    (1..=MAX_NAME).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_graphic())
}
