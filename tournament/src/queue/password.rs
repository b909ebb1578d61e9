//! The broker's password, out of sight of engines, which may run as the same user: not in the environment of this process, and not
//! in memory that others may read.

use super::address::{PASSWORD_FILE_VARIABLE, PASSWORD_VARIABLE};
use rustix::fs::{MemfdFlags, memfd_create};
use rustix::process::{DumpableBehavior, set_dumpable_behavior};
use std::fs::{self, File};
use std::io::{self, Seek, Write};
use std::os::fd::AsRawFd;
use std::os::unix::process::CommandExt;
use std::process::Command;
use std::sync::OnceLock;
use std::{env, fmt};

/// The variable with the number of a descriptor that gives the password once.
const DESCRIPTOR_VARIABLE: &str = "KROO_QUEUE_PASSWORD_DESCRIPTOR";

static PASSWORD: OnceLock<String> = OnceLock::new();

/// Removes the broker's password from the environment of this process, and keeps others from reading its memory. The environment
/// that a process was started with cannot be changed: the program is started again, with the password in a file in memory.
pub fn hide_password() -> Result<(), String> {
    let failed = |what: &dyn fmt::Display| {
        format!(
            "{PASSWORD_VARIABLE} cannot be hidden: {what}; {PASSWORD_FILE_VARIABLE}=FILE names a file instead"
        )
    };
    let is_set = |variable: &str| env::var_os(variable).is_some();
    match (is_set(PASSWORD_VARIABLE), is_set(PASSWORD_FILE_VARIABLE)) {
        (true, true) => {
            Err(format!("{PASSWORD_VARIABLE} and {PASSWORD_FILE_VARIABLE} are both set: unset one"))
        }
        (true, false) => start_again().map(|never| match never {}).map_err(|error| failed(&error)),
        (false, _) if is_set(DESCRIPTOR_VARIABLE) => {
            deny_dumps().map_err(|error| failed(&error))?;
            take_over();
            Ok(())
        }
        (false, true) => deny_dumps().map_err(|error| failed(&error)),
        (false, false) => Ok(()),
    }
}

/// Whether the password came in [`PASSWORD_VARIABLE`]: a program that starts this one again must set it again.
pub fn was_given_password() -> bool {
    PASSWORD.get().is_some()
}

/// No process of the same user may read this one's memory, environment or descriptors.
fn deny_dumps() -> io::Result<()> {
    Ok(set_dumpable_behavior(DumpableBehavior::NotDumpable)?)
}

/// Starts this program in its own place, without the password in the environment.
fn start_again() -> io::Result<std::convert::Infallible> {
    let no_text = |_| io::Error::other("it is not UTF-8");
    let password = env::var(PASSWORD_VARIABLE).map_err(no_text)?;
    let mut file = File::from(memfd_create("password", MemfdFlags::empty())?);
    file.write_all(password.as_bytes())?;
    file.rewind()?;
    let mut arguments = env::args_os();
    let name = arguments.next().unwrap_or_default();
    let mut again = Command::new("/proc/self/exe");
    again
        .arg0(name)
        .args(arguments)
        .env_remove(PASSWORD_VARIABLE)
        .env(DESCRIPTOR_VARIABLE, file.as_raw_fd().to_string());
    Err(again.exec())
}

/// Reads the password that [`start_again`] has written, and empties the file.
fn take_over() {
    let Some(number) = env::var(DESCRIPTOR_VARIABLE).ok().and_then(|number| number.parse::<u32>().ok())
    else {
        return;
    };
    let path = format!("/proc/self/fd/{number}");
    let is_ours =
        fs::read_link(&path).is_ok_and(|target| target.to_string_lossy().contains("memfd:password"));
    let Some(password) = is_ours.then(|| fs::read_to_string(&path).ok()).flatten() else { return };
    let _ = File::options().write(true).truncate(true).open(&path);
    // A program that this one started finds the file empty.
    if !password.is_empty() {
        let _ = PASSWORD.set(password);
    }
}

/// The broker's password, if any.
#[cfg(feature = "queue")]
pub(super) fn password() -> Result<Option<String>, String> {
    use std::io::Read;
    use std::path::PathBuf;
    /// The longest password, in bytes.
    const MOST: u64 = 4 << 10;
    if let Some(password) = PASSWORD.get() {
        return Ok(Some(password.clone()));
    }
    let Some(path) = env::var_os(PASSWORD_FILE_VARIABLE).map(PathBuf::from) else { return Ok(None) };
    let failed = |problem: &dyn fmt::Display| {
        format!("{PASSWORD_FILE_VARIABLE}: {}: {problem}", kroo::files::shown(&path))
    };
    let mut text = String::new();
    let read = File::open(&path).and_then(|file| file.take(MOST + 1).read_to_string(&mut text));
    let length = read.map_err(|error| failed(&error))?;
    let password = text.strip_suffix('\n').unwrap_or(&text);
    if password.is_empty() || length as u64 > MOST {
        return Err(failed(&format!("expected a password of 1 to {MOST} bytes, and nothing else")));
    }
    Ok(Some(password.to_owned()))
}
