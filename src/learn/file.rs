//! The lesson file: incremental reading, and appending under a lock.

use super::error::LearnError;
use super::line::LearnedGame;
use crate::files::{self, BYTE_ORDER_MARK, FileIdentity};
use crate::printable::{MAX_WORD, clipped};
use crate::time::Instant;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

/// The first line: the format and its version.
pub const HEADER: &str = "kroo learn 1";
/// Maximum wait for the lock when no move is pending: on opening the file, and at exit.
pub(super) const LOCK_TIMEOUT: Duration = Duration::from_secs(2);
/// Maximum wait for the lock after a game. Other engines hold it for the milliseconds of a write.
const LOCK_TIMEOUT_AFTER_GAME: Duration = Duration::from_millis(500);
/// Time between attempts to lock.
const LOCK_RETRY: Duration = Duration::from_millis(1);
/// Bytes to read for the first line: more than `HEADER` has, so that a longer line is detected.
const HEADER_BYTES: u64 = 64;
/// Maximum size of a file in bytes: some two million lessons.
const LARGEST: u64 = 256 << 20;

/// An open lesson file.
#[derive(Debug)]
pub struct LearnFile {
    path: PathBuf,
    /// How far it has been read.
    read: ReadPosition,
    /// Lessons that are still unwritten.
    pending: Vec<LearnedGame>,
    /// The file that has been read. While it is open, its number is not reused, even if it has been replaced.
    held: Option<File>,
}

/// How much of which file has been read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct ReadPosition {
    /// The file.
    file: FileIdentity,
    /// Bytes read.
    bytes: u64,
    /// Lines read.
    lines: usize,
}

/// New lessons.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LearnUpdate {
    /// The lessons, in the order of the file.
    pub games: Vec<LearnedGame>,
    /// Whether they replace earlier ones, because another file now has the name.
    pub replaced: bool,
    /// A last line truncated by a crash, which is ignored.
    pub torn: Option<String>,
}

impl LearnFile {
    fn new(path: &Path) -> LearnFile {
        LearnFile { path: path.to_owned(), read: ReadPosition::default(), pending: Vec::new(), held: None }
    }

    /// Opens or creates a file, and reads it.
    ///
    /// # Errors
    /// If it cannot be read and written, or is no lesson file.
    pub fn open(path: &Path) -> Result<(LearnFile, LearnUpdate), LearnError> {
        let mut file = LearnFile::new(path);
        let update = file.exclusively(LOCK_TIMEOUT, |file, handle| file.catch_up(handle))?;
        Ok((file, update))
    }

    /// Reads a whole file without changing it.
    ///
    /// # Errors
    /// If it cannot be read, or is no lesson file.
    pub(super) fn read(path: &Path) -> Result<LearnUpdate, LearnError> {
        let handle = open_regular(path, OpenOptions::new().read(true))?;
        LearnFile::new(path).read_lines(&handle)
    }

    /// Reads a whole [locked](lock) file without changing it.
    ///
    /// # Errors
    /// If it cannot be read, or is no lesson file.
    pub(super) fn read_locked(path: &Path, handle: &File) -> Result<LearnUpdate, LearnError> {
        LearnFile::new(path).read_lines(handle)
    }

    /// Reads the lines that any engine has added since the last call. Reading needs no lock and never waits.
    ///
    /// # Errors
    /// If it cannot be read, or a line is no lesson; nothing new counts as read.
    pub fn read_new(&mut self) -> Result<LearnUpdate, LearnError> {
        let metadata = match fs::metadata(&self.path) {
            // The file was deleted; the next lesson creates it again.
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(LearnUpdate::default()),
            metadata => metadata.map_err(|source| self.failed("read", source))?,
        };
        let is_known = |file| file == self.read.file;
        if self.read.bytes == metadata.len() && files::identity_at(&self.path).is_ok_and(is_known) {
            return Ok(LearnUpdate::default());
        }
        let handle = open_regular(&self.path, OpenOptions::new().read(true))?;
        let mut update = match self.read_lines(&handle) {
            // On systems where a lock also excludes readers, the next call reads the new lines.
            Err(LearnError::Io { source, .. }) if files::is_locked(&source) => {
                return Ok(LearnUpdate::default());
            }
            update => update?,
        };
        if update.replaced {
            update.games.extend(self.pending.iter().cloned());
        }
        // Another engine may be writing the last line, so a truncated one is not reported.
        Ok(LearnUpdate { torn: None, ..update })
    }

    /// Adds a lesson; returns the lessons that others have added before, and, if the file was replaced, this one too.
    ///
    /// # Errors
    /// If it cannot be written, or the file is no longer a lesson file. The lesson is kept and written with the next one.
    pub fn add(&mut self, game: LearnedGame) -> Result<LearnUpdate, LearnError> {
        self.pending.push(game);
        self.write(LOCK_TIMEOUT_AFTER_GAME)
    }

