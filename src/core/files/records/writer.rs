//! Appending records to a file.

use super::error::RecordError;
use super::origin::Origin;
use super::own_file::OwnFile;
use super::reader::RecordReader;
use std::io::{self, Seek, SeekFrom};
use std::path::Path;

/// A locked file with consecutive records.
#[derive(Debug)]
pub struct RecordFile {
    own: OwnFile,
    records: u64,
}

impl RecordFile {
    /// Opens the file of an origin, or creates it. `each` gets the content of each whole record, and returns whether it has the
    /// format. An incomplete record at the end is removed.
    pub fn open(
        path: &Path,
        origin: &Origin,
        mut each: impl FnMut(&[u8]) -> bool,
    ) -> Result<RecordFile, RecordError> {
        let mut own = OwnFile::open(path, origin)?;
        let reader = RecordReader::after(path, own.grown.file(), own.seal, own.header);
        let mut reader = reader.map_err(|source| own.grown.unread(source))?;
        loop {
            match reader.next_record() {
                Ok(Some(record)) if each(&record) => {}
                Ok(Some(record)) => return Err(reader.refuse(&record)),
                Ok(None) | Err(RecordError::Torn { .. }) => break,
                Err(error) => return Err(error),
            }
        }
        let (end, records) = (reader.at(), reader.records());
        drop(reader);
        own.grown.cut(end)?;
        Ok(RecordFile { own, records })
    }

    /// The number of records in it.
    pub fn records(&self) -> u64 {
        self.records
    }

    /// Adds a record. When this returns it is on the disk.
    ///
    /// # Errors
    /// If it cannot be written. Then no part of it stays in the file.
    ///
    /// # Panics
    /// If the content has 4 GiB or more.
    pub fn append(&mut self, content: &[u8]) -> Result<(), RecordError> {
        assert!(u32::try_from(content.len()).is_ok(), "a record is shorter than 4 GiB");
        let head = self.own.seal.head(self.records, content);
        self.own.grown.append(&[&head, content].concat())?;
        self.records += 1;
        Ok(())
    }

    /// Reads all records again, in order. An error of `each` ends it.
    ///
    /// # Errors
    /// If the file cannot be read or has changed, or that of `each`.
    pub fn read_all(&mut self, each: impl FnMut(&[u8]) -> io::Result<()>) -> io::Result<()> {
        let read = self.read_from_the_first(each);
        // More are added at the end again.
        self.own.grown.file().seek(SeekFrom::Start(self.own.grown.end()))?;
        read
    }

    fn read_from_the_first(&self, mut each: impl FnMut(&[u8]) -> io::Result<()>) -> io::Result<()> {
        let OwnFile { grown, seal, header, .. } = &self.own;
        let mut reader = RecordReader::after(grown.path(), grown.file(), *seal, *header)?;
        while let Some(record) = reader.next_record().map_err(io::Error::other)? {
            each(&record)?;
        }
        if reader.records() == self.records { Ok(()) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
    }

    /// Removes the file.
    pub fn remove(self) {
        self.own.grown.remove();
    }
}
