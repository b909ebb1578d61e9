//! Replacing a file whole or not at all, and what a path leads to.
//!
//! A new file grows under a temporary name beside its place. When it is complete it is put on the disk (`fsync`), renamed
//! into its place, and then the folder is put on the disk as well, for the new name is part of the folder. So there is
//! always the old file or the new one, complete, whatever ends the program or the machine. (What each step is for:
//! Pillai et al., "All File Systems Are Not Created Equal", OSDI 2014.)
//!
//! Links are followed: the file that a link leads to is replaced, and the link stays. The new file has the permissions,
//! and where the system allows it the owner and group, of the one that it replaces.

mod failpoint;
#[doc(hidden)]
pub mod lock;
mod ordinary;
#[doc(hidden)]
pub mod system;
mod user_data;

#[doc(hidden)]
pub use failpoint::step;
pub use lock::{LockError, lock};
pub use ordinary::{is_null, open, open_at_most, open_to_write, open_with, read_at_most};
pub use system::{FileIdentity, append_to, identity, identity_at, is_locked, open_to_lock};
pub use user_data::{user_cache_folder, user_data_folder};

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// Links that are followed before they are taken to lead round in a circle; Linux follows as many.
const LINKS: usize = 40;
/// How a temporary name ends.
const TEMPORARY: &str = ".tmp";
/// Random letters of a temporary name.
const LETTERS: usize = 6;
/// Bytes that a temporary name takes at most from the name of the file: a name has 255 at most on most file systems.
const NAME: usize = 200;
/// Characters of a path that a message repeats.
const SHOWN: usize = 200;

/// A file cannot be written. What was there before still is.
#[derive(Debug, thiserror::Error)]
#[error("{} cannot be written: {}{}", shown(.path), why(.path, .source), advice(.path, .source))]
pub struct WriteError {
    /// The file, as the user has named it.
    pub path: PathBuf,
    /// What the system says.
    pub source: io::Error,
}

/// Replaces a file, or makes one.
///
/// # Errors
/// If it cannot be written, or something is there that is no ordinary file.
pub fn replace(path: &Path, bytes: &[u8]) -> Result<(), WriteError> {
    replace_with(path, |file| file.write_all(bytes))
}

/// Replaces a file, or makes one, with what a function writes.
///
/// # Errors
/// If it cannot be written, or something is there that is no ordinary file.
pub fn replace_with(
    path: &Path,
    write: impl FnOnce(&mut Replacement) -> io::Result<()>,
) -> Result<(), WriteError> {
    let replaced = Replacement::begin(path).and_then(|mut file| {
        write(&mut file)?;
        file.commit()
    });
    replaced.map_err(|source| WriteError { path: path.to_owned(), source })
}

/// Replaces a file, or makes one. What is there and is neither a file nor a folder, such as a device or a pipe, is
/// written to as it is: it has nothing that could be lost.
///
/// # Errors
/// If it cannot be written.
pub fn replace_or_stream(path: &Path, bytes: &[u8]) -> Result<(), WriteError> {
    let replaced = Replacement::begin_or_stream(path).and_then(|mut file| {
        file.write_all(bytes)?;
        file.commit()
    });
    replaced.map_err(|source| WriteError { path: path.to_owned(), source })
}

/// A file that takes its place when it is [complete](Replacement::commit). Dropped before, it leaves nothing behind.
#[derive(Debug)]
pub struct Replacement {
    place: Place,
}

/// Where the bytes go.
#[derive(Debug)]
enum Place {
    /// To a temporary file that becomes the one with this path.
    Beside(NamedTempFile<File>, PathBuf),
    /// To a device or a pipe.
    Stream(File),
}

impl Replacement {
    /// Begins a file that is to stand at a path.
    ///
    /// # Errors
    /// If its folder cannot be written to, or something is there that is no ordinary file.
    pub fn begin(path: &Path) -> io::Result<Replacement> {
        // A missing file is no error here, and neither is what cannot be looked at: that shows when it is written.
        if let Ok(there) = fs::metadata(resolved(path)) {
            ordinary::ordinary(&there)?;
        }
        Replacement::begin_or_stream(path)
    }

