//! Writing a journal.

use super::encoding::write_line;
use super::game_record::GameRecord;
use super::header::{Difference, JournalHeader};
use super::reader::JournalReader;
use crate::failure::Failure;
use kroo::files;
use kroo::files::records::GrowingFile;
use std::fs::File;
use std::io::{self, Seek, SeekFrom, Write};
use std::path::Path;

/// A journal that is being written, locked.
#[derive(Debug)]
pub struct Journal {
    file: GrowingFile,
    /// The file that this one has replaced. It stays locked: another referee may have opened it before.
    _replaced: Option<GrowingFile>,
}

impl Journal {
    /// Begins a new journal.
    pub fn create(path: &Path, header: &JournalHeader) -> Result<Journal, Failure> {
        let journal = Journal::locked(path)?;
        if journal.file.end() > 0 {
            let problem = "this journal exists: give --resume to go on with its tournament, or another name for a new one";
            return Err(Failure::at(path.display(), problem));
        }
        journal.begun(header)
    }

    /// Opens a journal to continue it, or begins a new one. The reader returns the games that it holds. Adds rounds that only the
    /// header has. Call [`Journal::continue_after`] when all games have been read.
    ///
    /// # Errors
    /// If it belongs to another tournament, cannot be read or written, or another referee is writing to it.
    pub fn resume(path: &Path, header: &JournalHeader) -> Result<(Journal, Option<JournalReader>), Failure> {
        let journal = Journal::locked(path)?;
        match journal.reader()? {
            None => Ok((journal.begun(header)?, None)),
            Some(reader) if reader.header().changed_program(header).is_some() => {
                let engine = reader.header().changed_program(header).unwrap_or_default();
                let problem = format!(
                    "{} is another executable now than the one that has played there: bring that one back, or begin a new \
                     journal",
                    header.plan.name(engine)
                );
                Err(Failure::at(path.display(), problem))
            }
            Some(reader) => {
                let longer = reader.header().with_rounds_of(header);
                match (longer.as_ref().unwrap_or(reader.header()).difference(header, true), &longer) {
                    (None, None) => Ok((journal, Some(reader))),
                    (None, Some(longer)) => journal.lengthened(longer, &reader),
                    (Some(Difference { place, one, other }), _) => {
                        let problem = format!(
                            "this is the journal of another tournament: {place} is {one} there and {other} here"
                        );
                        Err(Failure::at(path.display(), problem))
                    }
                }
            }
        }
    }

    /// Replaces the file by one with this header and the same games.
    fn lengthened(
        self,
        header: &JournalHeader,
        reader: &JournalReader,
    ) -> Result<(Journal, Option<JournalReader>), Failure> {
        let path = self.file.path();
        files::replace_with(path, |file| {
            file.write_all(&write_line(header))?;
            let mut games = File::open(path)?;
            games.seek(SeekFrom::Start(reader.offset()))?;
            io::copy(&mut games, file).map(|_| ())
        })?;
        let journal = Journal { _replaced: Some(self.file), ..Journal::locked(reader.path())? };
        let reader = journal.reader()?;
        Ok((journal, reader))
    }

    /// Cuts off torn lines, after the whole journal has been read.
    pub fn continue_after(&mut self, reader: &JournalReader) -> Result<(), Failure> {
        Ok(self.file.cut(reader.offset())?)
    }

    /// Adds games. When this returns they are on the disk. Returns where the line of each ends. If it fails, no part
    /// of the games stays in the file.
    pub fn append(&mut self, games: &[GameRecord]) -> Result<Vec<u64>, Failure> {
        let (mut lines, mut ends) = (Vec::new(), Vec::with_capacity(games.len()));
        for game in games {
            lines.extend(game.to_line());
            ends.push(self.file.end() + lines.len() as u64);
        }
        self.file.append(&lines)?;
        Ok(ends)
    }

    /// Removes the lines after this end of a line: games that do not count.
    pub fn take_back(&mut self, end: u64) -> Result<(), Failure> {
        Ok(self.file.cut(self.file.end().min(end))?)
    }

    fn locked(path: &Path) -> Result<Journal, Failure> {
        Ok(Journal { file: GrowingFile::open(path)?, _replaced: None })
    }

    /// Writes the first line.
    fn begun(mut self, header: &JournalHeader) -> Result<Journal, Failure> {
        self.file.begin(&write_line(header))?;
        Ok(self)
    }

    /// Reads it from its beginning; `None` if it has not even a first line.
    fn reader(&self) -> Result<Option<JournalReader>, Failure> {
        let path = self.file.path();
        let file = File::open(path).map_err(|error| self.file.unread(error))?;
        JournalReader::new(path, file)
    }
}