    /// Whether lessons are still unwritten.
    #[must_use]
    pub fn has_pending(&self) -> bool {
        !self.pending.is_empty()
    }

    /// Writes the unwritten lessons, if the lock is free. Returns the lessons that others have added before.
    ///
    /// # Errors
    /// If they still cannot be written; they are kept.
    pub fn write_pending(&mut self) -> Result<LearnUpdate, LearnError> {
        if self.pending.is_empty() { Ok(LearnUpdate::default()) } else { self.write(Duration::ZERO) }
    }

    /// Writes all unwritten lessons, or none.
    fn write(&mut self, patience: Duration) -> Result<LearnUpdate, LearnError> {
        self.exclusively(patience, |file, handle| {
            let mut update = file.catch_up(handle)?;
            if update.replaced {
                update.games.extend(file.pending.iter().cloned());
            }
            let text: String = file.pending.iter().map(|game| format!("{game}\n")).collect();
            file.append(handle, &text)?;
            file.read.lines += file.pending.len();
            file.pending.clear();
            Ok(update)
        })
    }

    /// Appends text after the last whole line, and syncs it to the disk.
    fn append(&mut self, mut handle: &File, text: &str) -> Result<(), LearnError> {
        files::step();
        let written = handle.seek(SeekFrom::End(0)).and_then(|_| handle.write_all(text.as_bytes()));
        files::step();
        let written = written.and_then(|()| handle.sync_data());
        if let Err(source) = written {
            // Removes a partial line; if that fails, the next writer does it.
            let _ = handle.set_len(self.read.bytes);
            return Err(self.failed("written", source));
        }
        self.read.bytes += text.len() as u64;
        Ok(())
    }

    /// Reads the new lines, and repairs the first and the last line.
    fn catch_up(&mut self, handle: &File) -> Result<LearnUpdate, LearnError> {
        let mut update = self.read_lines(handle)?;
        // A line with its full stop lacks only the line feed.
        if update.torn.as_ref().is_some_and(|torn| torn.ends_with('.')) {
            let mut handle = handle;
            let written = handle.seek(SeekFrom::End(0)).and_then(|_| handle.write_all(b"\n"));
            written.map_err(|source| self.failed("written", source))?;
            let rest = self.read_lines(handle)?;
            update.games.extend(rest.games);
            update.torn = rest.torn;
        }
        self.repair(handle)?;
        Ok(update)
    }

    /// Removes a truncated last line, and writes a missing first line.
    fn repair(&mut self, handle: &File) -> Result<(), LearnError> {
        let length = handle.metadata().map_err(|source| self.failed("read", source))?.len();
        if length > self.read.bytes {
            handle.set_len(self.read.bytes).map_err(|source| self.failed("written", source))?;
        }
        if self.read.bytes == 0 {
            self.append(handle, &format!("{HEADER}\n"))?;
            self.read.lines = 1;
        }
        Ok(())
    }

    /// Runs an action under the lock.
    fn exclusively<T>(
        &mut self,
        patience: Duration,
        action: impl FnOnce(&mut LearnFile, &File) -> Result<T, LearnError>,
    ) -> Result<T, LearnError> {
        let handle = lock(&self.path, true, patience)?;
        action(self, &handle)
    }

    /// Reads the whole lines that are new.
    fn read_lines(&mut self, handle: &File) -> Result<LearnUpdate, LearnError> {
        let metadata = handle.metadata().map_err(|source| self.failed("read", source))?;
        if metadata.len() > LARGEST {
            return Err(self.failed("read", files::too_large(LARGEST)));
        }
        let file = files::identity(handle).map_err(|source| self.failed("read", source))?;
        let known = self.read.file == file && self.read.bytes <= metadata.len();
        let mut place =
            if known { self.read.clone() } else { ReadPosition { file, ..ReadPosition::default() } };
        let mut update = LearnUpdate {
            replaced: !known && self.read != ReadPosition::default(),
            ..LearnUpdate::default()
        };
        // The header is checked every time, because the file may have been overwritten.
        let mut first = vec![0; metadata.len().min(HEADER_BYTES) as usize];
        read_at(handle, &mut first, 0).map_err(|source| self.failed("read", source))?;
        check_header(&self.path, &first)?;
        let mut bytes = vec![0; (metadata.len() - place.bytes) as usize];
        read_at(handle, &mut bytes, place.bytes).map_err(|source| self.failed("read", source))?;
        let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        for line in bytes[..whole].split_inclusive(|&byte| byte == b'\n') {
            place.lines += 1;
            place.bytes += line.len() as u64;
            if place.lines > 1 {
                update.games.extend(self.line(place.lines, &line[..line.len() - 1])?);
            }
        }
        if whole < bytes.len() {
            update.torn = Some(String::from_utf8_lossy(&bytes[whole..]).into_owned());
        }
        if cfg!(unix) && (!known || self.held.is_none()) {
            self.held = hold(&self.path, file);
            if self.held.is_none() {
                // The file was replaced meanwhile, and its number may be reused.
                place.file = FileIdentity::default();
            }
        }
        self.read = place;
        Ok(update)
    }

