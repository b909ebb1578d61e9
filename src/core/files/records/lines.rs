//! Reading text with a record on each line: journals, and the answers of a batch.
//!
//! The writer adds lines with a [`GrowingFile`](super::GrowingFile), so a sudden end damages only the last lines, which are not
//! read. A line with zero bytes lost its data in a power failure and is left out. Any other damaged line before a whole one is an
//! error.

use super::error::RecordError;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

/// Memory for lines that is kept from one to the next, in bytes.
const KEPT: usize = 1 << 20;

/// Reads the lines of a file one after the other.
#[derive(Debug)]
pub struct LineReader {
    path: PathBuf,
    input: BufReader<File>,
    buffer: Vec<u8>,
    lines: u64,
    /// Where the next line begins.
    offset: u64,
    /// Bytes of torn lines at the end.
    torn: u64,
    /// Lines among the whole ones that have never reached the disk.
    lost: u64,
}

impl LineReader {
    /// Reads a file from its current position.
    pub fn new(path: &Path, file: File) -> LineReader {
        let input = BufReader::with_capacity(1 << 16, file);
        LineReader { path: path.to_owned(), input, buffer: Vec::new(), lines: 0, offset: 0, torn: 0, lost: 0 }
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The number of the last line that was read, from 1.
    pub fn line(&self) -> u64 {
        self.lines
    }

    /// Where the next line begins; when the end has been reached, where the whole lines end.
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// Bytes of torn lines, when the end has been reached.
    pub fn torn(&self) -> u64 {
        self.torn
    }

    /// Lines that have never reached the disk, when the end has been reached.
    pub fn lost(&self) -> u64 {
        self.lost
    }

    /// The next line with its end, whatever it is: the header of a file.
    ///
    /// # Errors
    /// If the file cannot be read, or the line has more than `most` bytes.
    pub fn first(&mut self, most: u64) -> Result<&[u8], RecordError> {
        self.offset += self.bounded_line(most)?;
        self.lines += 1;
        Ok(&self.buffer)
    }

    /// The next whole line, with its end; `None` at the end of the file. `check` returns the fault of a line.
    ///
    /// # Errors
    /// If the file cannot be read, a line has more than `most` bytes, or one that is not whole is followed by one that is.
    pub fn next_line(
        &mut self,
        most: u64,
        check: impl Fn(&[u8]) -> Result<(), String>,
    ) -> Result<Option<&[u8]>, RecordError> {
        let (mut holes, mut passed) = (0, 0);
        loop {
            let length = self.bounded_line(most)?;
            passed += length;
            if length == 0 {
                self.torn = passed;
                return Ok(None);
            }
            match check(&self.buffer) {
                // Only a file system writes zeros into text, for data that it has lost.
                Err(_) if self.buffer.contains(&0) => holes += 1,
                Err(problem) => {
                    self.torn = self.torn_from(passed, most, &problem, check)?;
                    return Ok(None);
                }
                Ok(()) => {
                    self.lines += holes + 1;
                    self.lost += holes;
                    self.offset += passed;
                    return Ok(Some(&self.buffer));
                }
            }
        }
    }

    /// Goes to the beginning of a line.
    pub fn seek(&mut self, offset: u64) -> Result<(), RecordError> {
        self.offset = offset;
        let sought = self.input.seek(SeekFrom::Start(offset));
        sought.map(|_| ()).map_err(|source| self.unread(source))
    }

    /// The length of a torn end that begins with a bad line, up to which `torn` bytes were passed.
    fn torn_from(
        &mut self,
        mut torn: u64,
        most: u64,
        problem: &str,
        check: impl Fn(&[u8]) -> Result<(), String>,
    ) -> Result<u64, RecordError> {
        loop {
            let length = self.bounded_line(most)?;
            if length == 0 {
                return Ok(torn);
            }
            if check(&self.buffer).is_ok() {
                let (path, line) = (self.path.clone(), self.lines + 1);
                return Err(RecordError::DamagedLine { path, line, problem: problem.to_owned() });
            }
            torn += length;
        }
    }

    /// Reads a line, with its end, and returns its length. One that is too long is not read to its end.
    fn bounded_line(&mut self, most: u64) -> Result<u64, RecordError> {
        self.buffer.clear();
        // The memory of a long line is given back.
        self.buffer.shrink_to(KEPT);
        let read = Read::take(&mut self.input, most + 1).read_until(b'\n', &mut self.buffer);
        match read {
            Ok(length) if length as u64 > most => {
                Err(RecordError::LongLine { path: self.path.clone(), line: self.lines + 1, most })
            }
            Ok(length) => Ok(length as u64),
            Err(source) => Err(self.unread(source)),
        }
    }

    fn unread(&self, source: io::Error) -> RecordError {
        RecordError::Read { path: self.path.clone(), source }
    }
}
