//! Fetching executables from the queue: what this machine has not got comes in pieces into a folder of the worker's own.
//!
//! Pieces are written under a temporary name, and hashed meanwhile. Only if the hash is that of the job, the file gets its name,
//! which is the hash, and the right to be executed. Otherwise it is deleted. Files fetched earlier are hashed again.

use super::broker::Broker;
use super::clerk::{PAUSE, WorkerSwitches};
use super::content::has_content;
use super::error::QueueError;
use super::offer::{mebibytes, piece_length, pieces};
use super::options::FetchOptions;
use crate::engine::{ContentHash, ProgramContent, Supervisor};
use kroo::files::{Replacement, user_cache_folder, why};
use kroo::printable;
use rustix::process::geteuid;
use std::fs::{self, DirBuilder, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::thread;
use std::time::{Duration, Instant};

/// The folder among those of the program.
const FOLDER: &str = "engines";
/// Only its owner may look into the folder, and an executable can only be read and executed.
const PRIVATE: u32 = 0o700;
const EXECUTABLE: u32 = 0o500;
/// The right of other users to write.
const OTHERS_WRITE: u32 = 0o022;

/// The means to fetch executables.
pub(super) struct Fetcher<'a> {
    pub options: &'a FetchOptions,
    pub broker: &'a mut Broker,
    /// The number of the job that it fetches for.
    pub job: String,
    /// How many bytes have been fetched.
    pub fetched: u64,
    /// How long it waits for a broker that is not there.
    pub wait: Duration,
    /// Whether it has to leave.
    pub switches: WorkerSwitches<'a>,
    /// Has a temporary file removed if this program is killed.
    pub supervisor: &'a Supervisor,
    /// Told what a user should know.
    pub report: &'a dyn Fn(&str),
}

impl Fetcher<'_> {
    /// The executable of an engine, from the folder or else from the queue. `None` if it was stopped, or the match is over.
    ///
    /// # Errors
    /// If it cannot be had, or is something else.
    pub fn fetch(&mut self, name: &str, content: &ProgramContent) -> Result<Option<PathBuf>, QueueError> {
        let folder = self.folder()?;
        let path = folder.join(&content.sha256);
        if has_content(&path, content) && is_private(&path) {
            return Ok(Some(path));
        }
        let (length, limit) = (content.bytes, self.options.limit);
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
        let mut file = Replacement::begin_known(&path, &know).map_err(|error| cannot(&error))?;
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
            if self.switches.stop.is_set() || self.switches.leave.load(Ordering::SeqCst) {
                return Ok(None);
            }
            match self.broker.piece(&content.sha256, place) {
                Err(error) if error.is_passing() && began.elapsed() < self.wait => thread::sleep(PAUSE),
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

    /// The folder, which is made if it is not there, and in which no other user may write.
    fn folder(&self) -> Result<PathBuf, QueueError> {
        let unfit = |problem: String| QueueError::Unfit(printable::line(&problem).into_owned());
        let folder = self.options.folder.clone().flatten();
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

/// Whether only the user can change what is at a path.
fn is_private(path: &Path) -> bool {
    fs::metadata(path)
        .is_ok_and(|found| found.uid() == geteuid().as_raw() && found.mode() & OTHERS_WRITE == 0)
}
