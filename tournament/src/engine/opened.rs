//! The files of an engine, opened once: its program, its folder, the file for its standard error and those that it may read.
//!
//! They are opened before the first engine starts, and kept for the whole match. A shim is handed the open files, so no path is
//! resolved once an engine has run: an engine that replaces a file by a link gains nothing. They are handed over through a socket
//! (unix(7), `SCM_RIGHTS`).

use super::layout::Layout;
use super::program::{KnownProgram, OpenProgram, ProgramContent};
use kroo::files;
use rustix::fs::{Mode, OFlags, open};
use rustix::io::{Errno, FdFlags, fcntl_setfd};
use rustix::net::{
    RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer, SendAncillaryMessage,
    SendFlags, recvmsg, sendmsg,
};
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::{self, ErrorKind, IoSlice, IoSliceMut};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// How a file is opened that is only to be bound or entered.
const NAMED: OFlags = OFlags::PATH;
/// The most files that can be handed over: the system allows 253.
pub(super) const MOST_FILES: usize = 128;

/// A file of an engine cannot be opened.
#[derive(Debug, thiserror::Error)]
#[error("`{word}`: {error}")]
pub struct NotOpened {
    /// The engine's word: `dir=work`.
    word: String,
    error: io::Error,
}

/// The paths of an engine's files.
pub(super) struct EnginePaths<'a> {
    pub program: Option<PathBuf>,
    pub dir: Option<&'a Path>,
    pub stderr: Option<&'a Path>,
    /// The paths that it may read in its sandbox, if it has one.
    pub reads: Option<&'a [PathBuf]>,
}

/// The open files of an engine.
#[derive(Debug)]
pub(super) struct EngineFiles {
    pub(super) program: OpenProgram,
    pub(super) dir: Option<OwnedFd>,
    pub(super) stderr: Option<File>,
    /// The files and folders that it may read in its sandbox, in the order of its layout.
    pub(super) bound: Vec<OwnedFd>,
    /// What its sandbox shows where, if it has one.
    pub(super) layout: Option<Layout>,
}

/// The files of an engine once they have been opened, or why its program cannot be.
#[derive(Clone, Debug, Default)]
pub struct Opened(Option<Arc<io::Result<EngineFiles>>>);

impl Opened {
    /// Opens the files of an engine. A program that cannot be opened is the engine's own fault, which shows when it is started.
    pub(super) fn new(paths: &EnginePaths<'_>) -> Result<Opened, NotOpened> {
        Ok(Opened(Some(Arc::new(EngineFiles::open(paths)?))))
    }

    pub(super) fn files(&self) -> io::Result<&EngineFiles> {
        let Some(opened) = self.0.as_deref() else { return Err(Errno::BADF.into()) };
        opened.as_ref().map_err(|error| match error.raw_os_error() {
            Some(code) => io::Error::from_raw_os_error(code),
            None => io::Error::other(error.to_string()),
        })
    }
}

/// Two engines are the same program if their contents are the same.
impl PartialEq for Opened {
    fn eq(&self, other: &Opened) -> bool {
        let content = |opened: &Opened| opened.files().map(|files| files.content().clone()).ok();
        content(self) == content(other)
    }
}

impl Eq for Opened {}

/// A shim's facts about open files, besides their descriptors.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct KnownFiles {
    pub program: KnownProgram,
    has_dir: bool,
    has_stderr: bool,
    layout: Option<Layout>,
}

