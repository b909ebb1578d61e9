//! Reading the records of a file from its beginning.

use super::error::RecordError;
use super::origin::{HeaderFault, Origin};
use super::{RECORD_HEAD, Seal};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

/// Zeros at the end of a record that was lost: a file system leaves them for data that did not reach the disk.
const LOST: usize = 8;

/// Reads the records of a file one after the other.
#[derive(Debug)]
pub struct RecordReader<'a> {
    path: PathBuf,
    input: BufReader<&'a File>,
    seal: Seal,
    /// Bytes of the file.
    length: u64,
    /// Where the next record begins.
    at: u64,
    records: u64,
}

impl<'a> RecordReader<'a> {
    /// Reads the header of a file of a format and its version. Returns its origin, too.
    pub fn new(
        path: &Path,
        mut file: &'a File,
        (format, known): (&str, u32),
    ) -> Result<(Origin, RecordReader<'a>), RecordError> {
        let fault = |fault: HeaderFault| fault.of(path, format, known);
        let io = |source| fault(HeaderFault::Io(source));
        file.rewind().map_err(io)?;
        let (origin, header) = Origin::read(&mut file, (format, known)).map_err(fault)?;
        let seal = Seal { header: crc32fast::hash(&origin.to_bytes()) };
        RecordReader::after(path, file, seal, header as u64).map(|reader| (origin, reader)).map_err(io)
    }

    /// Reads the records after a header of this length.
    pub(super) fn after(
        path: &Path,
        mut file: &'a File,
        seal: Seal,
        header: u64,
    ) -> io::Result<RecordReader<'a>> {
        let length = file.metadata()?.len();
        file.seek(SeekFrom::Start(header))?;
        let input = BufReader::new(file);
        Ok(RecordReader { path: path.to_owned(), input, seal, length, at: header, records: 0 })
    }

    /// Where the next record begins; after the last one, where the whole records end.
    pub fn at(&self) -> u64 {
        self.at
    }

    pub fn records(&self) -> u64 {
        self.records
    }

    /// The content of the next record; `None` at the end of the file.
    ///
    /// # Errors
    /// If the file cannot be read, is damaged, or ends with an incomplete record ([`RecordError::Torn`]).
    pub fn next_record(&mut self) -> Result<Option<Vec<u8>>, RecordError> {
        let rest = self.length.saturating_sub(self.at);
        if rest == 0 {
            return Ok(None);
        }
        let io = |path: &Path, source| RecordError::Read { path: path.to_owned(), source };
        if rest < RECORD_HEAD as u64 {
            return Err(self.torn(rest));
        }
        let mut head = [0; RECORD_HEAD];
        self.input.read_exact(&mut head).map_err(|error| io(&self.path, error))?;
        if head == [0; RECORD_HEAD] {
            let zeros = self.only_zeros().map_err(|error| io(&self.path, error))?;
            return Err(if zeros { self.torn(rest) } else { self.damaged() });
        }
        let [length, of_length, of_content] =
            [0, 4, 8].map(|at| u32::from_le_bytes(std::array::from_fn(|byte| head[at + byte])));
        if self.seal.of_length(self.records, length) != of_length {
            return Err(self.damaged());
        }
        let all = RECORD_HEAD as u64 + u64::from(length);
        if all > rest {
            return Err(self.torn(rest));
        }
        let mut content = vec![0; length as usize];
        self.input.read_exact(&mut content).map_err(|error| io(&self.path, error))?;
        if self.seal.of_content(self.records, &content) != of_content {
            let is_lost = all == rest && content.iter().rev().take(LOST).all(|&byte| byte == 0);
            return Err(if is_lost && content.len() >= LOST { self.torn(rest) } else { self.damaged() });
        }
        self.at += all;
        self.records += 1;
        Ok(Some(content))
    }

    /// The error that the last record read is not one of its format.
    pub fn refuse(&self, record: &[u8]) -> RecordError {
        let sound = self.at - (RECORD_HEAD + record.len()) as u64;
        RecordError::Damaged { path: self.path.clone(), sound, records: self.records - 1 }
    }

    fn damaged(&self) -> RecordError {
        RecordError::Damaged { path: self.path.clone(), sound: self.at, records: self.records }
    }

    fn torn(&self, bytes: u64) -> RecordError {
        RecordError::Torn { path: self.path.clone(), bytes }
    }

    fn only_zeros(&mut self) -> io::Result<bool> {
        loop {
            let bytes = self.input.fill_buf()?;
            match (bytes.len(), bytes.iter().all(|&byte| byte == 0)) {
                (0, _) => return Ok(true),
                (_, false) => return Ok(false),
                (read, true) => self.input.consume(read),
            }
        }
    }
}
