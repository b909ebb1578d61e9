//! The cleanup process, which briefly outlives the referee and kills everything left.
//!
//! A program killed with SIGKILL cannot clean up. So the referee starts its own program a second time, in a process group of
//! its own, and writes to it through a pipe, a line each:
//!
//! | line | meaning |
//! |---|---|
//! | `+N` | process N is the shim of an engine |
//! | `-N` | shim N is gone, and all below it |
//! | `tPATH` | a temporary file, to be removed |
//! | `c` | the referee has cleaned up itself |
//!
//! When the referee ends, for any reason, the pipe ends with it. The cleanup process then kills the control groups of the
//! engines, if any, and everything below the shims still listed, in any group and session, then the shims, and removes the files.
//! The shims notice the end of the referee themselves and do the same; the cleanup process is for shims that an engine has
//! suspended.
//!
//! One case is left: without control groups, the processes of an engine that has killed its shim when the referee is killed
//! in the same moment. The sandbox prevents that.

use super::control_group::{self, control_groups};
use super::process_tree::kill_below;
use ahash::AHashSet;
use rustix::process::{Pid, Signal, kill_process};
use std::ffi::OsStr;
use std::io::BufRead;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::time::Duration;
use std::{fs, thread};

/// The argument that makes the program a cleanup process. The mark of the match's control groups follows it.
pub const CLEANUP_FLAG: &str = "--cleanup";
/// How often killed processes are looked for until none is left, and the pause between two looks.
const LOOKS: u32 = 100;
pub(super) const PAUSE: Duration = Duration::from_millis(5);

/// A message to the cleanup process.
#[derive(Clone, Copy, Debug)]
pub(super) enum Message<'a> {
    /// This is the shim of an engine.
    Started(Pid),
    /// The shim is gone.
    Gone(Pid),
    /// A temporary file will be made.
    Temporary(&'a Path),
    /// The referee has killed all processes itself. As a subreaper it has missed no orphan.
    CleanedUp,
}

impl Message<'_> {
    /// The line, with its end; `None` for a file with a line break in its name.
    pub fn line(self) -> Option<Vec<u8>> {
        let line = match self {
            Message::Started(shim) => format!("+{}", shim.as_raw_nonzero()).into_bytes(),
            Message::Gone(shim) => format!("-{}", shim.as_raw_nonzero()).into_bytes(),
            Message::Temporary(path) => [b"t", path.as_os_str().as_bytes()].concat(),
            Message::CleanedUp => b"c".to_vec(),
        };
        (!line.contains(&b'\n')).then(|| [line.as_slice(), b"\n"].concat())
    }
}

/// The cleanup process: reads messages to the end of the input, then kills what is left of the match.
pub fn clean_up_after(mark: &str, input: impl BufRead) {
    let (mut shims, mut files, mut cleaned_up) = (AHashSet::new(), Vec::new(), false);
    for line in input.split(b'\n').map_while(Result::ok) {
        let Some((sign, rest)) = line.split_first() else { continue };
        let shim = || str::from_utf8(rest).ok()?.parse().ok().and_then(Pid::from_raw);
        match sign {
            b'+' => shims.extend(shim()),
            b'-' => _ = shim().map(|shim| shims.remove(&shim)),
            b't' => files.push(PathBuf::from(OsStr::from_bytes(rest))),
            b'c' => cleaned_up = true,
            _ => {}
        }
    }
    let groups = control_groups();
    let clear_groups = || groups.as_ref().is_none_or(|home| control_group::clear(home, mark));
    if !cleaned_up {
        clear_groups();
    }
    for shim in shims {
        // A shim whose engine cannot be killed here keeps trying.
        if kill_below(shim) {
            let _ = kill_process(shim, Signal::KILL);
        }
    }
    for file in files {
        // A document that is complete no longer has its temporary name.
        let _ = fs::remove_file(file);
    }
    if !cleaned_up {
        look_until(clear_groups);
    }
}

/// Looks again and again until nothing is left, since a killed process is not gone at once.
pub(super) fn look_until(mut is_clear: impl FnMut() -> bool) {
    for _ in 0..LOOKS {
        if is_clear() {
            return;
        }
        thread::sleep(PAUSE);
    }
}
