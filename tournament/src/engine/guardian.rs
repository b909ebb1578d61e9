//! Nobody is left behind: a small process that outlives the referee by a moment.
//!
//! A program killed with SIGKILL can clean up nothing. So the referee starts itself a second time as a guardian, in a
//! process group of its own, and tells it through a pipe which groups of engines there are: `+123`, and `-123` when
//! one is gone. When the referee ends, however it ends, the pipe does, and the guardian kills what is still listed.
//! Then it looks for processes that carry the match's mark in their environment: children of engines that left their
//! group, or an engine whose group was still untold. No process can slip through between its start and that: until
//! its program runs it holds a copy of the pipe, which therefore has not ended.

use rustix::process::{Pid, Signal, kill_process, kill_process_group};
use std::collections::HashSet;
use std::io::{self, BufRead, Write};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use std::{fs, thread};

/// The variable that marks an engine and its children.
const MARK: &str = "KROO_REFEREE";
/// The argument that makes the referee a guardian; the mark's value follows it.
pub const GUARD_FLAG: &str = "--guard";
/// How often marked processes are looked for while there are any, and the pause between.
const LOOKS: (u32, Duration) = (100, Duration::from_millis(5));

/// The referee's side of the guardian.
#[derive(Debug)]
pub struct Guardian {
    process: Child,
    pipe: Mutex<Option<ChildStdin>>,
    mark: String,
}

impl Guardian {
    /// Starts a guardian; the program is the referee's own.
    ///
    /// From now on orphans of engines are children of this process, so that it can reap them.
    ///
    /// # Errors
    /// If it cannot be started.
    pub fn start(program: &Path) -> io::Result<Guardian> {
        #[cfg(target_os = "linux")]
        rustix::process::set_child_subreaper(Some(rustix::process::getpid()))?;
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let mark = format!("{}-{}", std::process::id(), now.as_nanos());
        let mut process = Command::new(program)
            .args([GUARD_FLAG, &mark])
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .process_group(0)
            .spawn()?;
        let pipe = Mutex::new(process.stdin.take());
        Ok(Guardian { process, pipe, mark })
    }

    /// Marks an engine before it is started.
    pub fn mark(&self, command: &mut Command) {
        command.env(MARK, &self.mark);
    }

    /// A group of processes exists.
    pub fn watch(&self, group: Pid) {
        self.tell('+', group);
    }

    /// A group of processes has been killed.
    pub fn forget(&self, group: Pid) {
        self.tell('-', group);
    }

    fn tell(&self, sign: char, group: Pid) {
        let mut pipe = self.pipe.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(pipe) = pipe.as_mut() {
            // A guardian that somebody killed cannot be told anything, and the match need not suffer.
            let _ = writeln!(pipe, "{sign}{}", group.as_raw_nonzero());
        }
    }
}

impl Drop for Guardian {
    /// Lets the guardian do its work and waits for it.
    fn drop(&mut self) {
        self.pipe.get_mut().unwrap_or_else(PoisonError::into_inner).take();
        let _ = self.process.wait();
    }
}

/// What the guardian does: it reads groups to the end of the input, then kills what is left of the match.
pub fn stand_guard(mark: &str, input: impl BufRead) {
    let mut groups = HashSet::new();
    for line in input.lines().map_while(Result::ok) {
        let (sign, number) = line.split_at_checked(1).unwrap_or_default();
        let group = number.parse().ok().and_then(Pid::from_raw);
        match (sign, group) {
            ("+", Some(group)) => _ = groups.insert(group),
            ("-", Some(group)) => _ = groups.remove(&group),
            _ => {}
        }
    }
    for group in groups {
        let _ = kill_process_group(group, Signal::KILL);
    }
    let (looks, pause) = LOOKS;
    let marked = format!("{MARK}={mark}");
    for _ in 0..looks {
        if !kill_marked(&marked) {
            return;
        }
        thread::sleep(pause);
    }
}

/// Kills all processes with this variable; says whether there were any.
fn kill_marked(marked: &str) -> bool {
    let Ok(processes) = fs::read_dir("/proc") else { return false };
    let mut found = false;
    for process in processes.flatten() {
        let name = process.file_name();
        let Some(pid) = name.to_str().and_then(|name| name.parse().ok()).and_then(Pid::from_raw) else {
            continue;
        };
        let Ok(environment) = fs::read(process.path().join("environ")) else { continue };
        if environment.split(|&byte| byte == 0).any(|variable| variable == marked.as_bytes()) {
            found = true;
            let _ = kill_process(pid, Signal::KILL);
        }
    }
    found
}
