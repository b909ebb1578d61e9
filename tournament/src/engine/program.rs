//! A program's identity, and its start with that identity: its file is opened once, hashed, and executed through the same
//! descriptor, so that no other program can be put there in between.
//!
//! In a [sandbox](super::sandbox) the program is a sealed copy of what was hashed. Without one, a program in the format of the
//! system is executed through its descriptor, and one that is written to meanwhile is killed before anything is said to it.
//! Scripts and other programs that an interpreter reads are executed by their path: their interpreter opens it again. Where
//! there is no `/proc`, so is every program.

use rustix::fs::{MemfdFlags, SealFlags, Stat, fcntl_add_seals, fstat, memfd_create, stat};
use rustix::io::{FdFlags, fcntl_setfd};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::fmt;
use std::fs::File;
use std::io::{self, Read, Seek, Write};
use std::os::fd::AsRawFd;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// How programs in the format of the system begin. The system starts no interpreter for them.
const NATIVE: &[u8] = b"\x7fELF";
/// The clock of file systems is coarse: a file that was written just before it is hashed could be written again without a trace.
const SETTLED: Duration = Duration::from_millis(20);

/// The identity of a file, whatever its name: the SHA-256 of its content, and its length. Unlike with a checksum, no
/// other file that has it can be made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProgramContent {
    /// Sixty-four hexadecimal digits, in small letters.
    pub sha256: String,
    /// Its length, in bytes.
    pub bytes: u64,
}

impl ProgramContent {
    /// The largest executable, in bytes.
    pub const MOST: u64 = 1 << 30;
    /// Hexadecimal digits of a hash.
    const DIGITS: usize = 64;

    /// Whether a file can have it.
    ///
    /// # Errors
    /// The fault and the allowed values.
    pub fn check(&self) -> Result<(), String> {
        let digits = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
        if self.sha256.len() != ProgramContent::DIGITS || !self.sha256.bytes().all(digits) {
            return Err(format!(
                "sha256: expected {} hexadecimal digits in small letters",
                ProgramContent::DIGITS
            ));
        }
        if self.bytes > ProgramContent::MOST {
            return Err(format!("bytes: {}, expected at most {}", self.bytes, ProgramContent::MOST));
        }
        Ok(())
    }
}

impl fmt::Display for ProgramContent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "sha256 {}", self.sha256)
    }
}

/// Finds out the content of bytes as they come.
#[derive(Default)]
pub struct ContentHash {
    hash: Sha256,
    bytes: u64,
}

impl ContentHash {
    /// The next bytes.
    pub fn update(&mut self, bytes: &[u8]) {
        self.hash.update(bytes);
        self.bytes += bytes.len() as u64;
    }

    /// The content of all bytes.
    #[must_use]
    pub fn content(self) -> ProgramContent {
        let sha256 = self.hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
        ProgramContent { sha256, bytes: self.bytes }
    }
}

/// The identity of a file.
///
/// # Errors
/// If it cannot be read, or is larger than any executable.
pub fn content_of(path: &Path) -> io::Result<ProgramContent> {
    copied(&mut File::open(path)?, &mut io::sink())
}

/// The identity of a file, read from its beginning. Its bytes are also written to `copy`.
fn copied(file: &mut File, copy: &mut impl Write) -> io::Result<ProgramContent> {
    file.rewind()?;
    let (mut file, mut hash) = (file.take(ProgramContent::MOST + 1), ContentHash::default());
    let mut buffer = vec![0; 1 << 16];
    loop {
        match file.read(&mut buffer)? {
            0 => break,
            read => {
                hash.update(&buffer[..read]);
                copy.write_all(&buffer[..read])?;
            }
        }
    }
    if hash.bytes > ProgramContent::MOST {
        return Err(io::Error::other(format!("it has more than {} bytes", ProgramContent::MOST)));
    }
    Ok(hash.content())
}

/// A program is not what it was when it was hashed first.
#[derive(Debug, thiserror::Error)]
#[error(
    "{0} has been replaced or changed since it was hashed; put the program back, or begin another match with the new one"
)]
pub(super) struct Replaced(pub String);

/// A program that has been opened and hashed.
#[derive(Debug)]
pub(super) struct OpenProgram {
    path: PathBuf,
    file: File,
    /// The hashed identity.
    content: ProgramContent,
    /// The state of the file before.
    state: Stat,
    is_native: bool,
    /// A sealed copy of what was hashed, for a sandbox. Programs that are started inherit it.
    copy: Option<File>,
}

impl OpenProgram {
    /// Opens and hashes the program at a path.
    ///
    /// # Errors
    /// The system's error.
    pub fn open(path: &Path, with_copy: bool) -> io::Result<OpenProgram> {
        let mut file = File::open(path)?;
        // The time of the last change of anything, which no program can set.
        let found = file.metadata()?;
        let since_1970 =
            Duration::new(found.ctime().try_into().unwrap_or(0), found.ctime_nsec().try_into().unwrap_or(0));
        if SystemTime::now().duration_since(UNIX_EPOCH + since_1970).is_ok_and(|age| age < SETTLED) {
            thread::sleep(SETTLED);
        }
        let state = fstat(&file)?;
        let (content, copy) = if with_copy {
            let mut copy =
                File::from(memfd_create("program", MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING)?);
            let content = copied(&mut file, &mut copy)?;
            fcntl_add_seals(&copy, SealFlags::WRITE | SealFlags::GROW | SealFlags::SHRINK | SealFlags::SEAL)?;
            copy.rewind()?;
            fcntl_setfd(&copy, FdFlags::empty())?;
            (content, Some(copy))
        } else {
            (copied(&mut file, &mut io::sink())?, None)
        };
        let mut begin = [0; NATIVE.len()];
        file.rewind()?;
        let is_native = file.read_exact(&mut begin).is_ok() && begin == NATIVE;
        Ok(OpenProgram { path: path.to_owned(), file, content, state, is_native, copy })
    }

    /// The hashed identity.
    pub fn content(&self) -> &ProgramContent {
        &self.content
    }

    /// The copy, for a sandbox.
    pub fn copy(&self) -> Option<&File> {
        self.copy.as_ref()
    }

    /// The path through which the system executes what was hashed; `None` if the program has to be executed by its own.
    pub fn executable(&self) -> Option<PathBuf> {
        let through = PathBuf::from(format!("/proc/self/fd/{}", self.file.as_raw_fd()));
        (self.is_native && through.exists()).then_some(through)
    }

    /// Whether the file, which has been executed, by its path or through its descriptor, still has the content that was hashed.
    /// The system lets no process write to a native program that runs.
    pub fn is_unchanged(&mut self, by_path: bool) -> bool {
        let there = (!by_path && self.executable().is_some())
            || stat(&self.path)
                .is_ok_and(|found| (found.st_dev, found.st_ino) == (self.state.st_dev, self.state.st_ino));
        let untouched = fstat(&self.file).is_ok_and(|now| {
            let times = |state: &Stat| {
                (state.st_size, state.st_mtime, state.st_mtime_nsec, state.st_ctime, state.st_ctime_nsec)
            };
            times(&now) == times(&self.state)
        });
        // A new name or new rights of the file count as a change of its state.
        there && (untouched || copied(&mut self.file, &mut io::sink()).is_ok_and(|now| now == self.content))
    }
}
