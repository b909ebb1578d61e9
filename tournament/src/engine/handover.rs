//! Open files, handed to another process through a socket (unix(7), `SCM_RIGHTS`).

use rustix::io::{FdFlags, fcntl_setfd};
use rustix::net::{
    RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer, SendAncillaryMessage,
    SendFlags, recvmsg, sendmsg,
};
use std::io::{self, ErrorKind, IoSlice, IoSliceMut};
use std::mem::MaybeUninit;
use std::os::fd::{BorrowedFd, OwnedFd};
use std::os::unix::net::UnixStream;

/// The most files that can be handed over: the system allows 253.
pub(super) const MOST_FILES: usize = 128;

/// Hands files over, with a byte.
///
/// # Errors
/// The system's error.
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
///
/// # Errors
/// The system's error.
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
