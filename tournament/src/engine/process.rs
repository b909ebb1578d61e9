//! An engine's process: how it is started, and killed with all its descendants.

use super::control_group::ControlGroup;
use super::opened::hand_over;
use super::pipes::{Pipes, ended_before};
use super::process_tree::ProcessTree;
use super::program::Replaced;
use super::shim::{MAX_ERRORS, SHIM_FLAG, ShimOrder, ShimReport};
use super::spec::EngineSpec;
use super::supervisor::Supervisor;
use crate::engine::proc_fs::{Scheduled, Stat};
use rustix::process::{Pid, Signal, kill_process, kill_process_group};
use signal_hook::low_level::signal_name;
use std::io::{self, BufRead, BufReader, ErrorKind, Read, Write};
use std::mem;
use std::net::Shutdown;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How long a killed process may take to be gone. One that hangs in the system is abandoned.
const KILL_TIMEOUT: Duration = Duration::from_secs(1);
/// How long a shim may take to start an engine, and to exit.
const SHIM_TIMEOUT: Duration = Duration::from_secs(5);
/// How often a shim is started that ends, or says nothing, before it has started its engine (chosen, not measured).
const SHIM_ATTEMPTS: u32 = 3;
/// The kind of the error that says this.
const SHIM_LOST: ErrorKind = ErrorKind::ConnectionAborted;
/// The longest line of a shim. An engine may be able to write to its socket.
const MAX_REPORT: usize = 100;
/// The longest last report, with the end of the standard error: a byte takes six at most.
const MAX_LAST_REPORT: u64 = 8 * MAX_ERRORS as u64;

/// A running engine, the leader of a process group of its own, below its [shim](super::shim). Dropping it kills all of it.
#[derive(Debug)]
pub struct EngineProcess {
    shim: Child,
    /// Readable when the engine has ended.
    link: UnixStream,
    /// The number of the engine's process and of its group.
    engine: Pid,
    supervisor: Arc<Supervisor>,
    killed: bool,
    name: String,
    sandboxed: bool,
    /// Its control group, if it is in one.
    group: Option<ControlGroup>,
    /// The end of its standard error, once it has been killed.
    errors: Vec<u8>,
}

impl EngineProcess {
    pub fn start(spec: &EngineSpec, supervisor: &Arc<Supervisor>) -> io::Result<(EngineProcess, Pipes)> {
        let mut attempt = 1;
        loop {
            match EngineProcess::start_once(spec, supervisor) {
                // The shim is ours: what becomes of it is not the engine's fault, and must not cost it a game.
                Err(error) if error.kind() == SHIM_LOST && attempt < SHIM_ATTEMPTS => attempt += 1,
                result => return result,
            }
        }
    }

    fn start_once(spec: &EngineSpec, supervisor: &Arc<Supervisor>) -> io::Result<(EngineProcess, Pipes)> {
        if !spec.confinement.sandbox {
            supervisor.note_reach(&spec.name);
        }
        let (link, other) = UnixStream::pair()?;
        // Sockets, because other processes can open a pipe through `/proc/PID/fd` and write into it, but no socket.
        let (input, engine_input) = UnixStream::pair()?;
        let (output, engine_output) = UnixStream::pair()?;
        input.shutdown(Shutdown::Read)?;
        output.shutdown(Shutdown::Write)?;
        let exit = OwnedFd::from(link.try_clone()?);
        let mut command = Command::new(supervisor.program());
        command
            .arg(SHIM_FLAG)
            .stdin(Stdio::from(OwnedFd::from(engine_input)))
            .stdout(Stdio::from(OwnedFd::from(engine_output)))
            .stderr(Stdio::from(OwnedFd::from(other)))
            .process_group(0)
            // The engine's variables must not act on the shim: LD_PRELOAD would run outside the sandbox.
            .env_clear();
        let (shim, group) = supervisor.spawn(&mut command)?;
        if let Some(group) = &group {
            group.limit(spec.confinement.memory_bytes(), spec.confinement.tasks());
        }
        // It holds the shim's ends of the sockets.
        drop(command);
        let (engine, supervisor) = (Pid::from_child(&shim), Arc::clone(supervisor));
        // From here on whatever fails kills the shim.
        let mut process = EngineProcess {
            shim,
            link,
            engine,
            supervisor,
            killed: false,
            name: spec.name.clone(),
            sandboxed: spec.confinement.sandbox,
            group,
            errors: Vec::new(),
        };
        process.engine = process.await_start(spec)?;
        let pipes = Pipes::new(input, output, exit)?;
        Ok((process, pipes))
    }

