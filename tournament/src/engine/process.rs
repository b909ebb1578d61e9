//! An engine's process: how it is started, and killed with all its descendants.

use super::pipes::{Pipes, ended_before};
use super::spec::EngineSpec;
use super::supervisor::Supervisor;
use crate::proc_fs::Stat;
use rustix::io::Errno;
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};
use signal_hook::low_level::signal_name;
use std::fs::File;
use std::io::{self, PipeReader, PipeWriter};
use std::mem;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

/// How long a killed process may take to be gone. One that hangs in the system is abandoned.
const KILL_TIMEOUT: Duration = Duration::from_secs(1);

/// A running engine, the leader of a process group of its own. Dropping it kills the group.
#[derive(Debug)]
pub struct EngineProcess {
    child: Child,
    /// The number of the process and of its group. Only [`EngineProcess::kill`] reaps it, so the number stays its own.
    group: Pid,
    /// Ends when the process does.
    exit: PipeReader,
    /// The environment variable that its descendants carry.
    marker: String,
    supervisor: Arc<Supervisor>,
    killed: bool,
}

impl EngineProcess {
    /// Starts an engine.
    ///
    /// # Errors
    /// What the system says.
    pub fn start(spec: &EngineSpec, supervisor: &Arc<Supervisor>) -> io::Result<(EngineProcess, Pipes)> {
        let mut command = Command::new(&spec.command);
        command
            .args(&spec.args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(stderr_of(spec)?)
            .process_group(0);
        if let Some(dir) = &spec.dir {
            command.current_dir(dir);
        }
        let (exit, notice) = io::pipe()?;
        let own_exit = exit.try_clone()?;
        let (mut child, marker) = supervisor.spawn(&mut command)?;
        let group = Pid::from_child(&child);
        let (input, output) = (child.stdin.take(), child.stdout.take());
        let supervisor = Arc::clone(supervisor);
        let process = EngineProcess { child, group, exit: own_exit, marker, supervisor, killed: false };
        let input = input.ok_or(io::ErrorKind::BrokenPipe)?;
        let output = output.ok_or(io::ErrorKind::BrokenPipe)?;
        let waiter = thread::Builder::new().name("exit".to_owned()).stack_size(64 * 1024);
        waiter.spawn(move || await_exit(group, notice))?;
        Ok((process, Pipes::new(input, output, exit)?))
    }

    /// The process number.
    pub fn pid(&self) -> Pid {
        self.group
    }

    /// How many processes that it has started are alive, wherever they have gone.
    pub fn living_descendants(&self) -> usize {
        self.supervisor.count_descendants(self.group, &self.marker)
    }

    /// The processor time it has used; `None` if the system does not say.
    pub fn processor_time(&self) -> Option<Duration> {
        Stat::of_process(self.group).map(|stat| stat.processor_time)
    }

    /// Kills the engine, if it still runs, and its descendants. Returns its exit status the first time.
    pub fn kill(&mut self) -> Option<ExitStatus> {
        if mem::replace(&mut self.killed, true) {
            return None;
        }
        self.supervisor.kill_descendants(self.group, &self.marker);
        // The group may be empty, and the engine may have left its group: neither matters.
        let _ = kill_process_group(self.group, Signal::KILL);
        let _ = self.child.kill();
        if !ended_before(&self.exit, Instant::now() + KILL_TIMEOUT) {
            return None;
        }
        self.supervisor.reap(&mut self.child)
    }
}

impl Drop for EngineProcess {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Where the engine's standard error goes.
fn stderr_of(spec: &EngineSpec) -> io::Result<Stdio> {
    Ok(match &spec.stderr {
        Some(path) => File::options().create(true).append(true).open(path)?.into(),
        None => Stdio::null(),
    })
}

/// Waits for the end of a process without reaping it. Then the pipe ends.
fn await_exit(process: Pid, notice: PipeWriter) {
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
    while matches!(waitid(WaitId::Pid(process), options), Err(Errno::INTR)) {}
    drop(notice);
}

/// An exit status in words: `ended with exit status 3`, `was killed by signal 11 (SIGSEGV)`.
#[must_use]
pub fn describe(status: ExitStatus) -> String {
    match status.signal() {
        Some(signal) => {
            let name = signal_name(signal).map(|name| format!(" ({name})")).unwrap_or_default();
            format!("was killed by signal {signal}{name}")
        }
        None => format!("ended with exit status {}", status.code().unwrap_or_default()),
    }
}
