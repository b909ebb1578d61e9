//! Where a path really leads, before anything is written there.

use std::fs::{self, Metadata};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// Links that are followed before it is taken that they go round in circles.
const LINKS: usize = 40;

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

/// Why a file cannot be opened, for people: what the system says, or which folder is missing.
#[must_use]
pub fn why(path: &Path, error: &io::Error) -> String {
    let folder = folder_of(path);
    if error.kind() == io::ErrorKind::NotFound && !folder.is_dir() {
        return format!("there is no folder {}", folder.display());
    }
    error.to_string()
}

/// Whether there is something that is neither a file nor a folder: a device, a pipe.
#[must_use]
pub fn is_special(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|metadata| !metadata.is_file() && !metadata.is_dir())
}

/// Whether two paths lead to one file, or would if it existed. Two may well write to one device.
#[must_use]
pub fn are_one(one: &Path, other: &Path) -> bool {
    let identity = |metadata: Metadata| (metadata.dev(), metadata.ino());
    let identities = [one, other].map(|path| fs::metadata(path).ok().map(identity));
    let same = identities[0].is_some() && identities[0] == identities[1] || resolved(one) == resolved(other);
    same && !is_special(one)
}
