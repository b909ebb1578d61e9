//! Executables through the queue, for workers that have not got them: in pieces, by the hash of the whole.
//!
//! Only a coordinator that is asked to puts them there. They are removed with the rest of the match, and expire a day after their
//! coordinator was last seen. A worker fetches missing executables into its own folder.
//!
//! Pieces are written under a temporary name, and hashed meanwhile. Only if the hash is that of the job, the file gets its
//! name, which is the hash, and the right to be executed. Otherwise it is deleted. Files fetched earlier are hashed again.

use super::address::QueueAddress;
use super::broker::{Broker, LOCKED};
use super::clerk::{PAUSE, WorkerSwitches};
use super::error::QueueError;
use super::job::Job;
use super::options::WorkerOptions;
use crate::engine::{ContentHash, ProgramContent, Stop, Supervisor, has_content};
use crate::plan::Contestant;
use kroo::files::{Replacement, user_cache_folder, why};
use kroo::printable;
use rustix::process::geteuid;
use std::collections::BTreeMap;
use std::fs::{self, DirBuilder, File, Permissions};
use std::io::{self, Read, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Instant;

/// The folder among those of the program.
const FOLDER: &str = "engines";
/// Only its owner may look into the folder, and an executable can only be read and executed.
const PRIVATE: u32 = 0o700;
const EXECUTABLE: u32 = 0o500;
/// The right of other users to write.
const OTHERS_WRITE: u32 = 0o022;

/// The means to fetch executables.
pub(super) struct Fetcher<'a> {
    pub options: &'a WorkerOptions,
    pub broker: &'a mut Broker,
    /// The number of the job that it fetches for.
    pub job: String,
    /// How many bytes have been fetched.
    pub fetched: u64,
    /// The switches that make it leave.
    pub switches: WorkerSwitches<'a>,
    /// Has a temporary file removed if this program is killed.
    pub supervisor: &'a Supervisor,
    /// Told messages for the user.
    pub report: &'a dyn Fn(&str),
}

impl Fetcher<'_> {
    /// The executable of an engine, from the folder or else from the queue. `None` if it was stopped, or the match is over.
    pub fn fetch(&mut self, name: &str, content: &ProgramContent) -> Result<Option<PathBuf>, QueueError> {
        let folder = self.folder()?;
        let path = folder.join(&content.sha256);
        if has_content(&path, content) && is_private(&path) {
            return Ok(Some(path));
        }
        let (length, limit) = (content.bytes, self.options.fetch_limit);
        if length > limit.saturating_sub(self.fetched) {
            let before = if self.fetched == 0 { "" } else { " together with what was fetched before" };
            let (length, limit) = (mebibytes(length + self.fetched), mebibytes(limit));
            return Err(refused(
                name,
                content,
                &format!("has {length}{before}, and --fetch-limit allows {limit}"),
            ));
        }
        (self.report)(&printable::line(&format!(
            "fetching {name} ({content}, {}) from the queue",
            mebibytes(length)
        )));
        let cannot = |error: &io::Error| {
            let reason = format!("cannot be kept in {}: {}", folder.display(), why(&path, error));
            refused(name, content, &(reason + "; --fetch=FOLDER names another place"))
        };
        let know = |temporary: &Path| self.supervisor.watch_temporary(temporary);
        let mut file = Replacement::begin(&path, &know).map_err(|error| cannot(&error))?;
        let mut hash = ContentHash::default();
        for place in 0..pieces(content) {
            let Some(piece) = self.piece(name, content, place)? else { return Ok(None) };
            hash.update(&piece);
            file.write_all(&piece).map_err(|error| cannot(&error))?;
        }
        let found = hash.content();
        if found != *content {
            return Err(refused(name, content, &format!("is something else on the queue ({found}){FORGED}")));
        }
        let executable = Permissions::from_mode(EXECUTABLE);
        let finished = file.temporary().map_or(Ok(()), |path| fs::set_permissions(path, executable));
        finished.and_then(|()| file.commit()).map_err(|error| cannot(&error))?;
        self.fetched += length;
        Ok(Some(path))
    }

    /// A piece from the queue. A broker that is not there is waited for. `None` if it was stopped, or the match is over.
    fn piece(
        &mut self,
        name: &str,
        content: &ProgramContent,
        place: u64,
    ) -> Result<Option<Vec<u8>>, QueueError> {
        let (began, length) = (Instant::now(), piece_length(content, place));
        let found = loop {
            if self.switches.is_leaving() {
                return Ok(None);
            }
            match self.broker.piece(&content.sha256, place) {
                Err(error) if error.is_passing() && began.elapsed() < self.options.wait => {
                    thread::sleep(PAUSE)
                }
                found => break found?,
            }
        };
        match found {
            Some(piece) if piece.len() == length => Ok(Some(piece)),
            // With the match its executables are removed.
            None if !self.is_running()? => Ok(None),
            None => Err(refused(name, content, "is not on the queue: the coordinator needs --offer-engines")),
            Some(other) => {
                let bytes = other.len();
                let problem =
                    format!("is something else on the queue (piece {place} has {bytes} bytes, not {length})");
                Err(refused(name, content, &(problem + FORGED)))
            }
        }
    }

    fn is_running(&mut self) -> Result<bool, QueueError> {
        Ok(self.broker.state()?.is_some_and(|state| state.running && state.job == self.job))
    }

    /// The folder, made if necessary. No other user may write in it.
    fn folder(&self) -> Result<PathBuf, QueueError> {
        let unfit = |problem: String| QueueError::Unfit(printable::line(&problem).into_owned());
        let folder = self.options.fetch.clone().flatten();
        let folder = folder.or_else(|| Some(user_cache_folder()?.join(FOLDER))).ok_or_else(|| {
            unfit("no folder for what is fetched: HOME is not set; --fetch=FOLDER names one".to_owned())
        })?;
        let problem = |error: io::Error| {
            unfit(format!("{}: {error}; --fetch=FOLDER names another folder", folder.display()))
        };
        DirBuilder::new().recursive(true).mode(PRIVATE).create(&folder).map_err(problem)?;
        let folder = folder.canonicalize().map_err(problem)?;
        if is_private(&folder) {
            return Ok(folder);
        }
        Err(unfit(format!(
            "{0}: others may write to this folder, and what is fetched is executed: `chmod 700 {0}`, or another one with \
             --fetch=FOLDER",
            folder.display()
        )))
    }
}

