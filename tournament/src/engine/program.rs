//! A program's identity, and its start with that identity: its file is opened once, before the first engine starts, hashed, and
//! executed through the same descriptor. No other program can take its place.
//!
//! In a [sandbox](super::sandbox) the program is a sealed copy of the hashed bytes, unless the sandbox shows the program's
//! folder; then its file is bound. Without a sandbox, a program in the format of the system is executed through its descriptor,
//! and one that was written to is not started. Scripts and other programs that an interpreter reads are executed by their path:
//! their interpreter opens it again. Without `/proc`, so is every program.

use rustix::fs::{MemfdFlags, SealFlags, fcntl_add_seals, memfd_create};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::fmt;
use std::fs::{self, File, Metadata};
use std::io::{self, Write};
use std::os::fd::AsRawFd;
use std::os::unix::fs::{FileExt, MetadataExt};
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

/// Whether a file has this content; another length shows it at once.
pub fn has_content(path: &Path, content: &ProgramContent) -> bool {
    let same_length = fs::metadata(path).is_ok_and(|file| file.is_file() && file.len() == content.bytes);
    same_length && content_of(path).is_ok_and(|found| found == *content)
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
pub fn content_of(path: &Path) -> io::Result<ProgramContent> {
    copied(&File::open(path)?, &mut io::sink())
}

/// The identity of a file, read from its beginning. Its bytes are also written to `copy`. Other processes may share the
/// descriptor: its position is neither used nor moved.
fn copied(file: &File, copy: &mut impl Write) -> io::Result<ProgramContent> {
    let (mut hash, mut buffer) = (ContentHash::default(), vec![0; 1 << 16]);
    loop {
        match file.read_at(&mut buffer, hash.bytes)? {
            0 => return Ok(hash.content()),
            read => {
                hash.update(&buffer[..read]);
                copy.write_all(&buffer[..read])?;
            }
        }
        if hash.bytes > ProgramContent::MOST {
            return Err(io::Error::other(format!("it has more than {} bytes", ProgramContent::MOST)));
        }
    }
}

/// A program has changed since it was first hashed.
#[derive(Debug, thiserror::Error)]
#[error(
    "{0} has been replaced or changed since it was hashed; put the program back, or begin another match with the new one"
)]
pub(super) struct Replaced(pub String);

/// A program as it was when it was opened and hashed.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct KnownProgram {
    pub path: PathBuf,
    pub content: ProgramContent,
    state: FileState,
    is_native: bool,
}

/// The changing attributes of a file: if these are the same, so is its content.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct FileState {
    file: (u64, u64),
    size: u64,
    modified: (i64, i64),
    changed: (i64, i64),
}

impl FileState {
    fn of(found: &Metadata) -> FileState {
        FileState {
            file: (found.dev(), found.ino()),
            size: found.size(),
            modified: (found.mtime(), found.mtime_nsec()),
            changed: (found.ctime(), found.ctime_nsec()),
        }
    }
}

/// A program that is open.
#[derive(Debug)]
pub(super) struct OpenProgram {
    pub known: KnownProgram,
    /// Its file, or a sealed copy of that.
    pub file: File,
}

impl OpenProgram {
    /// Opens and hashes a program. A sealed copy cannot be changed.
    pub fn open(path: &Path, sealed: bool) -> io::Result<OpenProgram> {
        let mut file = File::open(path)?;
        // The time of the last change of anything, which no program can set.
        let found = file.metadata()?;
        let since_1970 =
            Duration::new(found.ctime().try_into().unwrap_or(0), found.ctime_nsec().try_into().unwrap_or(0));
        if SystemTime::now().duration_since(UNIX_EPOCH + since_1970).is_ok_and(|age| age < SETTLED) {
            thread::sleep(SETTLED);
        }
        let state = FileState::of(&file.metadata()?);
        let content = if sealed {
            let flags = MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING;
            let mut copy = File::from(memfd_create("program", flags)?);
            let content = copied(&file, &mut copy)?;
            fcntl_add_seals(&copy, SealFlags::WRITE | SealFlags::GROW | SealFlags::SHRINK | SealFlags::SEAL)?;
            file = copy;
            content
        } else {
            copied(&file, &mut io::sink())?
        };
        let mut begin = [0; NATIVE.len()];
        let is_native = file.read_exact_at(&mut begin, 0).is_ok() && begin == NATIVE;
        Ok(OpenProgram { known: KnownProgram { path: path.to_owned(), content, state, is_native }, file })
    }

    /// The path through which the system executes it by its descriptor, if it does.
    pub fn through_descriptor(&self) -> Option<PathBuf> {
        let through = PathBuf::from(format!("/proc/self/fd/{}", self.file.as_raw_fd()));
        (self.known.is_native && through.exists()).then_some(through)
    }

    /// Whether its path still leads to its file.
    pub fn is_in_place(&self) -> bool {
        fs::metadata(&self.known.path).is_ok_and(|found| FileState::of(&found).file == self.known.state.file)
    }

    /// Whether its file, or the one with its path, still has the content that was hashed. The system lets no process write to a
    /// native program that runs.
    pub fn is_unchanged(&self, by_path: bool) -> bool {
        let KnownProgram { path, content, state, .. } = &self.known;
        let file = if by_path { File::open(path) } else { self.file.try_clone() };
        file.is_ok_and(|file| {
            let untouched = file.metadata().is_ok_and(|now| FileState::of(&now) == *state);
            // A new name or new rights of the file count as a change of its state.
            untouched || copied(&file, &mut io::sink()).is_ok_and(|now| now == *content)
        })
    }
}
