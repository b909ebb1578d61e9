//! Starting an engine, and ending it with all its children.

use super::EngineSpec;
use super::pipes::{Pipes, ended_before};
use super::supervisor::Supervisor;
use rustix::io::Errno;
use rustix::param::clock_ticks_per_second;
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};
use signal_hook::low_level::signal_name;
use std::fs::{self, File};
use std::io::{self, PipeReader, PipeWriter};
use std::mem;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

/// How long a killed engine may take to be gone. One that hangs in the system is left behind.
const DEATH: Duration = Duration::from_secs(1);

/// A running engine, the leader of a process group of its own. Dropping it kills the group.
#[derive(Debug)]
pub struct Process {
    child: Child,
    group: Pid,
    /// Ends with the process, which is not reaped before, so that its number can be nobody else's.
    exit: PipeReader,
    /// What its children carry.
    mark: String,
    supervisor: Arc<Supervisor>,
    ended: bool,
}

impl Process {
    /// Starts an engine.
    ///
    /// # Errors
    /// What the system says.
    pub fn start(spec: &EngineSpec, supervisor: &Arc<Supervisor>) -> io::Result<(Process, Pipes)> {
        let mut command = Command::new(&spec.command);
        command
            .args(&spec.args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(errors_of(spec)?)
            .process_group(0);
        if let Some(dir) = &spec.dir {
            command.current_dir(dir);
        }
        let (exit, notice) = io::pipe()?;
        let own_exit = exit.try_clone()?;
        let (mut child, mark) = supervisor.spawn(&mut command)?;
        let group = Pid::from_child(&child);
        let (input, output) = (child.stdin.take(), child.stdout.take());
        let process =
            Process { child, group, exit: own_exit, mark, supervisor: Arc::clone(supervisor), ended: false };
        let input = input.ok_or(io::ErrorKind::BrokenPipe)?;
        let output = output.ok_or(io::ErrorKind::BrokenPipe)?;
        let waiter = thread::Builder::new().name("exit".to_owned()).stack_size(64 * 1024);
        waiter.spawn(move || await_exit(group, notice))?;
        Ok((process, Pipes::new(input, output, exit)?))
    }

    /// The process itself.
    pub fn id(&self) -> Pid {
        self.group
    }

    /// How many processes that it has started live, wherever they have gone.
    pub fn descendants(&self) -> usize {
        self.supervisor.descendants(self.group, &self.mark)
    }

    /// The processor time it has used, in the system's ticks of ten milliseconds or so.
    pub fn processor_time(&self) -> Option<Duration> {
        let text = fs::read_to_string(format!("/proc/{}/stat", self.group.as_raw_nonzero())).ok()?;
        // The program's name, which may have blanks in it, ends with the last bracket.
        let fields: Vec<&str> = text.rsplit(") ").next()?.split(' ').collect();
        let ticks = fields.get(11)?.parse::<u64>().ok()? + fields.get(12)?.parse::<u64>().ok()?;
        Some(Duration::from_secs_f64(ticks as f64 / clock_ticks_per_second() as f64))
    }

    /// Kills the engine, if it still runs, and its children; says how it ended, when asked for the first time.
    pub fn end(&mut self) -> Option<ExitStatus> {
        if mem::replace(&mut self.ended, true) {
            return None;
        }
        self.supervisor.kill_descendants(self.group, &self.mark);
        // A group with nobody left in it is as good as killed; and the engine may have left its group.
        let _ = kill_process_group(self.group, Signal::KILL);
        let _ = self.child.kill();
        if !ended_before(&self.exit, Instant::now() + DEATH) {
            return None;
        }
        self.supervisor.reap(&mut self.child)
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.end();
    }
}

/// Where the engine's standard error goes.
fn errors_of(spec: &EngineSpec) -> io::Result<Stdio> {
    Ok(match &spec.stderr {
        Some(path) => File::options().create(true).append(true).open(path)?.into(),
        None => Stdio::null(),
    })
}

/// Waits for the end of a process without reaping it; the pipe ends with it.
fn await_exit(process: Pid, notice: PipeWriter) {
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
    while matches!(waitid(WaitId::Pid(process), options), Err(Errno::INTR)) {}
    drop(notice);
}

/// An exit status for people: `ended with exit status 3`, `was killed by signal 11 (SIGSEGV)`.
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