/// A hint if the file has other content.
const FORGED: &str =
    ": another program writes to this queue, or the executable changed; nothing of it was kept or executed";

fn refused(name: &str, content: &ProgramContent, problem: &str) -> QueueError {
    QueueError::Unfit(
        printable::line(&format!("{name}: the executable with {content} {problem}")).into_owned(),
    )
}

/// Whether only the user can change the content of a path.
fn is_private(path: &Path) -> bool {
    fs::metadata(path)
        .is_ok_and(|found| found.uid() == geteuid().as_raw() && found.mode() & OTHERS_WRITE == 0)
}

/// The bytes of a piece, which keep messages small.
const PIECE: u64 = 1 << 20;

/// How many pieces an executable has.
fn pieces(content: &ProgramContent) -> u64 {
    content.bytes.div_ceil(PIECE)
}

/// How many bytes a piece has, by its place from 0.
fn piece_length(content: &ProgramContent, place: u64) -> usize {
    content.bytes.saturating_sub(place * PIECE).min(PIECE) as usize
}

/// Keeps the executables on the queue, or puts them there again. Returns a message for the user if they are not available any
/// more.
pub(super) fn keep(
    broker: &mut Broker,
    (address, me): (&QueueAddress, &str),
    job: &Job,
    stop: &Stop,
) -> Result<Option<String>, QueueError> {
    let expected: u64 = distinct(job).values().map(|(content, _)| pieces(content)).sum();
    if broker.offered()? >= expected {
        return broker.keep_offer().map(|()| None);
    }
    match put(broker, (address, me), job, stop) {
        Err(QueueError::System(problem)) => Ok(Some(problem)),
        offered => offered.map(|()| None),
    }
}

/// Puts all executables of a job into the queue, each once. Its coordinator, whose name this is, keeps the lock meanwhile.
pub(super) fn put(
    broker: &mut Broker,
    (address, me): (&QueueAddress, &str),
    job: &Job,
    stop: &Stop,
) -> Result<(), QueueError> {
    for (content, contestant) in distinct(job).into_values() {
        let engine = &contestant.engine;
        let failed = |problem: String| {
            let (name, command) = (&engine.name, engine.command.display());
            QueueError::System(format!("{name}: {command} cannot be offered to workers: {problem}"))
        };
        let path = engine.program().ok_or_else(|| failed("there is no such file".to_owned()))?;
        let mut hash = ContentHash::default();
        let mut file = File::open(&path).map_err(|error| failed(error.to_string()))?;
        for place in 0..pieces(content) {
            if let Some(holder) = broker.lock(me, LOCKED)? {
                return Err(QueueError::taken(address, &holder));
            }
            if stop.is_set() {
                return Ok(());
            }
            let mut piece = Vec::with_capacity(piece_length(content, place));
            let read = (&mut file).take(piece_length(content, place) as u64).read_to_end(&mut piece);
            read.map_err(|error| failed(error.to_string()))?;
            hash.update(&piece);
            broker.offer(&content.sha256, place, &piece)?;
        }
        if hash.content() != *content {
            return Err(failed("it has been changed since the match began".to_owned()));
        }
    }
    broker.keep_offer()
}

/// Each executable once, with an engine that it is of.
fn distinct(job: &Job) -> BTreeMap<&str, (&ProgramContent, &Contestant)> {
    let both = job.contents().zip(&job.plan.contestants);
    both.map(|(content, contestant)| (content.sha256.as_str(), (content, contestant))).collect()
}

/// Bytes in the unit that people read: 1.5 MiB.
fn mebibytes(bytes: u64) -> String {
    format!("{:.1} MiB", bytes as f64 / f64::from(1 << 20))
}
