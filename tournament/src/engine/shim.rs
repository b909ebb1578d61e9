//! The shim: a small process between the referee and each engine, as in container runtimes.
//!
//! It is the referee's own program, in its own process group. It receives the engine's open files, takes on the engine's limits,
//! starts the engine with its own standard input and output, and closes these: no byte of the conversation passes through it. As
//! a subreaper (prctl(2), PR_SET_CHILD_SUBREAPER) it becomes the parent of every orphan below it: everything that an engine
//! starts, in any group, session and environment, stays below its shim, and is killed with it. It bounds the engine's standard
//! error and its number of processes.
//!
//! Its standard error is a socket to the referee. A line with a [`ShimOrder`] comes in; lines go out, each a [`ShimReport`]. A
//! byte after the order says that the referee has killed the engine. However the referee ends, the socket ends with it; then the
//! shim kills everything below itself.

use super::confinement::Confinement;
use super::control_group::{self, ControlGroup};
use super::opened::{EngineFiles, KnownFiles, take_over};
use super::process_tree::{ProcessTree, kill_below};
use super::sandbox::{self, Prepared};
use super::stop::locked;
use rustix::io::{Errno, fcntl_dupfd_cloexec};
use rustix::process::{
    Pid, WaitId, WaitIdOptions, WaitOptions, fchdir, getpid, set_child_subreaper, waitid, waitpid,
};
use rustix::stdio::{dup2_stderr, dup2_stdin, dup2_stdout, stderr};
use serde::{Deserialize, Serialize};
use std::ffi::OsString;
use std::fs::File;
use std::io::{self, BufRead, BufReader, ErrorKind, Read, Write};
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Child, ChildStderr, Command, Stdio};
use std::sync::{Arc, Mutex, mpsc};
use std::thread;
use std::time::Duration;

/// The argument that makes the program a shim.
pub const SHIM_FLAG: &str = "--shim";
/// How often the engine's processes are counted.
const COUNT_EVERY: Duration = Duration::from_millis(100);
/// Bytes from the end of an engine's standard error that are sent to the referee.
pub(super) const MAX_ERRORS: usize = 4 << 10;
/// How long the last of an engine's standard error may take to be written.
const WRITE_TIMEOUT: Duration = Duration::from_millis(500);

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct ShimOrder {
    /// The path or name used to call the program.
    pub called: PathBuf,
    pub args: Vec<String>,
    /// Its files, which are handed over before.
    pub files: KnownFiles,
    pub confinement: Confinement,
    /// The environment of the engine. The shim's own is empty.
    pub environment: Vec<(OsString, OsString)>,
    /// The engine's control group, if it has one.
    pub group: Option<ControlGroup>,
}

/// A shim's messages to the referee.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum ShimReport {
    /// The engine runs; this is its process number, and whether it is in its control group.
    Started(i32, bool),
    /// It cannot be started: the system's error number.
    Failed(i32),
    /// It is not started: its program has changed.
    Replaced,
    /// It is not started: the file to read with this number has been moved in the folder that it may write to.
    Moved(usize),
    /// It has ended: what wait(2) said.
    Exited(i32),
    /// It had this many processes, too many, and was killed with all of them.
    TooManyProcesses(u64),
    /// The end of the engine's standard error: the last report.
    Errors(String),
}

impl ShimReport {
    pub(super) fn send(&self, mut link: &UnixStream) -> io::Result<()> {
        let line = serde_json::to_string(&self)? + "\n";
        link.write_all(line.as_bytes())
    }
}

/// Is a shim, from its order to the end of the socket on standard error.
pub fn be_shim() -> io::Result<()> {
    set_child_subreaper(Some(getpid()))?;
    let link = UnixStream::from(fcntl_dupfd_cloexec(stderr(), 3)?);
    let descriptors = take_over(&link)?;
    let mut line = String::new();
    BufReader::new(&link).read_line(&mut line)?;
    let order: ShimOrder = serde_json::from_str(&line)?;
    order.confinement.limit_this_process(order.files.program.content.bytes);
    let nothing = File::options().read(true).write(true).open("/dev/null")?;
    let files = EngineFiles::handed(order.files.clone(), descriptors).ok_or(ErrorKind::InvalidData)?;
    let (mut engine, group) = match start(&order, &files) {
        Ok(Ok(started)) => started,
        Ok(Err(refused)) => return refused.send(&link),
        Err(error) => return ShimReport::Failed(number_of(&error)).send(&link),
    };
    let log = files.stderr;
    // The referee talks to the engine after this report. By then only the engine holds these pipes, and the referee sees it close
    // one.
    dup2_stdin(&nothing)?;
    dup2_stdout(&nothing)?;
    dup2_stderr(&nothing)?;
    ShimReport::Started(engine.id().cast_signed(), group.is_some()).send(&link)?;
    let (done, written) = mpsc::channel();
    let last = Arc::new(Mutex::new(Vec::new()));
    if let Some(errors) = engine.stderr.take() {
        let limit = order.confinement.stderr_kib.saturating_mul(1 << 10) as usize;
        let mut keeper = ErrorKeeper { log, limit, read: 0, tail: Vec::new(), last: Arc::clone(&last) };
        thread::Builder::new().spawn(move || {
            keeper.read_all(errors);
            let _ = done.send(());
        })?;
    }
    let pid = Pid::from_child(&engine);
    let reports = link.try_clone()?;
    thread::Builder::new().spawn(move || reap_until_exit(pid, &reports))?;
    let kill_all = || {
        group.inspect(|group| group.kill());
        kill_below(getpid());
    };
    if !watch(&link, order.confinement.processes, &kill_all) {
        kill_all();
    }
    let _ = written.recv_timeout(WRITE_TIMEOUT);
    while matches!(waitpid(None, WaitOptions::NOHANG), Ok(Some(_))) {}
    let last = locked(&last);
    let errors = String::from_utf8_lossy(&last[last.len().saturating_sub(MAX_ERRORS)..]).into_owned();
    let _ = link.set_write_timeout(Some(WRITE_TIMEOUT));
    // If the referee has ended the report is lost.
    let _ = ShimReport::Errors(errors).send(&link);
    Ok(())
}

