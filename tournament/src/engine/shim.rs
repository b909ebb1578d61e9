//! The shim: a small process between the referee and each engine, as container runtimes have one.
//!
//! It is the referee's own program, in a process group of its own. It takes on the engine's limits, starts the engine with its
//! own standard input and output, and forgets these, so that no byte of the conversation passes through it. As a subreaper
//! (prctl(2), PR_SET_CHILD_SUBREAPER) it becomes the parent of every orphan below it: whatever an engine starts, in whatever
//! group, session and environment, stays below its shim, and is killed with it. It bounds what the engine writes to its standard
//! error, and how many processes it has.
//!
//! Its standard error is a socket to the referee. A line with a [`ShimOrder`] comes in; lines go out, each a [`ShimReport`].
//! A byte after the order says that the referee has
//! killed the engine. However the referee ends, the socket ends with it; then the shim kills everything below itself.

use super::confinement::Confinement;
use super::process_tree::{KILL_LIMIT, ProcessTree, kill_below};
use super::sandbox;
use super::spec::EngineSpec;
use rustix::io::{Errno, fcntl_dupfd_cloexec};
use rustix::process::{Pid, WaitId, WaitIdOptions, WaitOptions, getpid, waitid, waitpid};
use rustix::stdio::{dup2_stderr, dup2_stdin, dup2_stdout, stderr};
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::{self, BufRead, BufReader, ErrorKind, Read, Write};
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::process::{ChildStderr, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

/// The argument that makes the program a shim.
pub const SHIM_FLAG: &str = "--shim";
/// How often the engine's processes are counted.
const COUNT_EVERY: Duration = Duration::from_millis(100);
/// How long the last of an engine's standard error may take to be written.
const WRITE_TIMEOUT: Duration = Duration::from_millis(500);

/// What a shim is to start.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct ShimOrder {
    pub spec: EngineSpec,
    pub stderr: Option<PathBuf>,
    pub confinement: Confinement,
}

/// What a shim tells the referee.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum ShimReport {
    /// The engine runs; this is its process number.
    Started(i32),
    /// It cannot be started: the system's error number.
    Failed(i32),
    /// It has ended: what wait(2) said.
    Exited(i32),
    /// It had so many processes that it was killed with all of them.
    TooManyProcesses(u64),
}

impl ShimReport {
    pub(super) fn send(self, mut link: &UnixStream) -> io::Result<()> {
        let line = serde_json::to_string(&self)? + "\n";
        link.write_all(line.as_bytes())
    }
}

/// Is a shim, from its order to the end of the socket on standard error.
///
/// # Errors
/// If the system refuses one of the few things that a shim needs.
pub fn be_shim() -> io::Result<()> {
    #[cfg(target_os = "linux")]
    rustix::process::set_child_subreaper(Some(getpid()))?;
    let link = UnixStream::from(fcntl_dupfd_cloexec(stderr(), 3)?);
    let mut line = String::new();
    BufReader::new(&link).read_line(&mut line)?;
    let order: ShimOrder = serde_json::from_str(&line)?;
    order.confinement.limit_this_process();
    let mut command = match sandbox::command_of(&order.spec, order.confinement.sandbox) {
        Ok(command) => command,
        Err(error) => return ShimReport::Failed(number_of(&error)).send(&link),
    };
    let log = order.stderr.as_ref().map(|path| File::options().create(true).append(true).open(path));
    let mut engine = match log.as_ref().map_or(Ok(()), |log| log.as_ref().map(drop)) {
        Ok(()) => match command.stderr(if log.is_some() { Stdio::piped() } else { Stdio::null() }).spawn() {
            Ok(engine) => engine,
            Err(error) => return ShimReport::Failed(number_of(&error)).send(&link),
        },
        Err(error) => return ShimReport::Failed(number_of(error)).send(&link),
    };
    ShimReport::Started(engine.id().cast_signed()).send(&link)?;
    let nothing = File::options().read(true).write(true).open("/dev/null")?;
    dup2_stdin(&nothing)?;
    dup2_stdout(&nothing)?;
    dup2_stderr(&nothing)?;
    let (done, written) = mpsc::channel();
    if let (Some(Ok(log)), Some(errors)) = (log, engine.stderr.take()) {
        let limit = order.confinement.stderr_kib.saturating_mul(1 << 10);
        thread::spawn(move || {
            let _ = keep_ends(errors, log, limit);
            let _ = done.send(());
        });
    } else {
        drop(done);
    }
    let pid = Pid::from_child(&engine);
    let reports = link.try_clone()?;
    thread::spawn(move || reap_until_exit(pid, &reports));
    if !watch(&link, order.confinement.processes) {
        kill_below(getpid(), KILL_LIMIT);
    }
    let _ = written.recv_timeout(WRITE_TIMEOUT);
    while matches!(waitpid(None, WaitOptions::NOHANG), Ok(Some(_))) {}
    Ok(())
}

fn number_of(error: &io::Error) -> i32 {
    error.raw_os_error().unwrap_or_else(|| Errno::INVAL.raw_os_error())
}

/// Reaps orphans until the engine itself has ended, and says how. The engine is not reaped, so that its number stays its own.
fn reap_until_exit(engine: Pid, link: &UnixStream) {
    let look = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
    loop {
        match waitid(WaitId::Pid(engine), look | WaitIdOptions::NOHANG) {
            Ok(Some(status)) => {
                let raw = status.exit_status().map(|code| code << 8).or(status.terminating_signal());
                let _ = ShimReport::Exited(raw.unwrap_or_default()).send(link);
                return;
            }
            Ok(None) => {}
            Err(_) => return,
        }
        match waitid(WaitId::All, look) {
            Ok(_) | Err(Errno::INTR) => {}
            Err(_) => return,
        }
        if matches!(waitid(WaitId::Pid(engine), look | WaitIdOptions::NOHANG), Ok(None))
            && let Ok(Some((pid, status))) = waitpid(None, WaitOptions::NOHANG)
            && pid == engine
        {
            let _ = ShimReport::Exited(status.as_raw()).send(link);
            return;
        }
    }
}

/// Waits for the end of the referee, or for its word that it has killed everything itself, and counts processes meanwhile.
/// Says whether that word has come.
fn watch(mut link: &UnixStream, processes: u64) -> bool {
    let _ = link.set_read_timeout(Some(COUNT_EVERY));
    loop {
        match link.read(&mut [0; 16]) {
            Ok(0) => return false,
            Ok(_) => return true,
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted) => {}
            Err(_) => return false,
        }
        let found = ProcessTree::below(getpid()).living().count() as u64;
        if found > processes {
            let _ = ShimReport::TooManyProcesses(found).send(link);
            kill_below(getpid(), KILL_LIMIT);
        }
    }
}

/// Copies the first so many bytes, and the last so many once there are no more.
fn keep_ends(mut from: ChildStderr, mut to: File, limit: u64) -> io::Result<()> {
    io::copy(&mut (&mut from).take(limit), &mut to)?;
    let limit = limit as usize;
    let (mut tail, mut read, mut piece) = (Vec::new(), 0, vec![0; 64 * 1024]);
    loop {
        match from.read(&mut piece) {
            Ok(0) => break,
            Ok(count) => {
                read += count;
                tail.extend_from_slice(&piece[..count]);
                if tail.len() > 2 * limit.max(piece.len()) {
                    tail.drain(..tail.len() - limit);
                }
            }
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(_) => break,
        }
    }
    let kept = tail.len().min(limit);
    if read > kept {
        writeln!(to, "\n(the referee has dropped {} bytes here)", read - kept)?;
    }
    to.write_all(&tail[tail.len() - kept..])
}