    /// Begins a file that is to stand at a path. What is there and is neither a file nor a folder is written to as it is.
    ///
    /// # Errors
    /// If its folder cannot be written to, or is itself what the path leads to.
    pub fn begin_or_stream(path: &Path) -> io::Result<Replacement> {
        let path = resolved(path);
        let before = match fs::metadata(&path) {
            Ok(there) if there.is_dir() => return Err(io::ErrorKind::IsADirectory.into()),
            Ok(there) if !there.is_file() => {
                let file = File::options().write(true).open(&path)?;
                return Ok(Replacement { place: Place::Stream(file) });
            }
            Ok(there) => Some(there),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(error),
        };
        // Opened here, so that a new file has the permissions of any other (tempfile's own are private), and so that an
        // error does not name the temporary file, which the user does not know.
        let open = |path: &Path| {
            let mut options = File::options();
            system::create_like(&mut options, before.as_ref());
            options.write(true).create_new(true).open(path)
        };
        let mut builder = tempfile::Builder::new();
        let prefix = temporary_prefix(&path);
        builder.prefix(&prefix).suffix(TEMPORARY).rand_bytes(LETTERS);
        step();
        let file = builder.make_in(folder_of(&path), open)?;
        if let Some(before) = &before {
            system::keep_rights(file.as_file(), before);
        }
        Ok(Replacement { place: Place::Beside(file, path) })
    }

    /// The temporary file, if there is one.
    #[must_use]
    pub fn temporary(&self) -> Option<&Path> {
        match &self.place {
            Place::Beside(file, _) => Some(file.path()),
            Place::Stream(_) => None,
        }
    }

    /// Keeps the file for itself until it is complete: of two that call this for one file, one has the error. Each locks
    /// its temporary file first and then looks at those of others, so that never both go on.
    ///
    /// # Errors
    /// If somebody else writes it, or the system says so.
    pub fn keep_others_out(&self) -> Result<(), LockError> {
        let Place::Beside(file, path) = &self.place else { return Ok(()) };
        lock(file.as_file())?;
        for other in temporaries(path)?.iter().filter(|&other| other != file.path()) {
            // One that has gone meanwhile, or cannot be opened, is nobody's to wait for.
            if let Ok(other) = open(other) {
                lock(&other)?;
            }
        }
        Ok(())
    }

    /// Puts what has been written on the disk and in its place.
    ///
    /// # Errors
    /// If that cannot be done. Then what was there before still is.
    pub fn commit(self) -> io::Result<()> {
        if let Place::Beside(file, path) = self.place {
            step();
            file.as_file().sync_all()?;
            let (_open, mut temporary) = file.into_parts();
            // The standard library's own renaming also replaces a file that is open on Windows.
            step();
            fs::rename(&temporary, &path)?;
            temporary.disable_cleanup(true);
            step();
            sync_folder(folder_of(&path))?;
        }
        Ok(())
    }
}