impl EngineFiles {
    fn open(paths: &EnginePaths<'_>) -> Result<io::Result<EngineFiles>, NotOpened> {
        let failed = |key: &str, path: &Path, error: io::Error| NotOpened {
            word: format!("{key}={}", path.display()),
            error,
        };
        let append = |path| files::open_to_write(File::options().create(true).append(true), path);
        let stderr = paths.stderr.map(|path| append(path).map_err(|error| failed("stderr", path, error)));
        let stderr = stderr.transpose()?;
        let (dir, reads) = (paths.dir, paths.reads.unwrap_or_default());
        for (key, path) in
            dir.iter().map(|&dir| ("dir", dir)).chain(reads.iter().map(|path| ("read", path.as_path())))
        {
            path.canonicalize().map_err(|error| failed(key, path, error))?;
        }
        let Some(path) = &paths.program else { return Ok(Err(Errno::NOENT.into())) };
        let opened = || {
            let layout = paths.reads.map(|reads| Layout::new(path, dir, reads)).transpose()?;
            let named = |path: &Path| open(path, NAMED | OFlags::CLOEXEC, Mode::empty());
            let bound = layout
                .iter()
                .flat_map(|layout| &layout.bound)
                .map(|path| named(path))
                .collect::<Result<_, _>>()?;
            let program = layout.as_ref().map_or(path.as_path(), |layout| &layout.program);
            let sealed = layout.as_ref().is_some_and(Layout::copies_program);
            Ok(EngineFiles {
                program: OpenProgram::open(program, sealed)?,
                dir: dir.map(named).transpose()?,
                stderr,
                bound,
                layout,
            })
        };
        Ok(opened())
    }

    /// The identity of its program.
    pub(super) fn content(&self) -> &ProgramContent {
        &self.program.known.content
    }

    /// The shim's facts about them.
    pub(super) fn known(&self) -> KnownFiles {
        KnownFiles {
            program: self.program.known.clone(),
            has_dir: self.dir.is_some(),
            has_stderr: self.stderr.is_some(),
            layout: self.layout.clone(),
        }
    }

    /// Their descriptors, in the order in which a shim takes them.
    pub(super) fn descriptors(&self) -> Vec<BorrowedFd<'_>> {
        let stderr = self.stderr.as_ref().map(AsFd::as_fd);
        let dir = self.dir.as_ref().map(AsFd::as_fd);
        let bound = self.bound.iter().map(AsFd::as_fd);
        [self.program.file.as_fd()].into_iter().chain(dir).chain(stderr).chain(bound).collect()
    }

    /// The path of a file to read.
    pub(super) fn bound_path(&self, number: usize) -> &Path {
        let path = self.layout.as_ref().and_then(|layout| layout.bound.get(number));
        path.map_or(Path::new(""), PathBuf::as_path)
    }

    /// The same files in another process, which was handed their descriptors; `None` if there are not as many.
    pub(super) fn handed(known: KnownFiles, descriptors: Vec<OwnedFd>) -> Option<EngineFiles> {
        let KnownFiles { program, has_dir, has_stderr, layout } = known;
        let mut descriptors = descriptors.into_iter();
        let program = OpenProgram { known: program, file: File::from(descriptors.next()?) };
        let dir = if has_dir { Some(descriptors.next()?) } else { None };
        let stderr = if has_stderr { Some(File::from(descriptors.next()?)) } else { None };
        let bound: Vec<OwnedFd> = descriptors.collect();
        let expected = layout.as_ref().map_or(0, |layout| layout.bound.len());
        (bound.len() == expected).then_some(EngineFiles { program, dir, stderr, bound, layout })
    }
}

/// Hands files over, with a byte.
pub(super) fn hand_over(link: &UnixStream, files: &[BorrowedFd<'_>]) -> io::Result<()> {
    let message = SendAncillaryMessage::ScmRights(files);
    let mut space = vec![MaybeUninit::uninit(); message.size()];
    let mut control = SendAncillaryBuffer::new(&mut space);
    if !control.push(message) {
        return Err(ErrorKind::OutOfMemory.into());
    }
    sendmsg(link, &[IoSlice::new(b"\n")], &mut control, SendFlags::empty())?;
    Ok(())
}

/// Takes files that were handed over. Programs that this process starts do not inherit them.
pub(super) fn take_over(link: &UnixStream) -> io::Result<Vec<OwnedFd>> {
    let mut space = vec![MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(MOST_FILES))];
    let mut control = RecvAncillaryBuffer::new(&mut space);
    recvmsg(link, &mut [IoSliceMut::new(&mut [0])], &mut control, RecvFlags::empty())?;
    let files: Vec<OwnedFd> = control
        .drain()
        .filter_map(|message| match message {
            RecvAncillaryMessage::ScmRights(files) => Some(files),
            _ => None,
        })
        .flatten()
        .collect();
    files.iter().try_for_each(|file| fcntl_setfd(file, FdFlags::CLOEXEC))?;
    Ok(files)
}
