//! A file that grows at its end.

use super::error::RecordError;
use crate::files::{self, LockError, WriteError, folder_of, identity_at, identity_of, lock, step};
use std::fs::File;
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// How often a file is opened anew that another process removes between opening and locking.
const TRIES: u32 = 5;

/// A file to which whole records or lines are added, locked unless it is only read. Its owner knows their format.
#[derive(Debug)]
pub struct GrowingFile {
    path: PathBuf,
    file: File,
    /// Where the whole records end, in bytes.
    end: u64,
}

impl GrowingFile {
    /// Opens or creates a file and locks it. Everything in it counts as whole.
    pub fn open(path: &Path) -> Result<GrowingFile, RecordError> {
        let unwritten = |source| WriteError { path: path.to_owned(), source };
        for _ in 0..TRIES {
            let mut options = File::options();
            step();
            let options = options.read(true).write(true).create(true).truncate(false);
            let file = files::open_with(options, path).map_err(unwritten)?;
            lock(&file).map_err(|error| match error {
                LockError::Held { holder } => RecordError::Locked { path: path.to_owned(), holder },
                LockError::Io(source) => unwritten(source).into(),
            })?;
            // The writer before may have finished and removed it.
            let is_there = match (identity_of(&file), identity_at(path)) {
                (Ok(one), Ok(other)) => one == other,
                (_, Err(error)) => error.kind() != io::ErrorKind::NotFound,
                (Err(_), _) => true,
            };
            if is_there {
                let end = file.metadata().map_err(unwritten)?.len();
                return Ok(GrowingFile { path: path.to_owned(), file, end });
            }
        }
        Err(RecordError::Locked { path: path.to_owned(), holder: None })
    }

    /// Opens a file for reading, without a lock. Another program may be writing to it.
    pub(super) fn read_only(path: &Path) -> Result<GrowingFile, RecordError> {
        let opened = files::open(path).and_then(|file| Ok((file.metadata()?.len(), file)));
        let (end, file) = opened.map_err(|source| RecordError::Read { path: path.to_owned(), source })?;
        Ok(GrowingFile { path: path.to_owned(), file, end })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The open file, to read it.
    pub fn file(&self) -> &File {
        &self.file
    }

    /// Where the whole records end, in bytes.
    pub fn end(&self) -> u64 {
        self.end
    }

    /// Replaces the content by a header. When this returns the file and its name are on the disk.
    pub fn begin(&mut self, header: &[u8]) -> Result<(), RecordError> {
        let mut write = || {
            step();
            self.file.set_len(0)?;
            self.file.rewind()?;
            step();
            self.file.write_all(header)?;
            step();
            self.file.sync_all()?;
            files::sync_folder(folder_of(&self.path))
        };
        write().map_err(|source| self.unwritten(source))?;
        self.end = header.len() as u64;
        Ok(())
    }

    /// Adds whole records. When this returns they are on the disk.
    ///
    /// # Errors
    /// If they cannot be written. Then no part of them stays in the file.
    pub fn append(&mut self, records: &[u8]) -> Result<(), RecordError> {
        let mut write = || {
            step();
            self.file.write_all(records)?;
            step();
            self.file.sync_data()
        };
        match write() {
            Ok(()) => {
                self.end += records.len() as u64;
                Ok(())
            }
            Err(source) => {
                // If that fails too, the next run removes it.
                let _ = self.cut(self.end);
                Err(self.unwritten(source))
            }
        }
    }

    /// Removes what follows the whole records, which end here, and goes to their end.
    pub fn cut(&mut self, end: u64) -> Result<(), RecordError> {
        let mut cut = || {
            if self.file.metadata()?.len() > end {
                step();
                self.file.set_len(end)?;
                self.file.sync_data()?;
            }
            self.file.seek(SeekFrom::Start(end)).map(|_| ())
        };
        cut().map_err(|source| self.unwritten(source))?;
        self.end = end;
        Ok(())
    }

    /// Removes the file.
    pub fn remove(self) {
        step();
        // If it stays, the next run finds that it is complete. It is locked until its name is gone.
        let _ = std::fs::remove_file(&self.path);
        drop(self.file);
    }

    /// The error that it cannot be read.
    pub fn unread(&self, source: io::Error) -> RecordError {
        RecordError::Read { path: self.path.clone(), source }
    }

    /// The error that it cannot be written.
    pub(super) fn unwritten(&self, source: io::Error) -> RecordError {
        WriteError { path: self.path.clone(), source }.into()
    }
}
