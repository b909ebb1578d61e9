//! Opening the file of an origin: created, or locked and compared.

use super::Seal;
use super::error::RecordError;
use super::origin::{HeaderFault, Origin};
use crate::files::{self, LockError, WriteError, folder_of, identity_at, identity_of, lock, step};
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// How often a file is opened anew that another process removes between opening and locking.
const TRIES: u32 = 5;

/// The file of an origin, locked unless it is only read.
#[derive(Debug)]
pub(super) struct OwnFile {
    pub path: PathBuf,
    pub file: File,
    pub seal: Seal,
    /// Bytes of the header.
    pub header: u64,
    /// Whether it has just been created.
    pub is_new: bool,
}

impl OwnFile {
    /// Opens or creates a file and locks it. One of another origin stays as it is.
    pub fn open(path: &Path, origin: &Origin) -> Result<OwnFile, RecordError> {
        let (file, length) = locked(path)?;
        let header = origin.to_bytes();
        let mut own = OwnFile {
            path: path.to_owned(),
            file,
            seal: Seal { header: crc32fast::hash(&header) },
            header: header.len() as u64,
            is_new: false,
        };
        let is_begun = own.is_begun(&header, length).map_err(|source| own.unread(source))?;
        if is_begun {
            own.begin(&header).map_err(|source| own.unwritten(source))?;
            own.is_new = true;
            return Ok(own);
        }
        own.file.rewind().map_err(|source| own.unread(source))?;
        compare(path, &mut own.file, origin)?;
        Ok(own)
    }

    /// Opens a file for reading, without a lock.
    pub fn read_only(path: &Path, origin: &Origin) -> Result<OwnFile, RecordError> {
        let unread = |source| RecordError::Read { path: path.to_owned(), source };
        let mut file = files::open(path).map_err(unread)?;
        compare(path, &mut file, origin)?;
        let header = origin.to_bytes();
        let (seal, header) = (Seal { header: crc32fast::hash(&header) }, header.len() as u64);
        Ok(OwnFile { path: path.to_owned(), file, seal, header, is_new: false })
    }

    /// Whether the file is empty, or the end of this header has not reached the disk: a file system leaves zeros for it.
    fn is_begun(&mut self, header: &[u8], length: u64) -> io::Result<bool> {
        let mut bytes = Vec::new();
        self.file.rewind()?;
        (&self.file).take(header.len() as u64).read_to_end(&mut bytes)?;
        let written = bytes.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
        Ok(length <= header.len() as u64 && written < header.len() && header.starts_with(&bytes[..written]))
    }

    fn begin(&mut self, header: &[u8]) -> io::Result<()> {
        step();
        self.file.set_len(0)?;
        self.file.rewind()?;
        step();
        self.file.write_all(header)?;
        step();
        self.file.sync_all()?;
        files::sync_folder(folder_of(&self.path))
    }

    pub fn seek(&mut self, to: u64) -> io::Result<()> {
        self.file.seek(SeekFrom::Start(to)).map(|_| ())
    }

    pub fn unread(&self, source: io::Error) -> RecordError {
        RecordError::Read { path: self.path.clone(), source }
    }

    pub fn unwritten(&self, source: io::Error) -> RecordError {
        WriteError { path: self.path.clone(), source }.into()
    }

    /// Removes the file, whose content is not needed any more.
    pub fn remove(self) {
        step();
        // If it stays, the next run finds that it is complete. It is locked until its name is gone.
        let _ = std::fs::remove_file(&self.path);
        drop(self.file);
    }
}

/// Compares the header of a file with an origin.
fn compare(path: &Path, file: &mut File, origin: &Origin) -> Result<(), RecordError> {
    let (format, known) = origin.format();
    let fault = |fault: HeaderFault| fault.of(path, format, known);
    let (found, _) = Origin::read(file, origin.format()).map_err(fault)?;
    found.difference(origin, path).map_or(Ok(()), Err)
}

/// A file and its length, created if it does not exist.
fn locked(path: &Path) -> Result<(File, u64), RecordError> {
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
            let length = file.metadata().map_err(unwritten)?.len();
            return Ok((file, length));
        }
    }
    Err(RecordError::Locked { path: path.to_owned(), holder: None })
}
