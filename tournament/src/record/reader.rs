//! Reading a journal from its beginning.

use super::encoding::RecordError;
use super::error::{of_file, of_long_line};
use super::game_record::GameRecord;
use super::header::{JournalHeader, VERSION};
use super::line;
use crate::failure::Failure;
use kroo::files;
use kroo::printable::counted;
use serde_json::Value;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

/// The longest first line, in bytes: that of a thousand engines has about a quarter.
const MAX_HEADER: u64 = 4 << 20;
/// The longest line of a game without its moves, in bytes, and the longest torn end.
const MAX_ENTRY: u64 = 4 << 20;
/// The most bytes that a move adds to a line, with its search info.
const MAX_MOVE: u64 = 1 << 10;
/// The longest line, in bytes.
const MAX_LINE_BYTES: u64 = 64 << 20;
/// Memory for lines that is kept from one to the next, in bytes.
const KEPT: usize = 1 << 20;

/// A journal that is being read, one game at a time.
#[derive(Debug)]
pub struct JournalReader {
    path: PathBuf,
    input: BufReader<File>,
    header: JournalHeader,
    /// How many lines have been read.
    lines: u64,
    /// Where the next line begins.
    offset: u64,
    buffer: Vec<u8>,
    /// Bytes of torn lines at the end.
    torn: u64,
    /// Lines among the good ones that have never reached the disk.
    lost: u64,
}

impl JournalReader {
    /// Opens a journal; `None` if it is empty, or not even its first line is complete.
    ///
    /// # Errors
    /// If it cannot be read, or is not a journal.
    pub fn open(path: &Path) -> Result<Option<JournalReader>, Failure> {
        let file = files::open(path).map_err(|error| of_file(path, &error))?;
        JournalReader::new(path, file)
    }

    /// The same, with a file that is open.
    pub(super) fn new(path: &Path, file: File) -> Result<Option<JournalReader>, Failure> {
        let failed = |error| of_file(path, &error);
        let mut input = BufReader::with_capacity(1 << 16, file);
        let mut buffer = Vec::new();
        let length = bounded_line(&mut input, MAX_HEADER, &mut buffer).map_err(failed)?;
        if length > MAX_HEADER {
            return Err(of_long_line(path, 1, MAX_HEADER));
        }
        let no_journal = |problem: String| {
            Failure::at(path.display(), format!("this is not a journal of the referee: {problem}"))
        };
        let json = match line::read(&buffer) {
            Ok(json) => json,
            Err(_) if !buffer.ends_with(b"\n") && looks_begun(&buffer) => return Ok(None),
            Err(problem) => return Err(no_journal(format!("its first line: {problem}"))),
        };
        let value: Value = serde_json::from_slice(json).map_err(|error| no_journal(error.to_string()))?;
        match value["kroo-journal"].as_u64() {
            None => return Err(no_journal("its first line does not say that it is one".to_owned())),
            Some(found) if found != u64::from(VERSION) => {
                let problem = format!("this journal has version {found}, but only version {VERSION} is read");
                return Err(Failure::at(path.display(), problem));
            }
            Some(_) => {}
        }
        let mut header: JournalHeader =
            serde_json::from_value(value).map_err(|error| no_journal(error.to_string()))?;
        header.check().map_err(|problem| {
            let problem = format!(
                "the header of this journal is out of bounds: {problem}: a referee has not written it"
            );
            Failure::at(path.display(), problem)
        })?;
        header.plan.began = header.began();
        let path = path.to_path_buf();
        Ok(Some(JournalReader { path, input, header, lines: 1, offset: length, buffer, torn: 0, lost: 0 }))
    }

    /// Which tournament it belongs to.
    #[must_use]
    pub fn header(&self) -> &JournalHeader {
        &self.header
    }

    /// The journal's path.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What of the journal is not there, in sentences without its path. Known when the end has been reached; `lost` and `torn` say
    /// what becomes of the games of lost lines, and of the torn end.
    pub fn gaps(&self, lost: &str, torn: &str) -> Vec<String> {
        let path = self.path.display();
        let mut gaps = Vec::new();
        if self.lost > 0 {
            gaps.push(format!("{path}: {} of its lines never reached the disk; {lost}", self.lost));
        }
        if self.torn > 0 {
            let bytes = counted(self.torn, "byte");
            gaps.push(format!(
                "{path}: its end, {bytes}, was being written when the referee was ended; {torn}"
            ));
        }
        gaps
    }

