//! Records in fixed places of a file.

use super::RECORD_HEAD;
use super::error::RecordError;
use super::origin::Origin;
use super::own_file::OwnFile;
use crate::files::step;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;

/// The first place of a record, in bytes from the beginning of the file: a page.
const START: u64 = 4096;

/// A file with records of any size in fixed places. Numbers and places are the caller's.
#[derive(Debug)]
pub struct PlacedFile {
    own: OwnFile,
}

impl PlacedFile {
    /// The first place of a record.
    pub const START: u64 = START;

    /// Opens the file of an origin, or creates it, and locks it.
    ///
    /// # Errors
    /// If another program writes to it, if it has another origin or is damaged, or cannot be read and written.
    ///
    /// # Panics
    /// If the header does not fit before the first place.
    pub fn open(path: &Path, origin: &Origin) -> Result<PlacedFile, RecordError> {
        let own = OwnFile::open(path, origin)?;
        assert!(own.header <= START, "the header is short");
        Ok(PlacedFile { own })
    }

    /// Opens the file of an origin for reading. Another program may be writing to it.
    pub fn read_only(path: &Path, origin: &Origin) -> Result<PlacedFile, RecordError> {
        Ok(PlacedFile { own: OwnFile::read_only(path, origin)? })
    }

    /// Whether this call has created the file.
    pub fn is_new(&self) -> bool {
        self.own.is_new
    }

    /// The check of a record.
    pub fn check(&self, number: u64, content: &[u8]) -> u32 {
        self.own.seal.of_content(number, content)
    }

    /// Reads the content of a record. Returns whether it is whole; if not, the content may be anything.
    ///
    /// # Errors
    /// If the file cannot be read. That it ends before the record is no error.
    pub fn read(&mut self, place: u64, number: u64, content: &mut [u8]) -> Result<bool, RecordError> {
        let mut head = [0; RECORD_HEAD];
        let mut file = self.own.grown.file();
        let mut read = || {
            file.seek(SeekFrom::Start(START + place))?;
            file.read_exact(&mut head)?;
            file.read_exact(content)
        };
        match read() {
            Ok(()) => Ok(head == self.own.seal.head(number, content)),
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(false),
            Err(error) => Err(self.own.grown.unread(error)),
        }
    }

    /// Writes a record over the one in its place.
    pub fn write(&mut self, place: u64, number: u64, content: &[u8]) -> Result<(), RecordError> {
        let head = self.own.seal.head(number, content);
        let mut file = self.own.grown.file();
        let mut write = || {
            file.seek(SeekFrom::Start(START + place))?;
            step();
            file.write_all(&head)?;
            file.write_all(content)
        };
        write().map_err(|source| self.own.grown.unwritten(source))
    }

    /// Waits until all that was written is on the disk.
    pub fn sync(&self) -> Result<(), RecordError> {
        step();
        self.own.grown.file().sync_data().map_err(|source| self.own.grown.unwritten(source))
    }

    /// Removes the file.
    pub fn remove(self) {
        self.own.grown.remove();
    }
}
