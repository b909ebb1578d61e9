//! Running a program until it ends, or is stopped with all that it has started.

use kroo::files;
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};
use std::env;
use std::ffi::OsString;
use std::fs::File;
use std::io;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, ExitStatus};
use std::thread;
use std::time::{Duration, Instant};

/// How often it is looked whether a program has ended.
const POLL: Duration = Duration::from_millis(20);
/// The time that a program has to end when it is asked to.
const GRACE: Duration = Duration::from_secs(3);
/// The most bytes of a program's output that are looked at: its end.
const MOST: u64 = 1 << 20;

/// How a program ended.
#[derive(Debug)]
pub(super) enum Ended {
    /// By itself.
    Exited(ExitStatus),
    /// It was asked to stop.
    Stopped,
}

/// Runs a program in a process group of its own, so that it can be stopped with its children.
pub(super) fn run(command: &mut Command, stop: &dyn Fn() -> bool) -> io::Result<Ended> {
    let mut child = command.process_group(0).spawn()?;
    loop {
        if has_ended(&child)? {
            return Ok(Ended::Exited(child.wait()?));
        }
        if stop() {
            end(&mut child)?;
            return Ok(Ended::Stopped);
        }
        thread::sleep(POLL);
    }
}

/// Whether it has ended. Its number stays its own: it is not waited for yet.
fn has_ended(child: &Child) -> io::Result<bool> {
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    Ok(waitid(WaitId::Pid(Pid::from_child(child)), options)?.is_some())
}

fn end(child: &mut Child) -> io::Result<()> {
    let group = Pid::from_child(child);
    // A group that is gone has ended.
    let _ = kill_process_group(group, Signal::TERM);
    let asked = Instant::now();
    while asked.elapsed() < GRACE && !has_ended(child)? {
        thread::sleep(POLL);
    }
    let _ = kill_process_group(group, Signal::KILL);
    child.wait()?;
    Ok(())
}

/// Variables that builds get, by their beginning, besides those that compilers obey. A commit under test is not
/// trusted: it gets no password.
const PASSED: [&str; 16] = [
    "PATH=",
    "HOME=",
    "USER=",
    "LOGNAME=",
    "LANG=",
    "LANGUAGE=",
    "LC_",
    "TZ=",
    "TMPDIR=",
    "CARGO_HOME=",
    "RUSTUP_HOME=",
    "CARGO_TERM_",
    "SSL_CERT_",
    "PKG_CONFIG_PATH=",
    "XDG_CACHE_HOME=",
    "CARGO_INCREMENTAL=",
];

/// Our variables that are on a short list, or begin like others.
pub(super) fn passed_variables(others: &[&str]) -> Vec<(OsString, OsString)> {
    let passed = |name: &str| {
        let name = format!("{name}=");
        PASSED.iter().chain(others).any(|begin| name.starts_with(begin))
    };
    env::vars_os().filter(|(name, _)| passed(&name.to_string_lossy())).collect()
}

/// The end of a file of output.
pub(super) fn end_of(path: &Path) -> io::Result<String> {
    let bytes = files::read_end(&File::open(path)?, MOST)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
