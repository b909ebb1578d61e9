//! Game files on disk.

use super::error::{OgnError, ReadError};
use super::record::GameRecord;
use super::text_reader::Reader;
use kroo_core::files::{self, WriteError};
use kroo_core::game::Variant;
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};

/// Maximum bytes of a file that is read into memory as a whole, some sixty thousand games.
const LARGEST: u64 = 64 << 20;

/// Why games cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// The file cannot be read.
    #[error("{} cannot be read: {source}", .path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// The file has a fault.
    #[error("{}: {error}", .path.display())]
    Text {
        /// The file.
        path: PathBuf,
        /// The fault and its place.
        error: OgnError,
    },
    /// The file has no game.
    #[error("{}: no game in this file", .path.display())]
    Empty {
        /// The file.
        path: PathBuf,
    },
    /// The file cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
}

/// The games of a file, at least one.
///
/// # Errors
/// If it cannot be read or has no game; otherwise the first fault with its place.
pub fn open(path: &Path) -> Result<Vec<GameRecord>, FileError> {
    open_as(path, None)
}

/// The same, with a rule set for games without the tag `Variant`.
///
/// # Errors
/// As [`open`].
pub fn open_as(path: &Path, untagged: Option<Variant>) -> Result<Vec<GameRecord>, FileError> {
    let file = files::open_at_most(path, LARGEST);
    read(file.map_err(|source| FileError::Read { path: path.to_owned(), source })?, path, untagged)
}

/// The games of an input, at least one. Errors call it `name`. `untagged` is the rule set of games without the tag `Variant`.
///
/// # Errors
/// As [`open`].
pub fn read(input: impl Read, name: &Path, untagged: Option<Variant>) -> Result<Vec<GameRecord>, FileError> {
    let named = || name.to_owned();
    let mut reader = Reader::new(BufReader::new(input.take(LARGEST + 1)));
    let records: Result<Vec<GameRecord>, FileError> = reader
        .by_ref()
        .map(|text| match text {
            Ok(text) => text.play_as(untagged).map_err(|error| FileError::Text { path: named(), error }),
            Err(ReadError::Text(error)) => Err(FileError::Text { path: named(), error }),
            Err(ReadError::Io { error, .. }) => Err(FileError::Read { path: named(), source: error }),
        })
        .collect();
    if reader.get_ref().get_ref().limit() == 0 {
        return Err(FileError::Read { path: named(), source: files::too_large(LARGEST) });
    }
    records.and_then(
        |records| if records.is_empty() { Err(FileError::Empty { path: named() }) } else { Ok(records) },
    )
}

/// Replaces a file by games, atomically. A device or a pipe is written to directly.
///
/// # Errors
/// If it cannot be written; an old file is then unchanged.
pub fn save(path: &Path, records: &[GameRecord]) -> Result<(), FileError> {
    let text: String = records.iter().map(GameRecord::to_string).collect();
    Ok(files::replace_or_stream(path, text.as_bytes())?)
}
