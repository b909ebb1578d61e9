//! Reading a journal from its beginning.

use super::encoding::read_line;
use super::game_record::GameRecord;
use super::header::{JournalHeader, VERSION};
use crate::failure::Failure;
use kroo::files::{self, records::LineReader, why};
use kroo::printable::counted;
use serde_json::Value;
use std::fmt::Display;
use std::fs::File;
use std::path::Path;

/// The longest first line, in bytes: that of a thousand engines has about a quarter.
const MAX_HEADER: u64 = 4 << 20;
/// The longest line of a game without its moves, in bytes, and the longest torn end.
const MAX_ENTRY: u64 = 4 << 20;
/// The most bytes that a move adds to a line, with its search info.
const MAX_MOVE: u64 = 1 << 10;
/// The longest line, in bytes.
const MAX_LINE_BYTES: u64 = 64 << 20;

/// A journal that is being read, one game at a time.
#[derive(Debug)]
pub struct JournalReader {
    lines: LineReader,
    header: JournalHeader,
}

impl JournalReader {
    /// Opens a journal; `None` if it is empty, or not even its first line is complete.
    pub fn open(path: &Path) -> Result<Option<JournalReader>, Failure> {
        let file = files::open(path).map_err(|error| Failure::at(path.display(), why(path, &error)))?;
        JournalReader::new(path, file)
    }

    /// The same, with a file that is open.
    pub(super) fn new(path: &Path, file: File) -> Result<Option<JournalReader>, Failure> {
        let mut lines = LineReader::new(path, file);
        let first = lines.first(MAX_HEADER)?;
        let no_journal = |problem: String| {
            Failure::at(path.display(), format!("this is not a journal of the referee: {problem}"))
        };
        let json = match read_line(first) {
            Ok(json) => json,
            Err(_) if !first.ends_with(b"\n") && looks_begun(first) => return Ok(None),
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
        Ok(Some(JournalReader { lines, header }))
    }

    /// Which tournament it belongs to.
    pub fn header(&self) -> &JournalHeader {
        &self.header
    }

    /// The journal's path.
    pub fn path(&self) -> &Path {
        self.lines.path()
    }

    /// What of the journal is not there, in sentences without its path. Known when the end has been reached; `lost` and `torn` say
    /// what becomes of the games of lost lines, and of the torn end.
    pub fn gaps(&self, lost: &str, torn: &str) -> Vec<String> {
        let (path, lines_lost, bytes_torn) = (self.path().display(), self.lines.lost(), self.lines.torn());
        let mut gaps = Vec::new();
        if lines_lost > 0 {
            gaps.push(format!("{path}: {lines_lost} of its lines never reached the disk; {lost}"));
        }
        if bytes_torn > 0 {
            let bytes = counted(bytes_torn, "byte");
            gaps.push(format!(
                "{path}: its end, {bytes}, was being written when the referee was ended; {torn}"
            ));
        }
        gaps
    }

    /// Where the next line begins; when the end has been reached, where the good lines end.
    pub fn offset(&self) -> u64 {
        self.lines.offset()
    }

    /// Goes to the beginning of a line.
    pub fn seek(&mut self, offset: u64) -> Result<(), Failure> {
        Ok(self.lines.seek(offset)?)
    }

    /// The next game.
    ///
    /// # Errors
    /// If the journal cannot be read or is damaged, or the line is not a game of this tournament.
    pub fn next_game(&mut self) -> Result<Option<GameRecord>, Failure> {
        let most = longest_line(self.header.plan.adjudication.max_moves as u64);
        let Some(line) = self.lines.next_line(most, |line| read_line(line).map(|_| ()))? else {
            return Ok(None);
        };
        let game = GameRecord::from_line(line, &self.header.plan);
        game.map(Some).map_err(|error| Failure::at(self.place(), error))
    }

    /// The error that the game just read has an earlier line.
    pub fn duplicate(&self, number: u64) -> Failure {
        self.failure(format!("game {number} is in the journal twice"))
    }

    /// The error that something is wrong with the line that was just read.
    pub fn failure(&self, problem: impl Display) -> Failure {
        Failure::at(self.place(), problem)
    }

    /// The place of the line that was just read.
    fn place(&self) -> String {
        format!("{}:{}", self.path().display(), self.lines.line())
    }
}

/// The longest line of a game with at most `max_moves` moves, in bytes.
pub fn longest_line(max_moves: u64) -> u64 {
    (MAX_ENTRY + max_moves.saturating_mul(MAX_MOVE)).min(MAX_LINE_BYTES)
}

/// Whether a referee may have begun this first line, which has no end; or it has never reached the disk.
fn looks_begun(line: &[u8]) -> bool {
    let (sum, rest) = line.split_at(line.len().min(8));
    let zeros = line.iter().all(|&byte| byte == 0);
    zeros || sum.iter().all(u8::is_ascii_hexdigit) && (rest.is_empty() || rest.starts_with(b" "))
}
