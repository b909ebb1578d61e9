//! The journal of a build: a text file in the folder of the book, with a line for each finished search.
//!
//! A resumed build skips the searches in the journal, so it can be killed at any moment. An incomplete last line is removed.
//! The first line identifies the engine and the settings, because values of others are useless.

use super::tree::SearchedValue;
use crate::files::{self, shown};
use crate::game::Variant;
use crate::printable::clipped;
use crate::value::Value;
use ahash::AHashMap;
use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// The finished searches of a build.
#[derive(Debug)]
pub(super) struct BookJournal {
    path: PathBuf,
    file: File,
    values: AHashMap<String, SearchedValue>,
}

/// Why a journal is not usable.
#[derive(Debug, thiserror::Error)]
pub enum BookJournalError {
    /// It cannot be read or written.
    #[error("the journal {}: {source}", shown(.path))]
    Io {
        /// The file.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// Begun by another engine or with other settings.
    #[error(
        "the journal {} was begun with other settings: it says `{found}`, and this build is `{expected}`; delete it, or \
         use its settings", shown(.path)
    )]
    Foreign {
        /// The file.
        path: PathBuf,
        /// Its first line, clipped.
        found: String,
        /// The expected first line.
        expected: String,
    },
    /// A line is damaged.
    #[error("the journal {}, line {line}: expected a position, a value, a depth and 0 or 1; delete it", shown(.path))]
    Line {
        /// The file.
        path: PathBuf,
        /// Its number, from 1.
        line: usize,
    },
}

/// Everything that the values of a journal depend on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct BookOrigin {
    /// The rule set.
    pub variant: Variant,
    /// Nodes of each search.
    pub nodes: u64,
    /// MiB of each search's table.
    pub hash_mib: usize,
    /// The engine, identified by the result of a short search.
    pub engine: String,
}

impl BookJournal {
    /// Opens or begins the journal of a book.
    pub(super) fn open(book: &Path, origin: &BookOrigin) -> Result<BookJournal, BookJournalError> {
        let path = journal_of(book);
        let wrong = |source| BookJournalError::Io { path: path.clone(), source };
        let mut options = OpenOptions::new();
        let mut file =
            files::open_with(files::append_to(options.read(true).create(true)), &path).map_err(wrong)?;
        let mut text = String::new();
        file.read_to_string(&mut text).map_err(wrong)?;
        let BookOrigin { variant, nodes, hash_mib, engine } = origin;
        let expected =
            format!("kroo book journal 1: {variant}, {nodes} nodes, hash {hash_mib}, engine {engine}");
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        if whole < text.len() {
            file.set_len(whole as u64).and_then(|()| file.seek(SeekFrom::End(0))).map_err(wrong)?;
        }
        let mut lines = text[..whole].lines();
        match lines.next() {
            None => file.write_all(format!("{expected}\n").as_bytes()).map_err(wrong)?,
            Some(found) if found == expected => {}
            Some(found) => {
                let found = clipped(found, 120);
                return Err(BookJournalError::Foreign { path, found, expected });
            }
        }
        let mut values = AHashMap::new();
        for (index, line) in lines.enumerate() {
            let (position, value) =
                read(line).ok_or_else(|| BookJournalError::Line { path: path.clone(), line: index + 2 })?;
            values.insert(position.to_owned(), value);
        }
        Ok(BookJournal { path, file, values })
    }

    /// The value of a searched position.
    pub(super) fn value(&self, position: &str) -> Option<SearchedValue> {
        self.values.get(position).copied()
    }

    /// The number of searches.
    pub(super) fn searches(&self) -> usize {
        self.values.len()
    }

    /// Adds a search.
    pub(super) fn add(&mut self, position: String, searched: SearchedValue) -> Result<(), BookJournalError> {
        let SearchedValue { value, depth, proven } = searched;
        let line = format!("{position} {:04x} {depth} {}\n", value.to_bits(), u8::from(proven));
        files::step();
        let written = self.file.write_all(line.as_bytes());
        written.map_err(|source| BookJournalError::Io { path: self.path.clone(), source })?;
        self.values.insert(position, searched);
        Ok(())
    }

    /// Deletes the journal of a finished book.
    pub(super) fn remove(self) -> Result<(), BookJournalError> {
        let BookJournal { path, file, .. } = self;
        // Windows does not delete open files.
        drop(file);
        fs::remove_file(&path).map_err(|source| BookJournalError::Io { path, source })
    }
}

fn read(line: &str) -> Option<(&str, SearchedValue)> {
    let mut words = line.split(' ');
    let position = words.next()?;
    let value = Value::from_bits(u16::from_str_radix(words.next()?, 16).ok()?);
    let depth = words.next()?.parse().ok()?;
    let proven = match words.next()? {
        "0" => false,
        "1" => true,
        _ => return None,
    };
    words.next().is_none().then_some((position, SearchedValue { value, depth, proven }))
}

fn journal_of(book: &Path) -> PathBuf {
    let mut name = OsString::from(book);
    name.push(".journal");
    PathBuf::from(name)
}
