//! An engine behind the page: a process whose input and output lines are forwarded.

use super::guard::secret;
use super::setting::{Allowance, Declared};
#[cfg(target_os = "linux")]
use std::fs;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// Maximum length of an engine's line, in bytes.
const MAX_LINE_BYTES: u64 = 64 << 10;
/// Maximum lines queued for an engine that does not read.
const MAX_WAITING: usize = 64;
/// Time for engines to end after `quit`.
const QUIT_TIME: Duration = Duration::from_millis(500);
/// The variable with the mark of an engine, which the processes that it starts inherit.
const MARK: &str = "KROO_WEB_ENGINE";

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineCommand {
    pub name: String,
    pub program: PathBuf,
    pub arguments: Vec<String>,
    /// Its working folder; `None` for the current one.
    pub folder: Option<PathBuf>,
    /// Options to set first, with their values.
    pub options: Vec<(String, String)>,
}

#[derive(Debug)]
pub(super) enum Event {
    /// The engine with this number has printed a line.
    Line(u32, String),
    Ended(u32),
}

/// A running engine, which is ended on drop.
pub(super) struct EngineProcess {
    child: Child,
    lines: SyncSender<String>,
    declared: Arc<Mutex<Declared>>,
    /// The variable in its environment, as `NAME=VALUE`.
    mark: String,
    has_ended: bool,
    /// Released when it has ended.
    _alive: Arc<()>,
}

impl EngineProcess {
    /// Starts an engine whose events carry a number. It holds a token and a part of the memory until it has ended.
    pub fn start(
        command: &EngineCommand,
        number: u32,
        events: SyncSender<Event>,
        alive: Arc<()>,
        memory: &Arc<Allowance>,
    ) -> io::Result<EngineProcess> {
        let mut process = Command::new(&command.program);
        process.args(&command.arguments).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mark = secret();
        process.env(MARK, &mark);
        if let Some(folder) = &command.folder {
            process.current_dir(folder);
        }
        // Processes that the engine starts belong to its group.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut process, 0);
        let mut child = process.spawn()?;
        let (input, output) = (child.stdin.take(), child.stdout.take());
        let (lines, waiting) = sync_channel(MAX_WAITING);
        let is_kroo = std::env::current_exe().is_ok_and(|own| own == command.program);
        let declared = Arc::new(Mutex::new(Declared::new(memory, is_kroo)));
        let engine = EngineProcess {
            child,
            lines,
            declared: Arc::clone(&declared),
            mark: format!("{MARK}={mark}"),
            has_ended: false,
            _alive: alive,
        };
        let start = |name: &str| thread::Builder::new().name(name.to_owned());
        if let (Some(input), Some(output)) = (input, output) {
            start("engine input").spawn(move || write_lines(input, &waiting))?;
            start("engine output").spawn(move || pass_on(output, number, &events, &declared))?;
        }
        for (name, value) in &command.options {
            let value = engine.declared().configured(name, value);
            engine.say(&format!("setoption name {name} value {value}"));
        }
        Ok(engine)
    }

    /// The line to send for one of a page; `None` if nothing is to be sent.
    pub fn admit(&self, line: &str) -> Result<Option<String>, String> {
        self.declared().admit(line)
    }

    fn declared(&self) -> MutexGuard<'_, Declared> {
        self.declared.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sends a line; returns whether there was room for it.
    pub fn say(&self, line: &str) -> bool {
        self.lines.try_send(line.to_owned()).is_ok()
    }
}

impl Drop for EngineProcess {
    fn drop(&mut self) {
        if !self.has_ended {
            end_all(std::slice::from_mut(self));
        }
    }
}

/// Ends engines, all at the same time, with everything that they have started.
pub(super) fn end_all(engines: &mut [EngineProcess]) {
    for engine in engines.iter() {
        engine.say("quit");
    }
    let deadline = Instant::now() + QUIT_TIME;
    while engines.iter_mut().any(|engine| runs(&mut engine.child)) && Instant::now() < deadline {
        thread::sleep(Duration::from_millis(5));
    }
    engines.iter_mut().for_each(|engine| kill(&mut engine.child));
    kill_marked(engines);
    for engine in engines {
        engine.has_ended = true;
        // Fails only if the process has been waited for.
        let _ = engine.child.wait();
    }
}

/// Kills processes that have left the groups of their engines: they still have the mark in their environment. A process that
/// starts others again and again is hunted for a while.
#[cfg(target_os = "linux")]
fn kill_marked(engines: &[EngineProcess]) {
    use rustix::process::{Pid, Signal, kill_process};
    let has_mark = |environment: &[u8]| {
        let mut variables = environment.split(|&byte| byte == 0);
        variables.any(|variable| engines.iter().any(|engine| engine.mark.as_bytes() == variable))
    };
    let deadline = Instant::now() + QUIT_TIME;
    loop {
        let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
        let numbers = processes.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
        let mut found = false;
        for number in numbers {
            // Those of other users cannot be read, and one that has ended has no environment.
            let environment = fs::read(format!("/proc/{number}/environ")).unwrap_or_default();
            if let Some(process) = Pid::from_raw(number).filter(|_| has_mark(&environment)) {
                let _ = kill_process(process, Signal::KILL);
                found = true;
            }
        }
        if !found || Instant::now() > deadline {
            return;
        }
        thread::sleep(Duration::from_millis(1));
    }
}

/// Elsewhere environments of processes cannot be read.
#[cfg(not(target_os = "linux"))]
fn kill_marked(engines: &[EngineProcess]) {
    let _ = engines.iter().map(|engine| &engine.mark);
}

/// Whether a process is running. An ended one is not reaped: its number, which names its group, is not reused.
#[cfg(unix)]
fn runs(child: &mut Child) -> bool {
    use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    matches!(waitid(WaitId::Pid(Pid::from_child(child)), options), Ok(None))
}

#[cfg(not(unix))]
fn runs(child: &mut Child) -> bool {
    matches!(child.try_wait(), Ok(None))
}

/// Kills a process that has not been waited for, with its group. Fails only if all have ended.
#[cfg(unix)]
fn kill(child: &mut Child) {
    use rustix::process::{Pid, Signal, kill_process_group};
    let _ = kill_process_group(Pid::from_child(child), Signal::KILL);
}

#[cfg(not(unix))]
fn kill(child: &mut Child) {
    let _ = child.kill();
}

/// Writes lines until the engine is to end, or stops reading.
fn write_lines(mut input: ChildStdin, lines: &Receiver<String>) {
    while let Ok(line) = lines.recv() {
        if input.write_all(format!("{line}\n").as_bytes()).is_err() {
            return;
        }
    }
}

/// Forwards lines until the engine closes its output, or the page has gone.
fn pass_on(output: ChildStdout, number: u32, events: &SyncSender<Event>, declared: &Mutex<Declared>) {
    let mut output = BufReader::new(output);
    let mut bytes = Vec::new();
    // The rest of a line that is too long counts as further lines, which no page understands.
    while output.by_ref().take(MAX_LINE_BYTES).read_until(b'\n', &mut bytes).is_ok_and(|count| count > 0) {
        let line = String::from_utf8_lossy(&bytes).trim_end_matches(['\r', '\n']).replace('\r', " ");
        declared.lock().unwrap_or_else(PoisonError::into_inner).hear(&line);
        if events.send(Event::Line(number, line)).is_err() {
            return;
        }
        bytes.clear();
    }
    // Without a page, the event is not needed.
    let _ = events.send(Event::Ended(number));
}
