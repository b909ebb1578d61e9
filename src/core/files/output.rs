//! Checks of an output file before the work for it begins.

use super::{Replacement, WriteError, open, shown};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// Why an output cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum OutputError {
    #[error(transparent)]
    Write(#[from] WriteError),
    #[error("{} is not a {kind}, and would be lost: move it away, or name another file", shown(.path))]
    Other { path: PathBuf, kind: &'static str },
}

/// Checks that a file can be created, or replaced by one of the same kind, which begins with `first`. Nothing changes.
///
/// # Errors
/// If not: its folder cannot be written to, the path leads to something other than an ordinary file, or to a file of another
/// kind that is not empty.
pub fn check_output(path: &Path, kind: &'static str, first: &[u8]) -> Result<(), OutputError> {
    can_replace(path)?;
    let mut begin = Vec::new();
    match open(path).and_then(|file| file.take(first.len() as u64).read_to_end(&mut begin)) {
        Ok(_) if begin.is_empty() || begin == first => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        _ => Err(OutputError::Other { path: path.to_owned(), kind }),
    }
}

/// Checks that a file can be replaced or created. Nothing changes.
///
/// # Errors
/// If its folder cannot be written to, or the path leads to something other than an ordinary file.
pub fn can_replace(path: &Path) -> Result<(), WriteError> {
    let begun = Replacement::begin(path, &|_| ());
    begun.map(drop).map_err(|source| WriteError { path: path.to_owned(), source })
}
