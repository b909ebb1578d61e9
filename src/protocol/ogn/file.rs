//! Game files on disk.

use super::error::{OgnError, ReadError};
use super::record::GameRecord;
use super::text::Reader;
use kroo_core::files::{self, WriteError};
use kroo_core::game::Variant;
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};

/// A file of more bytes is not read into memory as a whole: it would be some sixty thousand games.
const LARGEST: u64 = 64 << 20;

/// Why there are no games.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// The file cannot be read.
    #[error("{} cannot be read: {source}", .path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// Something in the file is wrong.
    #[error("{}: {error}", .path.display())]
    Text {
        /// The file.
        path: PathBuf,
        /// Where, and what.
        error: OgnError,
    },
    /// No game is in the file.
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
/// If it cannot be read, has no game, or one with an error: the first, with its place.
pub fn open(path: &Path) -> Result<Vec<GameRecord>, FileError> {
    open_as(path, None)
}

/// Does the same, with the rule set of games that name none.
///
/// # Errors
/// As [`open`].
pub fn open_as(path: &Path, untagged: Option<Variant>) -> Result<Vec<GameRecord>, FileError> {
    let file = files::open_at_most(path, LARGEST);
    read(file.map_err(|source| FileError::Read { path: path.to_owned(), source })?, path, untagged)
}

/// The games of an input, at least one. Errors call it `name`. `untagged` is the rule set of games that name none.
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
        let source = io::Error::new(io::ErrorKind::FileTooLarge, format!("at most {LARGEST} bytes are read"));
        return Err(FileError::Read { path: named(), source });
    }
    records.and_then(
        |records| if records.is_empty() { Err(FileError::Empty { path: named() }) } else { Ok(records) },
    )
}

/// Writes games to a file, all of them or none. A device or a pipe is written to as it is.
///
/// # Errors
/// If it cannot be written. Then what was there before still is.
pub fn save(path: &Path, records: &[GameRecord]) -> Result<(), FileError> {
    let text: String = records.iter().map(GameRecord::to_string).collect();
    Ok(files::replace_or_stream(path, text.as_bytes())?)
}
