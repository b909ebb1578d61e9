//! Locks on files, against other writers.

use std::fs::{File, TryLockError};
use std::io;
use std::thread;
use std::time::Duration;

/// Number of attempts to lock, and the pause between them: a process that was just killed may still hold the lock, and a child that
/// has not begun its program yet holds those of its parent.
const TRIES: (u32, Duration) = (100, Duration::from_millis(10));

/// Why a file cannot be locked.
#[derive(Debug, thiserror::Error)]
pub enum LockError {
    #[error("another program is writing to it{}", by(.holder))]
    Held {
        /// The name and process of the other program, if known.
        holder: Option<String>,
    },
    #[error(transparent)]
    Io(#[from] io::Error),
}

impl From<LockError> for io::Error {
    fn from(error: LockError) -> io::Error {
        match error {
            LockError::Io(error) => error,
            held => io::Error::new(io::ErrorKind::ResourceBusy, held.to_string()),
        }
    }
}

fn by(holder: &Option<String>) -> String {
    holder.as_ref().map(|holder| format!(": {holder}")).unwrap_or_default()
}

/// Locks an open file (`flock`) until it is closed. Waits a second at most for another process.
pub fn lock(file: &File) -> Result<(), LockError> {
    let (tries, pause) = TRIES;
    for _ in 1..tries {
        match file.try_lock() {
            Ok(()) => return Ok(()),
            Err(TryLockError::WouldBlock) => thread::sleep(pause),
            Err(TryLockError::Error(error)) => return Err(error.into()),
        }
    }
    match file.try_lock() {
        Ok(()) => Ok(()),
        Err(TryLockError::WouldBlock) => Err(LockError::Held { holder: holder(file) }),
        Err(TryLockError::Error(error)) => Err(error.into()),
    }
}

/// The process that holds the lock of a file: `referee, process 1234`.
#[cfg(target_os = "linux")]
fn holder(file: &File) -> Option<String> {
    use std::fs;
    use std::io::Read;
    use std::os::unix::fs::MetadataExt;
    let inode = file.metadata().ok()?.ino().to_string();
    // With space for a page, one read returns some sixty locks. Between two reads, lines would be skipped if other locks were
    // released.
    let mut locks = String::with_capacity(1 << 13);
    File::open("/proc/locks").ok()?.read_to_string(&mut locks).ok()?;
    // `1: FLOCK  ADVISORY  WRITE 1234 08:01:5678 0 EOF`
    let process = locks.lines().find_map(|line| {
        let words: Vec<&str> = line.split_whitespace().collect();
        let [_, "FLOCK", _, _, process, place, ..] = words[..] else { return None };
        (place.rsplit(':').next()? == inode).then(|| process.parse::<u32>().ok())?
    })?;
    let name = fs::read_to_string(format!("/proc/{process}/comm")).ok()?;
    Some(format!("{}, process {process}", name.trim_end().escape_debug()))
}

/// Unknown on other systems.
#[cfg(not(target_os = "linux"))]
fn holder(_file: &File) -> Option<String> {
    None
}
