//! Atomic replacement of files, and the resolution of paths.
//!
//! A new file is written under a temporary name in the same folder. When it is complete it is synced (`fsync`), renamed into
//! place, and the folder is synced as well, because the new name is part of the folder. So either the old or the new file
//! exists, complete, whenever the program or the machine stops. (The reason for each step: Pillai et al., "All File Systems Are
//! Not Created Equal", OSDI 2014.)
//!
//! Links are followed: the target of a link is replaced, and the link stays. The new file gets the permissions of the one that it
//! replaces and, if the system allows it, the owner and group. In a folder that all users write to, a link of another user is not
//! followed, because it would choose which file is written with this user's rights. Linux has the same rule for opening files
//! (`fs.protected_symlinks`).

mod failpoint;
#[doc(hidden)]
pub mod lock;
mod ordinary;
mod output;
pub mod records;
#[doc(hidden)]
pub mod system;
#[doc(hidden)]
pub mod user_data;

#[doc(hidden)]
pub use failpoint::step;
pub use lock::{LockError, lock};
pub use ordinary::{
    is_null, open, open_at_most, open_to_write, open_with, read_at_most, read_end, too_large,
};
pub use output::{OutputError, can_replace, check_output};
pub use system::{FileIdentity, identity_at, identity_of, open_to_lock};
pub use user_data::{user_cache_folder, user_data_folder};

use crate::printable::{clipped, line};
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// Some systems write it before the first line of a text.
pub const BYTE_ORDER_MARK: char = '\u{feff}';
/// Links to follow before they count as a cycle, as many as in Linux.
const LINKS: usize = 40;
/// The end of a temporary name.
const TEMPORARY: &str = ".tmp";
const LETTERS: usize = 6;
/// Maximum bytes of a temporary name taken from the file's name: most file systems limit names to 255.
const NAME: usize = 200;
/// Maximum characters of a path in a message.
const SHOWN: usize = 200;

/// A file cannot be written. The old file, if any, is unchanged.
#[derive(Debug, thiserror::Error)]
#[error("{} cannot be written: {}{}", shown(.path), why(.path, .source), advice(.path, .source))]
pub struct WriteError {
    /// The file, by the path that the user gave.
    pub path: PathBuf,
    /// The system's error.
    pub source: io::Error,
}

/// Replaces or creates a file.
///
/// # Errors
/// If it cannot be written, or the path leads to something other than an ordinary file.
pub fn replace(path: &Path, bytes: &[u8]) -> Result<(), WriteError> {
    replace_with(path, |file| file.write_all(bytes))
}

/// Replaces or creates a file with the output of a function.
///
/// # Errors
/// If it cannot be written, or the path leads to something other than an ordinary file.
pub fn replace_with(
    path: &Path,
    write: impl FnOnce(&mut Replacement) -> io::Result<()>,
) -> Result<(), WriteError> {
    let replaced = Replacement::begin(path, &|_| ()).and_then(|mut file| {
        write(&mut file)?;
        file.commit()
    });
    replaced.map_err(|source| WriteError { path: path.to_owned(), source })
}

