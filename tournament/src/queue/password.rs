//! The broker's password, out of sight of engines: not in the environment, which everything of the same user can read.

use super::options::PASSWORD_VARIABLE;
use rustix::fs::{MemfdFlags, memfd_create};
use std::env;
use std::fs::{self, File};
use std::io::{Seek, Write};
use std::os::fd::AsRawFd;
use std::sync::OnceLock;

/// The variable with the number of a descriptor from which the password can be read once.
pub const DESCRIPTOR_VARIABLE: &str = "KROO_QUEUE_PASSWORD_DESCRIPTOR";

static PASSWORD: OnceLock<String> = OnceLock::new();

/// Writes the password of the environment to a file in memory that a program started by this process keeps. Returns the number of its
/// descriptor.
#[must_use]
pub fn hand_over_password() -> Option<(String, File)> {
    let password = env::var(PASSWORD_VARIABLE).ok()?;
    let mut file = File::from(memfd_create("password", MemfdFlags::empty()).ok()?);
    file.write_all(password.as_bytes()).ok()?;
    file.rewind().ok()?;
    Some((file.as_raw_fd().to_string(), file))
}

/// Reads the password that [`hand_over_password`] has written, and empties the file. Says whether there is one.
pub fn take_over_password() -> bool {
    let Some(number) = env::var(DESCRIPTOR_VARIABLE).ok().and_then(|number| number.parse::<u32>().ok())
    else {
        return false;
    };
    let path = format!("/proc/self/fd/{number}");
    let is_ours =
        fs::read_link(&path).is_ok_and(|target| target.to_string_lossy().contains("memfd:password"));
    let Some(password) = is_ours.then(|| fs::read_to_string(&path).ok()).flatten() else { return false };
    // The descriptor is inherited by programs that this one starts: nothing is left there.
    let _ = File::options().write(true).truncate(true).open(&path);
    PASSWORD.set(password).is_ok()
}

/// The password that was not given in an address.
pub(super) fn password() -> Option<String> {
    PASSWORD.get().cloned().or_else(|| env::var(PASSWORD_VARIABLE).ok())
}
