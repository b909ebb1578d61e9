//! The file of lessons: reading, and appending under a lock.

use super::error::LearnError;
use super::lesson::Lesson;
use crate::files;
use crate::printable::{MAX_WORD, clipped};
use crate::time::Instant;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

/// The first line: the format and its version.
const HEADER: &str = "kroo learn 1";
/// Maximum wait for the lock when no move is pending: on opening the file, and at exit.
const LOCK_TIMEOUT: Duration = Duration::from_secs(2);
/// Maximum wait for the lock after a game. Other engines hold it for the milliseconds of a write.
const LOCK_TIMEOUT_AFTER_GAME: Duration = Duration::from_millis(500);
/// Time between attempts to lock.
const LOCK_RETRY: Duration = Duration::from_millis(1);
/// Maximum size of a file in bytes: some two million lessons.
const LARGEST: u64 = 64 << 20;

/// An open file of lessons.
#[derive(Debug)]
pub struct LearnFile {
    path: PathBuf,
    /// The whole lines that have been read.
    read: Vec<u8>,
    /// Lessons that are still unwritten.
    pending: Vec<Lesson>,
}

/// New lessons.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LearnUpdate {
    /// The lessons, in the order of the file.
    pub lessons: Vec<Lesson>,
    /// Whether they replace earlier ones, because the file no longer has those.
    pub replaced: bool,
    /// The beginning of a last line that a crash cut off; it is removed.
    pub torn: Option<String>,
}

/// The content of the file.
struct Content {
    /// Its whole lines.
    lines: Vec<u8>,
    /// The lessons of the new ones.
    update: LearnUpdate,
    /// The rest, which begins a line.
    rest: Vec<u8>,
}

impl LearnFile {
    /// Opens or creates a file, and reads it.
    ///
    /// # Errors
    /// If it cannot be read and written, or is no file of lessons.
    pub fn open(path: &Path) -> Result<(LearnFile, LearnUpdate), LearnError> {
        let mut file = LearnFile { path: path.to_owned(), read: Vec::new(), pending: Vec::new() };
        let update = file.write(LOCK_TIMEOUT)?;
        Ok((file, update))
    }

    /// Reads the lines that any engine has added since the last call. Reading needs no lock and never waits.
    ///
    /// # Errors
    /// If it cannot be read, or a line is no lesson; nothing new counts as read.
    pub fn read_new(&mut self) -> Result<LearnUpdate, LearnError> {
        let opened = files::open(&self.path).map_err(|source| self.failed("opened", source));
        match opened.and_then(|handle| self.read_lines(&handle)) {
            Ok(Content { lines, update, .. }) => {
                self.read = lines;
                Ok(self.with_pending(update))
            }
            // If the file was deleted, the next lesson creates it again. Where a lock also excludes readers, the next call
            // reads the new lines.
            Err(LearnError::Io { source, .. })
                if source.kind() == io::ErrorKind::NotFound || files::is_locked(&source) =>
            {
                Ok(LearnUpdate::default())
            }
            Err(error) => Err(error),
        }
    }

    /// Adds a lesson; returns the lessons that others have added before, and, if the file was replaced, this one too.
    ///
    /// # Errors
    /// If it cannot be written, or the file is no longer a file of lessons. The lesson is kept and written with the next one.
    pub fn add(&mut self, lesson: Lesson) -> Result<LearnUpdate, LearnError> {
        self.pending.push(lesson);
        self.write(LOCK_TIMEOUT_AFTER_GAME)
    }

    /// Whether lessons are still unwritten.
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

    /// Reads new lines and writes all unwritten lessons under the lock. After an error, nothing counts as read or written.
    fn write(&mut self, patience: Duration) -> Result<LearnUpdate, LearnError> {
        let handle = lock(&self.path, patience)?;
        let Content { mut lines, mut update, rest } = self.read_lines(&handle)?;
        if let Ok(lesson) = Lesson::parse(&rest) {
            // The line lacks only its line feed.
            lines.extend(&rest);
            self.append(&handle, &mut lines, "\n")?;
            update.lessons.push(lesson);
        } else if !rest.is_empty() {
            handle.set_len(lines.len() as u64).map_err(|source| self.failed("written", source))?;
            update.torn = Some(clipped(&String::from_utf8_lossy(&rest), MAX_WORD));
        }
        if lines.is_empty() {
            self.append(&handle, &mut lines, &format!("{HEADER}\n"))?;
        }
        if self.has_pending() {
            let text: String = self.pending.iter().map(|lesson| format!("{lesson}\n")).collect();
            self.append(&handle, &mut lines, &text)?;
        }
        self.read = lines;
        let update = self.with_pending(update);
        self.pending.clear();
        Ok(update)
    }

