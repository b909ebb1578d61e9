//! Nobody is left behind: a small process that outlives the referee by a moment.
//!
//! A program killed with SIGKILL can clean up nothing. So the referee starts itself a second time as a supervisor, in a
//! process group of its own, and tells it through a pipe which groups of engines there are: `+123`, and `-123` when
//! one is gone. When the referee ends, however it ends, the pipe does, and the supervisor kills what is still listed.
//! Then it looks for processes that carry the match's mark in their environment: children of engines that left their
//! group, or an engine whose group was still untold. No process can slip through between its start and that: until
//! its program runs it holds a copy of the pipe, which therefore has not ended. Last, it removes files (`tPATH`) that
//! the referee would have moved or removed itself.
//!
//! As long as the referee lives it looks after its engines' families itself: an orphan becomes its child, whatever group
//! or environment it has given itself, and is killed with its engine if the mark tells whose it is, or else at the end.

use super::process_tree::{self, ProcessTree};
use ahash::AHashSet;
use rustix::process::{
    Pid, Signal, WaitId, WaitIdOptions, WaitOptions, kill_process, kill_process_group, waitid, waitpid,
};
use std::ffi::OsStr;
use std::io::{self, BufRead, Write};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use std::{fs, thread};

/// The variable that marks an engine and its children.
const MARK: &str = "KROO_REFEREE";
/// The variable that tells the engines of a match apart.
const NUMBER: &str = "KROO_REFEREE_ENGINE";
/// The argument that makes the referee a supervisor; the mark's value follows it.
pub const GUARD_FLAG: &str = "--guard";
/// What the referee says last if it has come to its end and has cleared up: no orphan can have escaped a subreaper.
const CLEARED: &[u8] = b"c";
/// How often marked processes are looked for while there are any, and the pause between.
const LOOKS: (u32, Duration) = (100, Duration::from_millis(5));

/// The referee's side of the supervisor.
#[derive(Debug)]
pub struct Supervisor {
    process: Child,
    pipe: Mutex<Option<ChildStdin>>,
    mark: String,
    /// Engines started so far.
    started: AtomicU64,
    /// Nobody is left, and no engine will be started.
    cleared: AtomicBool,
    /// Children that are not the match's orphans: the supervisor, engines that run, and whatever was there before. It
    /// is held while a child is started or reaped, so that nobody else reaps it.
    known: Mutex<AHashSet<Pid>>,
}

impl Supervisor {
    /// Starts a supervisor; the program is the referee's own.
    ///
    /// From now on orphans of engines are children of this process, so that it can reap them.
    ///
    /// # Errors
    /// If it cannot be started.
    pub fn start(program: &Path) -> io::Result<Supervisor> {
        #[cfg(target_os = "linux")]
        rustix::process::set_child_subreaper(Some(rustix::process::getpid()))?;
        let mut known: AHashSet<Pid> = ProcessTree::own().own_children().collect();
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let mark = format!("{}-{}", std::process::id(), now.as_nanos());
        let mut process = Command::new(program)
            .args([GUARD_FLAG, &mark])
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .process_group(0)
            .spawn()?;
        known.insert(Pid::from_child(&process));
        let (pipe, known) = (Mutex::new(process.stdin.take()), Mutex::new(known));
        Ok(Supervisor {
            process,
            pipe,
            mark,
            started: AtomicU64::new(0),
            cleared: AtomicBool::new(false),
            known,
        })
    }

    /// Starts an engine, watched from now on. The text is what marks the engine and its children.
    ///
    /// # Errors
    /// What the system says.
    pub(super) fn spawn(&self, command: &mut Command) -> io::Result<(Child, String)> {
        let number = format!("{}-{}", self.mark, self.started.fetch_add(1, Ordering::Relaxed));
        command.env(MARK, &self.mark).env(NUMBER, &number);
        let mut known = self.known();
        let child = command.spawn()?;
        let group = Pid::from_child(&child);
        known.insert(group);
        self.tell(format!("+{}", group.as_raw_nonzero()).as_bytes());
        Ok((child, format!("{NUMBER}={number}")))
    }

    /// Reaps an engine that has ended, and with it all the dead that nobody else will reap.
    pub(super) fn reap(&self, child: &mut Child) -> Option<ExitStatus> {
        let group = Pid::from_child(child);
        self.tell(format!("-{}", group.as_raw_nonzero()).as_bytes());
        let mut known = self.known();
        let status = child.try_wait().ok().flatten();
        known.remove(&group);
        drop(known);
        self.reap_orphans();
        status
    }

    /// Reaps orphans that have ended. It costs little if there are none.
    pub fn reap_orphans(&self) {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        if matches!(waitid(WaitId::All, options), Ok(Some(_))) {
            reap_orphans(&self.known());
        }
    }

