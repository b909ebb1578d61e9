//! Game files on disk.

use super::{OgnError, Record, parse};
use std::fs::{self, File, Permissions};
use std::io::{self, Read, Write};
use std::os::unix::fs::PermissionsExt;
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
    #[error("{} cannot be written: {source}", .path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
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

/// Writes games to a file, all of them or none: beside it first, then in its place. A link is followed.
///
/// # Errors
/// If it cannot be written. Then what was there before still is.
pub fn save(path: &Path, records: &[Record]) -> Result<(), FileError> {
    let text: String = records.iter().map(Record::to_string).collect();
    replace(path, text.as_bytes()).map_err(|source| FileError::Write { path: path.to_owned(), source })
}

fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let place = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    if fs::metadata(&place).is_ok_and(|metadata| !metadata.is_file() && !metadata.is_dir()) {
        // A device or a pipe has nothing that could be lost.
        return File::options().write(true).open(&place)?.write_all(bytes);
    }
    let folder = place.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mode = fs::metadata(&place).map_or(0o666, |metadata| metadata.permissions().mode());
    let mut beside = tempfile::Builder::new()
        .prefix(".kroo-")
        .suffix(".ogn")
        .permissions(Permissions::from_mode(mode))
        .tempfile_in(folder)?;
    beside.write_all(bytes)?;
    beside.as_file().sync_all()?;
    beside.persist(&place).map_err(|error| error.error)?;
    // The new name is safe once the folder is; not every file system can be asked for that.
    let _ = File::open(folder).and_then(|folder| folder.sync_all());
    Ok(())
}