    /// If the lessons replace earlier ones, the unwritten ones are added.
    fn with_pending(&self, mut update: LearnUpdate) -> LearnUpdate {
        if update.replaced {
            update.lessons.extend(self.pending.iter().cloned());
        }
        update
    }

    /// Appends text after the last whole line, and syncs it to the disk.
    fn append(&self, mut handle: &File, lines: &mut Vec<u8>, text: &str) -> Result<(), LearnError> {
        files::step();
        let written = handle.seek(SeekFrom::End(0)).and_then(|_| handle.write_all(text.as_bytes()));
        files::step();
        let written = written.and_then(|()| handle.sync_data());
        if let Err(source) = written {
            // Removes a partial line; if that fails, the next writer does it.
            let _ = handle.set_len(lines.len() as u64);
            return Err(self.failed("written", source));
        }
        lines.extend(text.as_bytes());
        Ok(())
    }

    /// Reads the file.
    fn read_lines(&self, handle: &File) -> Result<Content, LearnError> {
        let failed = |source| self.failed("read", source);
        if handle.metadata().map_err(failed)?.len() > LARGEST {
            return Err(failed(files::too_large(LARGEST)));
        }
        let mut text = Vec::new();
        handle.take(LARGEST).read_to_end(&mut text).map_err(failed)?;
        let whole = text.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        let rest = text.split_off(whole);
        let replaced = !text.starts_with(&self.read);
        let known = if replaced { 0 } else { self.read.len() };
        let before = text[..known].iter().filter(|&&byte| byte == b'\n').count();
        let mut update = LearnUpdate { replaced, ..LearnUpdate::default() };
        for (index, line) in text[known..].split_inclusive(|&byte| byte == b'\n').enumerate() {
            let line = &line[..line.len() - 1];
            match before + index + 1 {
                1 if line == HEADER.as_bytes() => {}
                1 => return Err(self.foreign(line)),
                number => update.lessons.push(self.lesson(number, line)?),
            }
        }
        let number = before + text[known..].iter().filter(|&&byte| byte == b'\n').count();
        self.check_rest(number + 1, &rest)?;
        Ok(Content { lines: text, update, rest })
    }

    /// Checks that the end of the file is the beginning of a line, which a crash can leave.
    fn check_rest(&self, number: usize, rest: &[u8]) -> Result<(), LearnError> {
        if number == 1 {
            return if HEADER.as_bytes().starts_with(rest) { Ok(()) } else { Err(self.foreign(rest)) };
        }
        match Lesson::parse(rest) {
            Err(fault) if fault.at < rest.len() => self.lesson(number, rest).map(drop),
            _ => Ok(()),
        }
    }

    /// The lesson of a line.
    fn lesson(&self, line: usize, text: &[u8]) -> Result<Lesson, LearnError> {
        Lesson::parse(text).map_err(|fault| LearnError::Line {
            path: self.path.clone(),
            line,
            column: fault.at + 1,
            expected: fault.expected,
            found: fault.found,
        })
    }

    fn foreign(&self, first: &[u8]) -> LearnError {
        let found = clipped(&String::from_utf8_lossy(first), MAX_WORD);
        LearnError::Foreign { path: self.path.clone(), found, expected: HEADER }
    }

    fn failed(&self, doing: &'static str, source: io::Error) -> LearnError {
        LearnError::Io { path: self.path.clone(), doing, source }
    }
}

impl Drop for LearnFile {
    fn drop(&mut self) {
        if self.has_pending() {
            // The last chance to write; errors can no longer be reported.
            let _ = self.write(LOCK_TIMEOUT);
        }
    }
}

/// Opens a file for appending and locks it against other engines, waiting at most `patience`. The lock ends with the handle.
fn lock(path: &Path, patience: Duration) -> Result<File, LearnError> {
    let began = Instant::now();
    let failed = |doing, source| LearnError::Io { path: path.to_owned(), doing, source };
    loop {
        // Opened anew each time: the file may be replaced during the wait.
        let mut options = OpenOptions::new();
        let handle = files::open_with(files::append_to(options.read(true).create(true)), path)
            .map_err(|source| failed("opened", source))?;
        match handle.try_lock() {
            Ok(()) => return Ok(handle),
            Err(TryLockError::Error(source)) => return Err(failed("locked", source)),
            Err(TryLockError::WouldBlock) if began.elapsed() >= patience => {
                return Err(LearnError::Locked { path: path.to_owned(), waited: patience });
            }
            Err(TryLockError::WouldBlock) => thread::sleep(LOCK_RETRY),
        }
    }
}
