//! Opening ordinary files, and nothing else.
//!
//! A device may never end, a pipe makes its reader wait for somebody to write, and neither has a size. So every reader of
//! a file that a user names opens it here. What the path leads to is looked at twice: before, so that no device is even
//! opened, and on the open file, so that nothing can be put in its place between. Opening never waits (`O_NONBLOCK`).

use super::system;
use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, Read, Take};
use std::path::Path;

/// Opens an ordinary file to read it.
///
/// # Errors
/// If it cannot be opened, or is no ordinary file.
pub fn open(path: &Path) -> io::Result<File> {
    open_with(File::options().read(true), path)
}

/// Opens an ordinary file in some way, or makes it if the options say so.
///
/// # Errors
/// If it cannot be opened, or is no ordinary file.
pub fn open_with(options: &mut OpenOptions, path: &Path) -> io::Result<File> {
    if let Ok(there) = fs::metadata(path) {
        ordinary(&there)?;
    }
    system::never_wait(options);
    let file = options.open(path)?;
    ordinary(&file.metadata()?)?;
    Ok(file)
}

/// Opens an ordinary file to write to it, or makes it, as the options say. `/dev/null` is taken, too: a pipe may make its
/// writer wait, and a device does who knows what.
///
/// # Errors
/// If it cannot be opened, or is neither an ordinary file nor `/dev/null`.
pub fn open_to_write(options: &mut OpenOptions, path: &Path) -> io::Result<File> {
    if is_null(path) { options.open(path) } else { open_with(options, path) }
}

/// Whether a path leads to `/dev/null`.
#[must_use]
pub fn is_null(path: &Path) -> bool {
    fs::canonicalize(path).is_ok_and(|found| found == Path::new("/dev/null"))
}

/// Opens an ordinary file of at most `most` bytes to read it. No more than these are read even if it grows.
///
/// # Errors
/// If it cannot be opened, is no ordinary file, or is larger.
pub fn open_at_most(path: &Path, most: u64) -> io::Result<Take<File>> {
    let file = open(path)?;
    let length = file.metadata()?.len();
    if length > most {
        let problem = format!("it has {length} bytes, and at most {most} are read");
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, problem));
    }
    Ok(file.take(most))
}

/// The bytes of an ordinary file; `None` if there are more than a number of them.
///
/// # Errors
/// If it cannot be read, or is no ordinary file.
pub fn read_at_most(path: &Path, most: u64) -> io::Result<Option<Vec<u8>>> {
    let mut bytes = Vec::new();
    open(path)?.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    Ok((bytes.len() as u64 <= most).then_some(bytes))
}

/// That what has this metadata is an ordinary file.
pub(super) fn ordinary(metadata: &Metadata) -> io::Result<()> {
    let found = metadata.file_type();
    match () {
        () if found.is_file() => Ok(()),
        () if found.is_dir() => {
            Err(io::Error::new(io::ErrorKind::IsADirectory, "it is a folder, not a file"))
        }
        () => Err(io::Error::other(format!("it is a {}, not a file", system::special(found)))),
    }
}