impl Write for Replacement {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.place {
            Place::Beside(file, _) => {
                step();
                file.as_file_mut().write(bytes)
            }
            Place::Stream(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Seek for Replacement {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        match &mut self.place {
            Place::Beside(file, _) => file.as_file_mut().seek(to),
            Place::Stream(file) => file.seek(to),
        }
    }
}

/// How the temporary names of a file begin.
fn temporary_prefix(path: &Path) -> OsString {
    let mut prefix = OsString::from(".");
    prefix.push(system::name_part(path.file_name().unwrap_or_default(), NAME));
    prefix.push(".");
    prefix
}

/// Puts the names in a folder on the disk.
///
/// # Errors
/// If the disk has failed. Where a folder cannot be opened, or the file system cannot be asked for this, there is nothing
/// more to do.
pub fn sync_folder(folder: &Path) -> io::Result<()> {
    let Ok(folder) = File::open(folder) else { return Ok(()) };
    match folder.sync_all() {
        Err(error) if matches!(error.kind(), io::ErrorKind::InvalidInput | io::ErrorKind::Unsupported) => {
            Ok(())
        }
        synced => synced,
    }
}

/// Takes away what programs that were killed have left of a file: it never came to its place. Only for who makes sure
/// that nobody else writes this file.
///
/// # Errors
/// If the folder cannot be read.
pub fn remove_abandoned(path: &Path) -> io::Result<()> {
    for temporary in temporaries(&resolved(path))? {
        // What cannot be taken away is in nobody's way.
        let _ = fs::remove_file(temporary);
    }
    Ok(())
}

/// The temporary files that stand beside a file.
fn temporaries(path: &Path) -> io::Result<Vec<PathBuf>> {
    let prefix = temporary_prefix(path);
    let mut found = Vec::new();
    for entry in fs::read_dir(folder_of(path))? {
        let entry = entry?;
        let name = entry.file_name();
        let letters = name.as_encoded_bytes().strip_prefix(prefix.as_encoded_bytes());
        let letters = letters.and_then(|rest| rest.strip_suffix(TEMPORARY.as_bytes()));
        if letters.is_some_and(|letters| letters.len() == LETTERS) {
            found.push(entry.path());
        }
    }
    Ok(found)
}

/// The file that would be written, all links followed; it need not exist.
#[must_use]
pub fn resolved(path: &Path) -> PathBuf {
    let mut path = path.to_path_buf();
    for _ in 0..LINKS {
        if let Ok(found) = path.canonicalize() {
            return found;
        }
        match fs::read_link(&path) {
            Ok(target) => path = folder_of(&path).join(target),
            Err(_) => break,
        }
    }
    match (folder_of(&path).canonicalize(), path.file_name()) {
        (Ok(folder), Some(name)) => folder.join(name),
        _ => path,
    }
}

/// The folder that a path is in.
#[must_use]
pub fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Whether there is something that is neither a file nor a folder: a device, a pipe.
#[must_use]
pub fn is_special(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|metadata| !metadata.is_file() && !metadata.is_dir())
}

/// Whether two paths lead to one file, or would if it existed. Two may well write to one device.
#[must_use]
pub fn are_one(one: &Path, other: &Path) -> bool {
    let identities = [one, other].map(|path| identity_at(path).ok());
    let same = identities[0].is_some() && identities[0] == identities[1] || resolved(one) == resolved(other);
    same && !is_special(one)
}

/// Why a file cannot be opened, for people: what the system says, or which folder is missing.
#[must_use]
pub fn why(path: &Path, error: &io::Error) -> String {
    let folder = folder_of(path);
    if error.kind() == io::ErrorKind::NotFound && !folder.is_dir() {
        return format!("there is no folder {}", folder.display());
    }
    error.to_string()
}

/// What to do about a file that cannot be written.
fn advice(path: &Path, error: &io::Error) -> &'static str {
    use io::ErrorKind as Kind;
    match error.kind() {
        Kind::NotFound if !folder_of(path).is_dir() => "; make it, or name a file elsewhere",
        Kind::PermissionDenied | Kind::ReadOnlyFilesystem => {
            "; name a file in a folder that you may write to"
        }
        Kind::StorageFull | Kind::QuotaExceeded | Kind::FileTooLarge => {
            "; make room on the disk, or name a file elsewhere"
        }
        Kind::IsADirectory => "; name a file in it",
        _ => "",
    }
}

/// A path as a message repeats it: on one line, in quotes, and not without end.
#[must_use]
pub fn shown(path: &Path) -> String {
    let text = path.to_string_lossy();
    let mut shown: String = text.chars().take(SHOWN).flat_map(char::escape_debug).collect();
    if text.chars().nth(SHOWN).is_some() {
        shown.push('…');
    }
    format!("`{shown}`")
}
