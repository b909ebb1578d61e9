//! System-dependent operations: the identity, owner and opening of files.
//!
//! Linux and macOS share an implementation. Windows has no owners and permissions, identifies files by their handles, and
//! refuses to read what another process has locked. Other systems do not identify files.

pub(super) use here::{create_like, keep_rights, may_follow, never_wait, special};
pub use here::{identity_at, identity_of, name_part, open_to_lock};

/// The identity of a file, whatever its name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FileIdentity {
    volume: u64,
    /// The file's number on the volume.
    number: u64,
}

#[cfg(unix)]
mod here {
    use super::FileIdentity;
    use rustix::fs::OFlags;
    use rustix::process::geteuid;
    use std::ffi::{OsStr, OsString};
    use std::fs::{self, File, FileType, Metadata, OpenOptions};
    use std::io;
    use std::os::unix::ffi::OsStrExt;
    use std::os::unix::fs::{FileTypeExt, MetadataExt, OpenOptionsExt, fchown};
    use std::path::Path;

    /// The identity of the file that a path leads to.
    pub fn identity_at(path: &Path) -> io::Result<FileIdentity> {
        Ok(of(&fs::metadata(path)?))
    }

    /// The identity of an open file.
    pub fn identity_of(file: &File) -> io::Result<FileIdentity> {
        Ok(of(&file.metadata()?))
    }

    fn of(metadata: &Metadata) -> FileIdentity {
        FileIdentity { volume: metadata.dev(), number: metadata.ino() }
    }

    /// Makes a new file have the permissions of the one that it replaces, or the default ones.
    pub fn create_like(options: &mut OpenOptions, before: Option<&Metadata>) {
        options.mode(before.map_or(0o666, |before| before.mode() & 0o777));
    }

    /// Whether a link in a folder may be followed. In a folder that all users write to and only remove their own files from, such
    /// as `/tmp`, it must be a link of this user or of the folder's owner: others cannot replace those.
    pub fn may_follow(link: &Metadata, folder: &Path) -> io::Result<()> {
        const FOR_ALL: u32 = 0o1002;
        let folder = fs::metadata(folder)?;
        let is_own = link.uid() == geteuid().as_raw() || link.uid() == folder.uid();
        if is_own || folder.mode() & FOR_ALL != FOR_ALL {
            return Ok(());
        }
        let problem = "it is a link of another user in a folder for all users";
        Err(io::Error::new(io::ErrorKind::PermissionDenied, problem))
    }

    /// Makes opening non-blocking.
    pub fn never_wait(options: &mut OpenOptions) {
        // The standard library adds `O_CLOEXEC`.
        options.custom_flags(OFlags::NONBLOCK.bits() as i32);
    }

    /// The name of a type other than file and folder.
    pub fn special(found: FileType) -> &'static str {
        match () {
            () if found.is_fifo() => "pipe",
            () if found.is_socket() => "socket",
            () => "device",
        }
    }

    /// Gives a new file the owner, group and permissions of the one that it replaces, if the system allows it: the owner only for
    /// root, the group only if the user is a member.
    pub fn keep_rights(file: &File, before: &Metadata) {
        let (owner, group) = (before.uid(), before.gid());
        if file.metadata().is_ok_and(|now| (now.uid(), now.gid()) != (owner, group)) {
            let _ = fchown(file, Some(owner), Some(group)).or_else(|_| fchown(file, None, Some(group)));
        }
        // The umask may have removed some. Failure, for instance on a file system without permissions, is harmless.
        let _ = file.set_permissions(before.permissions());
    }

    /// Opens the file for locking a folder: here the folder itself.
    pub fn open_to_lock(folder: &Path) -> io::Result<File> {
        File::open(folder)
    }

    /// A prefix of a name with at most `most` bytes.
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
    pub fn identity_at(path: &Path) -> io::Result<FileIdentity> {
        identity_of(&File::open(path)?)
    }

    /// The identity of an open file.
    #[cfg(windows)]
    pub fn identity_of(file: &File) -> io::Result<FileIdentity> {
        let told = winapi_util::file::information(file)?;
        Ok(FileIdentity { volume: told.volume_serial_number(), number: told.file_index() })
    }

    #[cfg(not(windows))]
    pub fn identity_of(_file: &File) -> io::Result<FileIdentity> {
        Err(io::ErrorKind::Unsupported.into())
    }

    /// No effect: a new file inherits the rights of its folder.
    pub fn create_like(_options: &mut OpenOptions, _before: Option<&Metadata>) {}

    /// There are no owners.
    pub fn may_follow(_link: &Metadata, _folder: &Path) -> io::Result<()> {
        Ok(())
    }

    /// No effect: opening does not block here.
    pub fn never_wait(_options: &mut OpenOptions) {}

    /// The name of a type other than file and folder.
    pub fn special(_found: FileType) -> &'static str {
        "device"
    }

    /// No effect: there are no owners and groups.
    pub fn keep_rights(_file: &File, _before: &Metadata) {}

    /// Opens the file for locking a folder: a permanent file in it, because a folder cannot be opened here.
    pub fn open_to_lock(folder: &Path) -> io::Result<File> {
        File::options().write(true).create(true).truncate(false).open(folder.join(".lock"))
    }

    /// A prefix of a name with at most `most` bytes.
    pub fn name_part(name: &OsStr, most: usize) -> OsString {
        let text = name.to_string_lossy();
        text[..text.floor_char_boundary(most)].into()
    }
}