    /// Tells the shim what to start, and waits for the number of the engine's process.
    fn await_start(&mut self, spec: &EngineSpec) -> io::Result<Pid> {
        let files = spec.files.files()?;
        let order = ShimOrder {
            called: spec.command.clone(),
            args: spec.args.clone(),
            files: files.known(),
            confinement: spec.confinement.clone(),
            environment: spec.confinement.environment(),
            group: self.group.clone(),
        };
        let line = serde_json::to_string(&order)? + "\n";
        self.link.set_read_timeout(Some(SHIM_TIMEOUT))?;
        hand_over(&self.link, &files.descriptors())?;
        self.link.write_all(line.as_bytes())?;
        match self.report() {
            Some(ShimReport::Started(number, grouped)) => {
                if let (Some(group), false) = (&self.group, grouped) {
                    group.remove();
                    self.group = None;
                }
                Pid::from_raw(number).ok_or_else(|| ErrorKind::InvalidData.into())
            }
            Some(ShimReport::Failed(number)) => Err(io::Error::from_raw_os_error(number)),
            Some(ShimReport::Replaced) => Err(io::Error::other(Replaced(spec.command.display().to_string()))),
            Some(ShimReport::Moved(file)) => Err(io::Error::other(format!(
                "{}, which it may read, has been moved in the folder that it may write to",
                files.bound_path(file).display()
            ))),
            _ => {
                let how = match self.shim.try_wait() {
                    Ok(Some(status)) => format!("ended before it has started the engine: {status}"),
                    _ => format!("not started the engine within {} s", SHIM_TIMEOUT.as_secs()),
                };
                Err(io::Error::new(SHIM_LOST, format!("the referee's shim has {how}")))
            }
        }
    }

