//! Where a document is written: beside its place until it is complete.

use crate::files::{folder_of, is_special, resolved};
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// Where the document grows.
#[derive(Debug)]
pub(super) enum PendingFile {
    /// In a temporary file that becomes the one with this path.
    Beside(NamedTempFile<File>, PathBuf),
    /// In a device or a pipe.
    There(File),
}

impl PendingFile {
    /// A place for what is to stand at a path; its temporary name ends as is said. A file that is there already is
    /// replaced only if it is empty or begins as the new one will: games, a journal, whatever has been named by mistake
    /// is not lost.
    pub fn find(path: &Path, suffix: &str, beginning: &str) -> io::Result<PendingFile> {
        if path.is_dir() {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        if is_special(path) {
            return Ok(PendingFile::There(File::options().write(true).open(path)?));
        }
        if path.exists() && !begins_with(path, beginning)? {
            let error = "something else is in this file and would be lost: name another, or remove it";
            return Err(io::Error::new(io::ErrorKind::AlreadyExists, error));
        }
        let path = resolved(path);
        let mut builder = tempfile::Builder::new();
        builder.prefix(".referee-").suffix(suffix);
        // Opened here, so that an error does not name the temporary file, which the user does not know.
        let open = |path: &Path| File::options().write(true).create_new(true).open(path);
        let file = builder.make_in(folder_of(&path), open)?;
        Ok(PendingFile::Beside(file, path))
    }

    /// The temporary file, if there is one.
    pub fn temporary(&self) -> Option<&Path> {
        match self {
            PendingFile::Beside(file, _) => Some(file.path()),
            PendingFile::There(_) => None,
        }
    }

    /// Puts what has been written where it is to stand.
    pub fn complete(self) -> io::Result<()> {
        if let PendingFile::Beside(file, path) = self {
            file.as_file().sync_all()?;
            file.persist(path).map_err(|error| error.error)?;
        }
        Ok(())
    }
}

impl Write for PendingFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            PendingFile::Beside(file, _) => file.as_file_mut().write(bytes),
            PendingFile::There(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Whether a file begins with a text, or is empty.
fn begins_with(path: &Path, text: &str) -> io::Result<bool> {
    let mut start = Vec::new();
    File::open(path)?.take(text.len() as u64).read_to_end(&mut start)?;
    Ok(start.is_empty() || start == text.as_bytes())
}