/// An engine that has been started, and its control group if it is in one.
type Started<'a> = (Child, Option<&'a ControlGroup>);

/// Starts the engine, in its control group, if any; or reports which of its files has changed.
fn start<'a>(order: &'a ShimOrder, files: &EngineFiles) -> io::Result<Result<Started<'a>, ShimReport>> {
    let program = &files.program;
    let is_unchanged = || match &files.layout {
        // A sealed copy does not change.
        Some(layout) if layout.copies_program() => true,
        // If the engine itself has moved it, the sandbox cannot be made, which is its own fault.
        Some(layout) => (layout.owns_program() || program.is_in_place()) && program.is_unchanged(false),
        None => program.is_unchanged(program.through_descriptor().is_none()),
    };
    if !is_unchanged() {
        return Ok(Err(ShimReport::Replaced));
    }
    if let Some(moved) =
        files.layout.as_ref().and_then(|layout| layout.moved(files.dir.as_ref(), &files.bound))
    {
        return Ok(Err(ShimReport::Moved(moved)));
    }
    let Prepared { mut command, texts: _texts } = match &files.layout {
        Some(layout) => sandbox::command_of((files, layout), &order.args, &order.environment)?,
        None => {
            let mut command =
                Command::new(program.through_descriptor().unwrap_or_else(|| program.known.path.clone()));
            let variables = order.environment.iter().map(|(name, value)| (name, value));
            command.arg0(&order.called).args(&order.args).env_clear().envs(variables).process_group(0);
            // The engine begins in the folder of the shim.
            files.dir.as_ref().map(fchdir).transpose()?;
            Prepared { command, texts: Vec::new() }
        }
    };
    let own = control_group::own_group();
    let entered = order.group.as_ref().filter(|group| control_group::enter(group.folder()).is_ok());
    let engine = command.stderr(Stdio::piped()).spawn();
    // A child is in the group of the process that starts it. The shim then leaves the group, which can thus be killed whole.
    let left = || own.as_deref().is_some_and(|own| control_group::enter(own).is_ok());
    let group = entered.filter(|_| left());
    let engine = engine?;
    if !is_unchanged() {
        group.inspect(|group| group.kill());
        kill_below(getpid());
        return Ok(Err(ShimReport::Replaced));
    }
    Ok(Ok((engine, group)))
}

fn number_of(error: &io::Error) -> i32 {
    error.raw_os_error().unwrap_or_else(|| Errno::INVAL.raw_os_error())
}

/// Reaps orphans until the engine itself has ended, and reports its status. The engine is not reaped, which keeps its number.
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
fn watch(mut link: &UnixStream, processes: u64, kill_all: &dyn Fn()) -> bool {
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
            kill_all();
        }
    }
}

/// Keeps both ends of an engine's standard error in a file, if one is given, and the last of it in memory.
struct ErrorKeeper {
    log: Option<File>,
    /// How many bytes of each end go to the file.
    limit: usize,
    read: usize,
    /// The part that the file may lack: bytes after the beginning, at least the last `limit` of them.
    tail: Vec<u8>,
    /// The last bytes, [`MAX_ERRORS`] of them at least, for the referee.
    last: Arc<Mutex<Vec<u8>>>,
}

impl ErrorKeeper {
    /// Reads to the end, whatever becomes of the file: an engine must not wait because of its errors.
    fn read_all(&mut self, mut from: ChildStderr) {
        let mut piece = vec![0; 64 * 1024];
        loop {
            match from.read(&mut piece) {
                Ok(count @ 1..) => self.take(&piece[..count]),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Ok(0) | Err(_) => break,
            }
        }
        let kept = self.tail.len().min(self.limit);
        let dropped = self.read.saturating_sub(self.limit).saturating_sub(kept);
        if dropped > 0 {
            self.write(format!("\n(the referee has dropped {dropped} bytes here)\n").as_bytes());
        }
        let tail = std::mem::take(&mut self.tail);
        self.write(&tail[tail.len() - kept..]);
    }

    fn take(&mut self, piece: &[u8]) {
        let beginning = piece.len().min(self.limit.saturating_sub(self.read));
        self.read += piece.len();
        self.write(&piece[..beginning]);
        if self.log.is_some() {
            keep_last(&mut self.tail, &piece[beginning..], self.limit);
        }
        keep_last(&mut locked(&self.last), piece, MAX_ERRORS);
    }

    fn write(&mut self, bytes: &[u8]) {
        if self.log.as_mut().is_some_and(|log| log.write_all(bytes).is_err()) {
            self.log = None;
        }
    }
}

/// Adds bytes to a buffer that is to hold the last `most`, and now and then drops older ones.
fn keep_last(buffer: &mut Vec<u8>, piece: &[u8], most: usize) {
    buffer.extend_from_slice(piece);
    if buffer.len() > most.max(64 * 1024).saturating_mul(2) {
        buffer.drain(..buffer.len() - most);
    }
}
