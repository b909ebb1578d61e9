//! What the systems do each in their own way: which file is which, whose it is, how it is opened.
//!
//! Linux and macOS share one way. Windows has no owners and no permissions, tells files apart by their handles, and
//! lets nobody read what somebody else has locked. Where there is neither, no two files are known to be one.

pub use here::{append_to, identity_at, is_locked, name_part, open_to_lock};
pub(super) use here::{create_like, keep_rights, never_wait, special};

use std::fs::File;
use std::io;

/// What tells a file from another one of the same name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FileIdentity {
    /// The disk that it is on.
    volume: u64,
    /// Its number there.
    number: u64,
}

/// The identity of an open file.
///
/// # Errors
/// If the system does not tell.
pub fn identity(file: &File) -> io::Result<FileIdentity> {
    here::identity(file)
}

#[cfg(unix)]
mod here {
    use super::FileIdentity;
    use rustix::fs::OFlags;
    use std::ffi::{OsStr, OsString};
    use std::fs::{self, File, FileType, Metadata, OpenOptions};
    use std::io;
    use std::os::unix::ffi::OsStrExt;
    use std::os::unix::fs::{FileTypeExt, MetadataExt, OpenOptionsExt, fchown};
    use std::path::Path;

    /// The identity of the file that a path leads to.
    ///
    /// # Errors
    /// If there is none, or the system does not tell.
    pub fn identity_at(path: &Path) -> io::Result<FileIdentity> {
        fs::metadata(path).map(|metadata| identity_of(&metadata))
    }

    pub fn identity(file: &File) -> io::Result<FileIdentity> {
        file.metadata().map(|metadata| identity_of(&metadata))
    }

    fn identity_of(metadata: &Metadata) -> FileIdentity {
        FileIdentity { volume: metadata.dev(), number: metadata.ino() }
    }

    /// A file that is made has the permissions of the one that it replaces, or those of any new file.
    pub fn create_like(options: &mut OpenOptions, before: Option<&Metadata>) {
        options.mode(before.map_or(0o666, |before| before.mode() & 0o777));
    }

    /// Opening a file waits for nobody.
    pub fn never_wait(options: &mut OpenOptions) {
        // The standard library adds `O_CLOEXEC`.
        options.custom_flags(OFlags::NONBLOCK.bits() as i32);
    }

    /// A file is opened for writing at its end, and for cutting it off.
    pub fn append_to(options: &mut OpenOptions) -> &mut OpenOptions {
        options.append(true)
    }

    /// Whether a file could not be read because somebody has locked it. Here locks are for writers only.
    #[must_use]
    pub fn is_locked(_error: &io::Error) -> bool {
        false
    }

    /// What it is that is neither a file nor a folder.
    pub fn special(found: FileType) -> &'static str {
        match () {
            () if found.is_fifo() => "pipe",
            () if found.is_socket() => "socket",
            () => "device",
        }
    }

    /// Gives a new file the owner, group and permissions of the one that it replaces, as far as the system allows it. The
    /// owner cannot be kept unless the program has the rights of the system; the group can, if the user is in it.
    pub fn keep_rights(file: &File, before: &Metadata) {
        let (owner, group) = (before.uid(), before.gid());
        if file.metadata().is_ok_and(|now| (now.uid(), now.gid()) != (owner, group)) {
            let _ = fchown(file, Some(owner), Some(group)).or_else(|_| fchown(file, None, Some(group)));
        }
        // The mask of new files may have taken some away. A file system without permissions does without.
        let _ = file.set_permissions(before.permissions());
    }

    /// Opens what a lock on a folder is taken on: the folder itself, so that nothing is left behind.
    ///
    /// # Errors
    /// If it cannot be opened.
    pub fn open_to_lock(folder: &Path) -> io::Result<File> {
        File::open(folder)
    }

    /// The first `most` bytes of a name, or fewer.
    pub fn name_part(name: &OsStr, most: usize) -> OsString {
        let bytes = name.as_bytes();
        OsStr::from_bytes(&bytes[..bytes.len().min(most)]).to_owned()
    }
}

#[cfg(not(unix))]
mod here {
    use super::FileIdentity;
    use std::ffi::{OsStr, OsString};
    use std::fs::{File, FileType, Metadata, OpenOptions};
    use std::io;
    use std::path::Path;

    /// The identity of the file that a path leads to.
    ///
    /// # Errors
    /// If there is none, or the system does not tell.
    pub fn identity_at(path: &Path) -> io::Result<FileIdentity> {
        identity(&File::open(path)?)
    }

    #[cfg(windows)]
    pub fn identity(file: &File) -> io::Result<FileIdentity> {
        let told = winapi_util::file::information(file)?;
        Ok(FileIdentity { volume: told.volume_serial_number(), number: told.file_index() })
    }

    #[cfg(not(windows))]
    pub fn identity(_file: &File) -> io::Result<FileIdentity> {
        Err(io::ErrorKind::Unsupported.into())
    }

    /// A file that is made has the rights that its folder gives it.
    pub fn create_like(_options: &mut OpenOptions, _before: Option<&Metadata>) {}

    /// Opening a file waits for nobody anyway.
    pub fn never_wait(_options: &mut OpenOptions) {}

    /// A file is opened for writing, and for cutting it off. What is opened for writing at the end only cannot be cut off
    /// here, so the writer goes to the end.
    pub fn append_to(options: &mut OpenOptions) -> &mut OpenOptions {
        options.write(true)
    }

    /// Whether a file could not be read because somebody has locked it.
    #[must_use]
    pub fn is_locked(error: &io::Error) -> bool {
        const ERROR_LOCK_VIOLATION: i32 = 33;
        cfg!(windows) && error.raw_os_error() == Some(ERROR_LOCK_VIOLATION)
    }

    /// What it is that is neither a file nor a folder.
    pub fn special(_found: FileType) -> &'static str {
        "device"
    }

    /// There are no owners and groups to be kept.
    pub fn keep_rights(_file: &File, _before: &Metadata) {}

    /// Opens what a lock on a folder is taken on: a file in it that stays, since a folder cannot be opened here.
    ///
    /// # Errors
    /// If it cannot be opened.
    pub fn open_to_lock(folder: &Path) -> io::Result<File> {
        File::options().write(true).create(true).truncate(false).open(folder.join(".lock"))
    }

    /// The first `most` bytes of a name, or fewer.
    pub fn name_part(name: &OsStr, most: usize) -> OsString {
        let text = name.to_string_lossy();
        text[..text.floor_char_boundary(most)].into()
    }
}
