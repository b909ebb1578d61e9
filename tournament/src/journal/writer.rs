//! Writing a journal.

use super::{JournalEntry, JournalError, JournalHeader, JournalReader, line};
use kroo::files::{folder_of, is_special};
use rustix::fs::{FlockOperation, flock};
use rustix::io::Errno;
use std::fs::File;
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

/// How often a lock is tried, and the pause between: a process that has just been killed may hold it a moment longer.
const LOCKING: (u32, Duration) = (20, Duration::from_millis(5));

/// A journal that is being written, locked.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    file: File,
    /// Where the lines end that are safe.
    length: u64,
}

impl Journal {
    /// Begins a journal.
    ///
    /// # Errors
    /// If there is one already, or it cannot be written.
    pub fn create(path: &Path, header: &JournalHeader) -> Result<Journal, JournalError> {
        let journal = Journal::locked(path)?;
        if journal.length > 0 {
            return Err(JournalError::Exists { path: path.to_path_buf() });
        }
        journal.begun(header)
    }

    /// Opens a journal to go on with it, or begins it if there is none. The reader gives the games that it holds; when
    /// all are read, [`Journal::go_on`] is next.
    ///
    /// # Errors
    /// If it is of another tournament, cannot be read or written, or another referee writes to it.
    pub fn resume(
        path: &Path,
        header: &JournalHeader,
    ) -> Result<(Journal, Option<JournalReader>), JournalError> {
        let journal = Journal::locked(path)?;
        let file = File::open(path).map_err(|error| journal.failed(error))?;
        match JournalReader::new(path, file)? {
            None => Ok((journal.begun(header)?, None)),
            Some(reader) => match reader.header().difference(header, true) {
                None => Ok((journal, Some(reader))),
                Some(difference) => {
                    Err(JournalError::Another { path: path.to_path_buf(), difference: Box::new(difference) })
                }
            },
        }
    }

    /// Cuts off what is torn, after the whole journal has been read.
    ///
    /// # Errors
    /// What the system says.
    pub fn go_on(&mut self, reader: &JournalReader) -> Result<(), JournalError> {
        self.length = reader.offset();
        self.cut().map_err(|error| self.failed(error))
    }

    /// Adds games; when this returns they are on the disk.
    ///
    /// # Errors
    /// What the system says. What was written of them is taken back.
    pub fn append(&mut self, records: &[JournalEntry]) -> Result<(), JournalError> {
        let lines: Vec<u8> = records.iter().flat_map(line::write).collect();
        let written = self.file.write_all(&lines).and_then(|()| self.file.sync_data());
        match written {
            Ok(()) => {
                self.length += lines.len() as u64;
                Ok(())
            }
            Err(error) => {
                // If that fails, too, the torn lines are dropped by whoever reads them.
                let _ = self.cut();
                Err(self.failed(error))
            }
        }
    }

    fn locked(path: &Path) -> Result<Journal, JournalError> {
        let failed = |error| JournalError::File { path: path.to_path_buf(), error };
        if is_special(path) {
            return Err(failed(io::Error::other("a journal is an ordinary file, and this is none")));
        }
        let mut options = File::options();
        let file = options.read(true).write(true).create(true).truncate(false).open(path).map_err(failed)?;
        let (attempts, pause) = LOCKING;
        let mut lock = flock(&file, FlockOperation::NonBlockingLockExclusive);
        for _ in 1..attempts {
            if lock != Err(Errno::WOULDBLOCK) {
                break;
            }
            thread::sleep(pause);
            lock = flock(&file, FlockOperation::NonBlockingLockExclusive);
        }
        match lock {
            Err(Errno::WOULDBLOCK) => return Err(JournalError::Locked { path: path.to_path_buf() }),
            lock => lock.map_err(|error| failed(error.into()))?,
        }
        let length = file.metadata().map_err(failed)?.len();
        Ok(Journal { path: path.to_path_buf(), file, length })
    }

    /// Writes the first line into a file that has none.
    fn begun(mut self, header: &JournalHeader) -> Result<Journal, JournalError> {
        self.length = 0;
        let line = line::write(header);
        let written = self.cut().and_then(|()| {
            self.file.write_all(&line)?;
            self.file.sync_all()?;
            // The file's name is in its folder, which is to be safe, too.
            File::open(folder_of(&self.path))?.sync_all()
        });
        written.map_err(|error| self.failed(error))?;
        self.length = line.len() as u64;
        Ok(self)
    }

    fn cut(&mut self) -> io::Result<()> {
        self.file.set_len(self.length)?;
        self.file.seek(SeekFrom::Start(self.length)).map(|_| ())
    }

    fn failed(&self, error: io::Error) -> JournalError {
        JournalError::File { path: self.path.clone(), error }
    }
}
