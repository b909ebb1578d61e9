//! Opening of ordinary files only.
//!
//! A device may be endless, a pipe blocks its reader until data is written, and neither has a size. So files that a user names
//! are opened here. The type is checked twice: before opening, because opening a device can have effects, and on the open file,
//! because another process may have replaced it. Opening never blocks (`O_NONBLOCK`).

use super::system;
use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Take};
use std::path::Path;

/// Opens an ordinary file for reading.
pub fn open(path: &Path) -> io::Result<File> {
    open_with(File::options().read(true), path)
}

/// Opens or creates an ordinary file, by the options.
pub fn open_with(options: &mut OpenOptions, path: &Path) -> io::Result<File> {
    if let Ok(there) = fs::metadata(path) {
        ordinary(&there)?;
    }
    system::never_wait(options);
    let file = options.open(path)?;
    ordinary(&file.metadata()?)?;
    Ok(file)
}

/// Opens or creates an ordinary file for writing, by the options. Also allows `/dev/null`, but no other device and no pipe,
/// because a pipe may block its writer and writing to a device can have any effect.
///
/// # Errors
/// If it cannot be opened, or is something other than an ordinary file or `/dev/null`.
pub fn open_to_write(options: &mut OpenOptions, path: &Path) -> io::Result<File> {
    if is_null(path) { options.open(path) } else { open_with(options, path) }
}

/// Whether a path leads to `/dev/null`.
pub fn is_null(path: &Path) -> bool {
    fs::canonicalize(path).is_ok_and(|found| found == Path::new("/dev/null"))
}

/// Opens an ordinary file of at most `most` bytes for reading. Even if it grows, no more bytes are read.
///
/// # Errors
/// If it cannot be opened, is not an ordinary file, or is larger.
pub fn open_at_most(path: &Path, most: u64) -> io::Result<Take<File>> {
    let file = open(path)?;
    let length = file.metadata()?.len();
    if length > most {
        return Err(too_large(most));
    }
    Ok(file.take(most))
}

/// The error of a file with more than `most` bytes.
pub fn too_large(most: u64) -> io::Error {
    io::Error::new(
        io::ErrorKind::FileTooLarge,
        format!("it has more than {most} bytes, the most that are read"),
    )
}

/// The content of an ordinary file; `None` if it has more than `most` bytes.
pub fn read_at_most(path: &Path, most: u64) -> io::Result<Option<Vec<u8>>> {
    let mut bytes = Vec::new();
    open(path)?.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    Ok((bytes.len() as u64 <= most).then_some(bytes))
}

/// The last `most` bytes of a file.
pub fn read_end(mut file: &File, most: u64) -> io::Result<Vec<u8>> {
    let length = file.seek(SeekFrom::End(0))?;
    file.seek(SeekFrom::Start(length.saturating_sub(most)))?;
    let mut bytes = Vec::new();
    file.take(most).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Checks that metadata is that of an ordinary file.
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
