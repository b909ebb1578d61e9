//! Game files on disk.

use super::{OgnError, Record, parse};
use crate::files::{self, WriteError};
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// A file of more bytes is not read: it would be a hundred thousand games.
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
pub fn open(path: &Path) -> Result<Vec<Record>, FileError> {
    let named = || path.to_owned();
    let read = |source| FileError::Read { path: named(), source };
    if fs::metadata(path).map_err(read)?.is_dir() {
        return Err(read(io::Error::other("it is a folder")));
    }
    let mut bytes = Vec::new();
    File::open(path).and_then(|file| file.take(LARGEST + 1).read_to_end(&mut bytes)).map_err(read)?;
    if bytes.len() as u64 > LARGEST {
        return Err(read(io::Error::other(format!("it has more than {LARGEST} bytes"))));
    }
    let records =
        parse(&String::from_utf8_lossy(&bytes)).map_err(|error| FileError::Text { path: named(), error })?;
    if records.is_empty() { Err(FileError::Empty { path: named() }) } else { Ok(records) }
}

/// Writes games to a file, all of them or none. A device or a pipe is written to as it is.
///
/// # Errors
/// If it cannot be written. Then what was there before still is.
pub fn save(path: &Path, records: &[Record]) -> Result<(), FileError> {
    let text: String = records.iter().map(Record::to_string).collect();
    Ok(files::replace_or_stream(path, text.as_bytes())?)
}