    /// Where the next line begins; when the end has been reached, where the good lines end.
    #[must_use]
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// Goes to the beginning of a line.
    ///
    /// # Errors
    /// The system's error.
    pub fn seek(&mut self, offset: u64) -> Result<(), Failure> {
        self.offset = offset;
        let sought = self.input.seek(SeekFrom::Start(offset));
        sought.map(|_| ()).map_err(|error| of_file(&self.path, &error))
    }

    /// The next game.
    ///
    /// # Errors
    /// If the journal cannot be read or is damaged, or the line is not a game of this tournament.
    pub fn next_game(&mut self) -> Result<Option<GameRecord>, Failure> {
        let (mut holes, mut passed) = (0, 0);
        loop {
            let length = self.line()?;
            if length == 0 {
                self.torn = passed;
                return Ok(None);
            }
            match GameRecord::from_line(&self.buffer, &self.header.plan) {
                // Only a file system writes zeros into a journal, for data that it has lost.
                Err(RecordError::Damaged(_)) if self.buffer.contains(&0) => {
                    (holes, passed) = (holes + 1, passed + length);
                }
                Err(RecordError::Damaged(problem)) => {
                    self.torn = self.torn_from(passed + length, &problem)?;
                    return Ok(None);
                }
                read => {
                    self.lines += holes + 1;
                    self.lost += holes;
                    self.offset += passed + length;
                    let place = || format!("{}:{}", self.path.display(), self.lines);
                    return read.map(Some).map_err(|error| Failure::at(place(), error));
                }
            }
        }
    }

    /// The error that this game has two lines, of which the last one was just read.
    #[must_use]
    pub fn duplicate(&self, number: u64) -> Failure {
        let place = format!("{}:{}", self.path.display(), self.lines);
        Failure::at(place, format!("game {number} is in the journal twice"))
    }

    /// The length of a torn end that begins with a bad line. A good line after that one is an error.
    fn torn_from(&mut self, mut torn: u64, problem: &str) -> Result<u64, Failure> {
        loop {
            let length = self.line()?;
            if length == 0 {
                return Ok(torn);
            }
            if line::read(&self.buffer).is_ok() {
                let problem = format!(
                    "this line is damaged ({problem}), but later ones are not: the journal has been changed; the lines before \
                     it are good"
                );
                return Err(Failure::at(format!("{}:{}", self.path.display(), self.lines + 1), problem));
            }
            torn += length;
        }
    }

    fn line(&mut self) -> Result<u64, Failure> {
        let most = longest_line(self.header.plan.adjudication.max_moves as u64);
        match bounded_line(&mut self.input, most, &mut self.buffer) {
            Ok(length) if length > most => Err(of_long_line(&self.path, self.lines + 1, most)),
            read => read.map_err(|error| of_file(&self.path, &error)),
        }
    }
}

/// The longest line of a game with at most `max_moves` moves, in bytes.
#[must_use]
pub fn longest_line(max_moves: u64) -> u64 {
    (MAX_ENTRY + max_moves.saturating_mul(MAX_MOVE)).min(MAX_LINE_BYTES)
}

/// Reads a line, with its end, or the first byte too many of one that is too long. Returns its length.
fn bounded_line(input: &mut impl BufRead, most: u64, line: &mut Vec<u8>) -> io::Result<u64> {
    line.clear();
    // The memory of a long line is given back.
    line.shrink_to(KEPT);
    Ok(Read::take(input, most + 1).read_until(b'\n', line)? as u64)
}

/// Whether a referee may have begun this first line, which has no end; or it has never reached the disk.
fn looks_begun(line: &[u8]) -> bool {
    let (sum, rest) = line.split_at(line.len().min(8));
    let zeros = line.iter().all(|&byte| byte == 0);
    zeros || sum.iter().all(u8::is_ascii_hexdigit) && (rest.is_empty() || rest.starts_with(b" "))
}