    /// The next report; `None` if none comes in time.
    #[expect(
        clippy::unbuffered_bytes,
        reason = "a buffer would hide from `exit` that there is another report"
    )]
    fn report(&self) -> Option<ShimReport> {
        let bytes = (&self.link).bytes().take(MAX_REPORT).map_while(Result::ok);
        let line: Vec<u8> = bytes.take_while(|&byte| byte != b'\n').collect();
        serde_json::from_slice(&line).ok()
    }

    /// The process number.
    pub fn pid(&self) -> Pid {
        self.engine
    }

    /// How many processes that it has started are alive, wherever they have gone.
    pub fn living_descendants(&self) -> usize {
        ProcessTree::below(self.shim()).living().filter(|&pid| pid != self.engine).count()
    }

    /// Resumes all its suspended processes (SIGSTOP); returns whether there were any. In a sandbox its own process is below the
    /// one that the shim has started.
    pub fn resume_if_suspended(&self) -> bool {
        let suspended: Vec<Pid> = ProcessTree::below(self.shim()).suspended().collect();
        for &process in &suspended {
            let _ = kill_process(process, Signal::CONT);
        }
        !suspended.is_empty()
    }

    /// Whether no other engine of this match can have sent signals to it.
    pub fn is_out_of_reach(&self) -> bool {
        self.supervisor.is_out_of_reach(&self.name)
    }

    /// Whether it killed its own shim, if that can be known: from a sandbox it cannot reach the shim.
    pub(super) fn ends_its_own_shim(&self) -> bool {
        !self.sandboxed && self.is_out_of_reach()
    }

    /// The processor time it has used; `None` if the system does not say.
    pub fn processor_time(&self) -> Option<Duration> {
        Stat::of_process(self.engine).map(|stat| stat.processor_time)
    }

    /// The processor time of the engine and all processes that it has started, if the system knows them.
    pub fn time_of_all(&self) -> Duration {
        if let Some(time) = self.group.as_ref().and_then(ControlGroup::processor_time) {
            return time;
        }
        // Orphans were waited for by the shim.
        let orphans = Stat::of_process(self.shim()).map(|stat| stat.children_time).unwrap_or_default();
        ProcessTree::below(self.shim()).processor_time() + orphans
    }

    /// The processor shares of the engine and all processes that it has started.
    pub fn scheduled(&self) -> Scheduled {
        let processes = ProcessTree::below(self.shim());
        processes.living().map(Scheduled::of_process).fold(Scheduled::default(), Scheduled::with)
    }

    /// Kills the engine, if it still runs, and its descendants. Returns how it has ended the first time.
    pub fn kill(&mut self) -> Option<EngineEnd> {
        if mem::replace(&mut self.killed, true) {
            return None;
        }
        let shim = self.shim();
        if let Some(group) = &self.group {
            group.kill();
        }
        if Stat::of_process(shim).is_some_and(|stat| !stat.is_dead) {
            // The shim has not reaped the engine, so the group is its own. No process in it can start another meanwhile.
            let _ = kill_process_group(self.engine, Signal::KILL);
        }
        self.supervisor.kill_descendants(shim);
        // An engine may have suspended its shim.
        let _ = kill_process(shim, Signal::CONT);
        let end = if ended_before(&self.link, Instant::now() + KILL_TIMEOUT) { self.end() } else { None };
        let _ = self.link.write_all(b"\n");
        self.errors = self.rest_of_the_link(Instant::now() + SHIM_TIMEOUT);
        let _ = self.shim.kill();
        self.supervisor.reap(&mut self.shim);
        if let Some(group) = &self.group {
            // If something in it still hangs, it is removed at the end of the match.
            group.remove();
        }
        end
    }

    /// Waits until the shim has exited, and returns its last report: the end of the engine's standard error.
    fn rest_of_the_link(&self, deadline: Instant) -> Vec<u8> {
        let lines = BufReader::new((&self.link).take(MAX_LAST_REPORT)).split(b'\n');
        let lines = lines.map_while(Result::ok).take_while(|_| Instant::now() < deadline);
        let errors = lines.filter_map(|line| match serde_json::from_slice(&line) {
            Ok(ShimReport::Errors(text)) => Some(text.into_bytes()),
            _ => None,
        });
        errors.last().unwrap_or_default()
    }

    /// The end of its standard error, once it has been killed.
    pub fn errors(&self) -> &[u8] {
        &self.errors
    }

    /// How the engine has ended.
    fn end(&mut self) -> Option<EngineEnd> {
        let _ = self.link.set_read_timeout(Some(KILL_TIMEOUT));
        match self.report() {
            Some(ShimReport::Exited(raw)) => Some(EngineEnd::Exited(ExitStatus::from_raw(raw))),
            Some(ShimReport::TooManyProcesses(number)) => Some(EngineEnd::TooManyProcesses(number)),
            _ => Some(EngineEnd::WithoutShim),
        }
    }

    fn shim(&self) -> Pid {
        Pid::from_child(&self.shim)
    }
}

impl Drop for EngineProcess {
    fn drop(&mut self) {
        self.kill();
    }
}

/// How an engine has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EngineEnd {
    /// With an exit status, or by a signal.
    Exited(ExitStatus),
    /// It was killed because it had too many processes.
    TooManyProcesses(u64),
    /// Its shim was killed.
    WithoutShim,
}

impl EngineEnd {
    /// The exit status, if any.
    #[must_use]
    pub fn status(self) -> Option<ExitStatus> {
        match self {
            EngineEnd::Exited(status) => Some(status),
            EngineEnd::TooManyProcesses(_) | EngineEnd::WithoutShim => None,
        }
    }

    /// In words: `ended with exit status 3`, `was killed by signal 11 (SIGSEGV)`.
    #[must_use]
    pub fn describe(self) -> String {
        match self {
            EngineEnd::TooManyProcesses(number) => format!("had {number} processes and was killed"),
            EngineEnd::WithoutShim => "lost its shim, the process that watches over it".to_owned(),
            EngineEnd::Exited(status) => match status.signal() {
                Some(signal) => {
                    let name = signal_name(signal).map(|name| format!(" ({name})")).unwrap_or_default();
                    format!("was killed by signal {signal}{name}")
                }
                None => format!("ended with exit status {}", status.code().unwrap_or_default()),
            },
        }
    }
}
