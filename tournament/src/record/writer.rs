//! Writing a journal.

use super::error::of_file;
use super::game_record::GameRecord;
use super::header::{Difference, JournalHeader};
use super::line;
use super::reader::JournalReader;
use crate::failure::Failure;
use kroo::files::{self, LockError, folder_of};
use std::fs::File;
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// A journal that is being written, locked.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    file: File,
    /// Where the safe lines end, in bytes.
    length: u64,
    /// The file that this one has replaced. It stays locked: another referee may have opened it before.
    _replaced: Option<File>,
}

impl Journal {
    /// Begins a new journal.
    ///
    /// # Errors
    /// If there is one already, or it cannot be written.
    pub fn create(path: &Path, header: &JournalHeader) -> Result<Journal, Failure> {
        let journal = Journal::locked(path)?;
        if journal.length > 0 {
            let problem = "this journal exists: give --resume to go on with its tournament, or another name for a new one";
            return Err(Failure::at(path.display(), problem));
        }
        journal.begun(header)
    }

    /// Opens a journal to go on with it, or begins a new one if there is none. The reader returns the games that it holds.
    /// Adds rounds that only the header has. Call [`Journal::continue_after`] when all games have been read.
    ///
    /// # Errors
    /// If it belongs to another tournament, cannot be read or written, or another referee is writing to it.
    pub fn resume(path: &Path, header: &JournalHeader) -> Result<(Journal, Option<JournalReader>), Failure> {
        let journal = Journal::locked(path)?;
        let file = File::open(path).map_err(|error| journal.failed(error))?;
        match JournalReader::new(path, file)? {
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
        let written = files::replace_with(&self.path, |file| {
            file.write_all(&line::write(header))?;
            let mut games = File::open(&self.path)?;
            games.seek(SeekFrom::Start(reader.offset()))?;
            io::copy(&mut games, file).map(|_| ())
        });
        written.map_err(|error| self.failed(error.source))?;
        let journal = Journal { _replaced: Some(self.file), ..Journal::locked(&self.path)? };
        let file = File::open(&self.path).map_err(|error| journal.failed(error))?;
        let reader = JournalReader::new(&self.path, file)?;
        Ok((journal, reader))
    }

    /// Cuts off torn lines, after the whole journal has been read.
    ///
    /// # Errors
    /// The system's error.
    pub fn continue_after(&mut self, reader: &JournalReader) -> Result<(), Failure> {
        self.length = reader.offset();
        self.cut().map_err(|error| self.failed(error))
    }

    /// Adds games. When this returns they are on the disk. Returns where the line of each ends.
    ///
    /// # Errors
    /// The system's error. No part of the games stays in the file.
    pub fn append(&mut self, games: &[GameRecord]) -> Result<Vec<u64>, Failure> {
        let (mut lines, mut ends) = (Vec::new(), Vec::with_capacity(games.len()));
        for game in games {
            lines.extend(game.to_line());
            ends.push(self.length + lines.len() as u64);
        }
        let written = self.file.write_all(&lines).and_then(|()| self.file.sync_data());
        match written {
            Ok(()) => {
                self.length += lines.len() as u64;
                Ok(ends)
            }
            Err(error) => {
                // If that fails, too, the reader drops the torn lines.
                let _ = self.cut();
                Err(self.failed(error))
            }
        }
    }

    /// Removes the lines after this end of a line: games that do not count.
    ///
    /// # Errors
    /// The system's error.
    pub fn take_back(&mut self, end: u64) -> Result<(), Failure> {
        self.length = self.length.min(end);
        self.cut().map_err(|error| self.failed(error))
    }

    fn locked(path: &Path) -> Result<Journal, Failure> {
        let failed = |error| of_file(path, &error);
        let mut options = File::options();
        let options = options.read(true).write(true).create(true).truncate(false);
        let file = files::open_with(options, path).map_err(failed)?;
        files::lock(&file).map_err(|error| match error {
            LockError::Held { holder } => {
                let holder = holder.map(|holder| format!(": {holder}")).unwrap_or_default();
                let problem = format!("another referee is writing to this journal{holder}");
                Failure::at(path.display(), problem)
            }
            LockError::Io(error) => failed(error),
        })?;
        let length = file.metadata().map_err(failed)?.len();
        Ok(Journal { path: path.to_path_buf(), file, length, _replaced: None })
    }

    /// Writes the first line.
    fn begun(mut self, header: &JournalHeader) -> Result<Journal, Failure> {
        self.length = 0;
        let line = line::write(header);
        let written = self.cut().and_then(|()| {
            self.file.write_all(&line)?;
            self.file.sync_all()?;
            // The name of the file is in its folder, which must be safe, too.
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

    fn failed(&self, error: io::Error) -> Failure {
        of_file(&self.path, &error)
    }
}