/// Replaces or creates a file. A special file, such as a device or a pipe, is written to directly: it has no content to lose.
pub fn replace_or_stream(path: &Path, bytes: &[u8]) -> Result<(), WriteError> {
    let replaced = Replacement::begin_or_stream(path, &|_| ()).and_then(|mut file| {
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

#[derive(Debug)]
enum Place {
    /// A temporary file that becomes the one with this path.
    Beside(NamedTempFile<File>, PathBuf),
    Stream(File),
}

impl Replacement {
    /// Begins to replace or create a file. Tells the path of the temporary file before creating it: a caller that removes it
    /// after a kill must know it first.
    ///
    /// # Errors
    /// If its folder cannot be written to, or the path leads to something other than an ordinary file.
    pub fn begin(path: &Path, know: &dyn Fn(&Path)) -> io::Result<Replacement> {
        // A missing file is no error here. One that cannot be examined fails when it is written.
        if let Ok(there) = fs::metadata(resolved(path)?) {
            ordinary::ordinary(&there)?;
        }
        Replacement::begin_or_stream(path, know)
    }

    /// The same, but a special file is written to directly.
    ///
    /// # Errors
    /// If its folder cannot be written to, or the path is a folder.
    pub fn begin_or_stream(path: &Path, know: &dyn Fn(&Path)) -> io::Result<Replacement> {
        let path = resolved(path)?;
        let before = match fs::symlink_metadata(&path) {
            Ok(there) if there.is_symlink() => return Err(io::Error::other("it has become a link")),
            Ok(there) if there.is_dir() => return Err(io::ErrorKind::IsADirectory.into()),
            Ok(there) if !there.is_file() => {
                let file = File::options().write(true).open(&path)?;
                return Ok(Replacement { place: Place::Stream(file) });
            }
            Ok(there) => Some(there),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(error),
        };
        // Opened here so that a new file has ordinary permissions (tempfile's are private), and so that an error does not name
        // the temporary file, which the user does not know.
        let open = |path: &Path| {
            know(path);
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

    /// The temporary file, if any.
    pub fn temporary(&self) -> Option<&Path> {
        match &self.place {
            Place::Beside(file, _) => Some(file.path()),
            Place::Stream(_) => None,
        }
    }

    /// Locks the file against other writers until it is complete: of two callers for one file, one gets an error. Each locks its
    /// temporary file before it tries those of others, so both can never succeed.
    pub fn keep_others_out(&self) -> Result<(), LockError> {
        let Place::Beside(file, path) = &self.place else { return Ok(()) };
        lock(file.as_file())?;
        for other in temporaries(path)?.iter().filter(|&other| other != file.path()) {
            // A file that has gone meanwhile or cannot be opened is no competitor.
            if let Ok(other) = open(other) {
                lock(&other)?;
            }
        }
        Ok(())
    }

    /// Syncs the file and renames it into place.
    ///
    /// # Errors
    /// If either fails; the old file, if any, is unchanged.
    pub fn commit(self) -> io::Result<()> {
        if let Place::Beside(file, path) = self.place {
            step();
            file.as_file().sync_all()?;
            let (_open, mut temporary) = file.into_parts();
            // The standard library's rename also replaces an open file on Windows.
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

fn temporary_prefix(path: &Path) -> OsString {
    let mut prefix = OsString::from(".");
    prefix.push(system::name_part(path.file_name().unwrap_or_default(), NAME));
    prefix.push(".");
    prefix
}

/// Syncs the names in a folder to the disk.
///
/// # Errors
/// If the disk fails. A folder that cannot be opened, and a file system without this operation, are no errors.
pub fn sync_folder(folder: &Path) -> io::Result<()> {
    let Ok(folder) = File::open(folder) else { return Ok(()) };
    match folder.sync_all() {
        Err(error) if matches!(error.kind(), io::ErrorKind::InvalidInput | io::ErrorKind::Unsupported) => {
            Ok(())
        }
        synced => synced,
    }
}

/// Removes the temporary files that killed programs have left for a file. The caller must be the file's only writer.
pub fn remove_abandoned(path: &Path) -> io::Result<()> {
    for temporary in temporaries(&resolved(path)?)? {
        // A file that cannot be removed does no harm.
        let _ = fs::remove_file(temporary);
    }
    Ok(())
}

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

/// The path of a file with all links followed; it need not exist.
///
/// # Errors
/// If a link cannot be followed, or another user chooses where it leads.
pub fn resolved(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_path_buf();
    for _ in 0..LINKS {
        let (Ok(folder), Some(name)) = (folder_of(&path).canonicalize(), path.file_name()) else {
            // Without a folder there is no file.
            return Ok(path.canonicalize().unwrap_or(path));
        };
        path = folder.join(name);
        match fs::symlink_metadata(&path) {
            Ok(link) if link.is_symlink() => {
                system::may_follow(&link, &folder)?;
                path = folder.join(fs::read_link(&path)?);
            }
            _ => return Ok(path),
        }
    }
    Err(io::Error::other("its links lead in a circle"))
}

pub fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Whether a path leads to something other than a file or folder: a device, a pipe.
pub fn is_special(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|metadata| !metadata.is_file() && !metadata.is_dir())
}

/// Whether two paths lead to one file, existing or not. Two paths to one device do not count, because both may be written.
pub fn are_one(one: &Path, other: &Path) -> bool {
    let identities = [one, other].map(|path| identity_at(path).ok());
    let [first, second] = [one, other].map(|path| resolved(path).ok());
    let same =
        identities[0].is_some() && identities[0] == identities[1] || first.is_some() && first == second;
    same && !is_special(one)
}

/// Why a file cannot be opened, for users: the system's error, or the missing folder.
pub fn why(path: &Path, error: &io::Error) -> String {
    let folder = folder_of(path);
    if error.kind() == io::ErrorKind::NotFound && !folder.is_dir() {
        return format!("there is no folder {}", folder.display());
    }
    error.to_string()
}

/// Advice for a file that cannot be written.
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

/// A path for a message: on one line, in quotes, clipped.
pub fn shown(path: &Path) -> String {
    format!("`{}`", clipped(&path.to_string_lossy(), SHOWN))
}

/// A path as a word of a command for a shell, on one line; quoted only where that is needed.
pub fn for_shell(path: &Path) -> String {
    let text = path.to_string_lossy();
    let is_plain = |c: char| c.is_alphanumeric() || "/._-+:,=@%".contains(c) || cfg!(windows) && c == '\\';
    match line(&text) {
        text if !text.is_empty() && text.chars().all(is_plain) => text.into_owned(),
        text if cfg!(windows) => format!("\"{text}\""),
        text => format!("'{}'", text.replace('\'', r"'\''")),
    }
}