    /// Engines and all processes that they have started, those included of which nobody knows whose they are.
    pub fn family_of(&self, engines: &[Pid]) -> Vec<Pid> {
        let (family, known) = (ProcessTree::own(), self.known());
        let orphans = family.own_children().filter(|orphan| !known.contains(orphan));
        family.living_of(orphans.chain(engines.iter().copied()))
    }

    /// How many processes that an engine has started live, wherever they have gone; with more than one engine at a time
    /// those without a mark are nobody's.
    pub(super) fn descendants(&self, engine: Pid, mark: &str) -> usize {
        let (family, known) = (ProcessTree::own(), self.known());
        let alone = known.len() <= 2;
        let orphans = family.own_children().filter(|orphan| !known.contains(orphan));
        let own = orphans.filter(|&orphan| alone || process_tree::has_variable(orphan, mark));
        family.living_of(own.chain([engine])).into_iter().filter(|&pid| pid != engine).count()
    }

    /// Kills the living that an engine has started, wherever they have gone. The engine may have ended before. All processes are
    /// looked at: a list of children may miss one on a busy machine, and who is missed now is nobody's once its parent is dead.
    pub(super) fn kill_descendants(&self, engine: Pid, mark: &str) {
        process_tree::kill_all(ProcessTree::look, |family| {
            let known = self.known();
            let orphans = family.own_children().filter(|orphan| !known.contains(orphan));
            let own = orphans.filter(|&orphan| process_tree::has_variable(orphan, mark));
            family.living_of(own.chain([engine]))
        });
    }

    /// A temporary file exists, to be removed if the referee cannot.
    pub fn watch_file(&self, path: &Path) {
        let name = path.as_os_str().as_bytes();
        if !name.contains(&b'\n') {
            self.tell(&[b"t", name].concat());
        }
    }

    /// Kills whatever is left of the match once the engines are gone: orphans, even without a mark.
    pub fn clear(&self) {
        process_tree::kill_all(ProcessTree::look, |family| {
            let known = self.known();
            family.living_of(family.own_children().filter(|child| !known.contains(child)))
        });
        // Who has been killed is not gone at once, and nobody is left behind.
        let (looks, pause) = LOOKS;
        for _ in 0..looks {
            self.reap_orphans();
            let known = self.known();
            if ProcessTree::look().own_children().all(|child| known.contains(&child)) {
                break;
            }
            drop(known);
            thread::sleep(pause);
        }
        self.cleared.store(true, Ordering::Relaxed);
    }

    fn known(&self) -> MutexGuard<'_, AHashSet<Pid>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn tell(&self, line: &[u8]) {
        let mut pipe = self.pipe.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(pipe) = pipe.as_mut() {
            // A supervisor that somebody killed cannot be told anything, and the match need not suffer.
            let _ = pipe.write_all(&[line, b"\n"].concat());
        }
    }
}

impl Drop for Supervisor {
    /// Lets the supervisor do its work and waits for it.
    fn drop(&mut self) {
        if !self.cleared.load(Ordering::Relaxed) {
            self.clear();
        }
        if cfg!(target_os = "linux") {
            self.tell(CLEARED);
        }
        self.pipe.get_mut().unwrap_or_else(PoisonError::into_inner).take();
        let _ = self.process.wait();
    }
}

/// What the supervisor does: it reads groups to the end of the input, then kills what is left of the match.
pub fn stand_guard(mark: &str, input: impl BufRead) {
    let (mut groups, mut files, mut cleared) = (AHashSet::new(), Vec::new(), false);
    for line in input.split(b'\n').map_while(Result::ok) {
        let Some((sign, rest)) = line.split_first() else { continue };
        let group = || std::str::from_utf8(rest).ok()?.parse().ok().and_then(Pid::from_raw);
        match sign {
            b'+' => groups.extend(group()),
            b'-' => _ = group().map(|group| groups.remove(&group)),
            b'c' => cleared = true,
            b't' => files.push(PathBuf::from(OsStr::from_bytes(rest))),
            _ => {}
        }
    }
    for group in groups {
        let _ = kill_process_group(group, Signal::KILL);
    }
    for file in files {
        // A document that is complete has left its temporary name.
        let _ = fs::remove_file(file);
    }
    if cleared {
        return;
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

/// Reaps the dead that are nobody's.
fn reap_orphans(known: &AHashSet<Pid>) {
    for dead in ProcessTree::own().own_dead().filter(|dead| !known.contains(dead)) {
        let _ = waitpid(Some(dead), WaitOptions::NOHANG);
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
        if process_tree::has_variable(pid, marked) {
            found = true;
            let _ = kill_process(pid, Signal::KILL);
        }
    }
    found
}