    /// The lesson of a line; `None` for a comment or an empty line.
    fn line(&self, line: usize, bytes: &[u8]) -> Result<Option<LearnedGame>, LearnError> {
        let wrong = |at: usize, expected, found| LearnError::Line {
            path: self.path.clone(),
            line,
            column: at + 1,
            expected,
            found,
        };
        let bytes = bytes.strip_suffix(b"\r").unwrap_or(bytes);
        let text = std::str::from_utf8(bytes)
            .map_err(|error| wrong(error.valid_up_to(), "text", "bytes that are not UTF-8".to_owned()))?;
        if text.is_empty() || text.starts_with('#') {
            return Ok(None);
        }
        LearnedGame::parse(text).map(Some).map_err(|error| wrong(error.at, error.expected, error.found))
    }

    fn failed(&self, doing: &'static str, source: io::Error) -> LearnError {
        LearnError::Io { path: self.path.clone(), doing, source }
    }
}

impl Drop for LearnFile {
    fn drop(&mut self) {
        if !self.pending.is_empty() {
            // The last chance to write; errors can no longer be reported.
            let _ = self.write(LOCK_TIMEOUT);
        }
    }
}

/// Fills a buffer from a position of the file on.
fn read_at(mut handle: &File, bytes: &mut [u8], place: u64) -> io::Result<()> {
    handle.seek(SeekFrom::Start(place))?;
    handle.read_exact(bytes)
}

/// Reopens a file, without the lock of the other handle; `None` if another file now has the name.
fn hold(path: &Path, file: FileIdentity) -> Option<File> {
    let held = open_regular(path, OpenOptions::new().read(true)).ok()?;
    files::identity(&held).is_ok_and(|found| found == file).then_some(held)
}

/// Checks the first line. A truncated one passes, because the next writer completes it.
fn check_header(path: &Path, first: &[u8]) -> Result<(), LearnError> {
    let (line, whole) = match first.iter().position(|&byte| byte == b'\n') {
        Some(end) => (&first[..end], true),
        None => (first, false),
    };
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    let mark = BYTE_ORDER_MARK.to_string();
    let line = line.strip_prefix(mark.as_bytes()).unwrap_or(line);
    let fine = if whole { line == HEADER.as_bytes() } else { HEADER.as_bytes().starts_with(line) };
    if fine {
        return Ok(());
    }
    Err(LearnError::Foreign {
        path: path.to_owned(),
        found: clipped(&String::from_utf8_lossy(line), MAX_WORD),
    })
}

/// Opens an ordinary file. Opening a pipe, for example, would wait for its other end.
fn open_regular(path: &Path, options: &mut OpenOptions) -> Result<File, LearnError> {
    if fs::metadata(path).is_ok_and(|metadata| !metadata.is_file()) {
        return Err(LearnError::NotAFile { path: path.to_owned() });
    }
    let doing = "opened";
    files::open_with(options, path).map_err(|source| LearnError::Io { path: path.to_owned(), doing, source })
}

/// Opens a file for appending and locks it against other engines, waiting at most `patience`. The lock ends with the handle.
pub(super) fn lock(path: &Path, create: bool, patience: Duration) -> Result<File, LearnError> {
    let began = Instant::now();
    let failed = |source| LearnError::Io { path: path.to_owned(), doing: "locked", source };
    loop {
        let mut options = OpenOptions::new();
        let handle = open_regular(path, files::append_to(options.read(true).create(create)))?;
        match handle.try_lock() {
            // If the file was compacted during the wait, another file now has the name: lock that one.
            Ok(()) => {
                let mine = files::identity(&handle).map_err(failed)?;
                if files::identity_at(path).is_ok_and(|file| file == mine) {
                    return Ok(handle);
                }
            }
            Err(TryLockError::WouldBlock) => {}
            Err(TryLockError::Error(source)) => return Err(failed(source)),
        }
        if began.elapsed() >= patience {
            return Err(LearnError::Locked { path: path.to_owned(), waited: patience });
        }
        thread::sleep(LOCK_RETRY);
    }
}
