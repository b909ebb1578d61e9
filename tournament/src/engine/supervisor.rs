//! Starting engines, and killing everything they have started.
//!
//! Each engine has a [shim](super::shim), and everything that it starts stays below that. The referee is a subreaper, too: if an
//! engine kills its shim, its processes become the referee's children. So a child that the referee did not start is such an
//! orphan, and is killed when the next engine ends. If the referee itself is killed, the shims and the
//! [cleanup process](super::cleanup) do the rest.
//!
//! Nothing here waits for ever, neither for the cleanup process, which an engine may have suspended, nor for processes that
//! repeatedly start others.

use super::cleanup::{CLEANUP_FLAG, Message, PAUSE, look_until};
use super::control_group::{self, ControlGroup, control_groups};
use super::conversation::ConversationLog;
use super::process_tree::{ProcessTree, kill_all, kill_listed};
use super::stop::locked;
use ahash::AHashSet;
use rustix::io::ioctl_fionbio;
use rustix::process::{
    Pid, Signal, WaitId, WaitIdOptions, WaitOptions, getpid, kill_process, set_child_subreaper, waitid,
    waitpid,
};
use std::collections::BTreeSet;
use std::io::{self, Write};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// How long the cleanup process may take to read a message.
const CLEANUP_TIMEOUT: Duration = Duration::from_secs(1);
/// How long it may take to exit. It is awake, and no engine is left: only a busy machine delays it.
const CLEANUP_EXIT_TIMEOUT: Duration = Duration::from_secs(30);

/// Everything that a match starts is started, reaped and killed here.
#[derive(Debug)]
pub struct Supervisor {
    program: PathBuf,
    cleanup: Mutex<Option<Child>>,
    pipe: Mutex<Option<ChildStdin>>,
    /// In the names of this match's control groups.
    mark: String,
    /// Where everything goes that is said to engines and by them.
    log: Option<Arc<ConversationLog>>,
    /// Where control groups for engines can be made.
    groups: Option<PathBuf>,
    /// Whether these have limits.
    limited: bool,
    /// How many engines have been started.
    started: AtomicU64,
    /// The names of the engines without a sandbox, which can send signals to all others.
    reaching: Mutex<BTreeSet<String>>,
    /// A game was disturbed, perhaps by an engine.
    disturbed: AtomicBool,
    /// All processes are killed, and no engine will be started.
    cleared: AtomicBool,
    /// The error, for the user.
    warnings: Mutex<Vec<String>>,
    /// Children that are not orphans of engines: the cleanup process, shims, and whatever was there before.
    ///
    /// It is locked while a child is started or reaped: no other thread reaps that child.
    known: Mutex<AHashSet<Pid>>,
}

impl Supervisor {
    /// Starts the cleanup process; `program` is the referee's own. The log gets everything that is said to engines and by them.
    ///
    /// From now on orphans of engines become children of this process, which reaps them.
    pub fn start(program: &Path, log: Option<ConversationLog>) -> io::Result<Supervisor> {
        set_child_subreaper(Some(getpid()))?;
        let groups = control_groups();
        // Before anything is started, which would be in the group that is to have no processes.
        let limited = groups.as_deref().is_some_and(control_group::enable_limits);
        let mut known: AHashSet<Pid> =
            ProcessTree::below(getpid()).own_children().map(|(pid, _)| pid).collect();
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let mark = format!("{}-{}", std::process::id(), now.as_nanos());
        let mut cleanup = Command::new(program)
            .args([CLEANUP_FLAG, &mark])
            // It needs no variable, and must hold no secret.
            .env_clear()
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .process_group(0)
            .spawn()?;
        known.insert(Pid::from_child(&cleanup));
        let pipe = cleanup.stdin.take();
        if let Some(pipe) = &pipe {
            ioctl_fionbio(pipe, true)?;
        }
        // Under this name the program can be started even if its file is replaced meanwhile.
        let own = Path::new("/proc/self/exe");
        let program = if own.exists() { own } else { program }.to_owned();
        Ok(Supervisor {
            program,
            cleanup: Mutex::new(Some(cleanup)),
            pipe: Mutex::new(pipe),
            mark,
            log: log.map(Arc::new),
            groups,
            limited,
            started: AtomicU64::new(0),
            reaching: Mutex::default(),
            disturbed: AtomicBool::new(false),
            cleared: AtomicBool::new(false),
            warnings: Mutex::default(),
            known: Mutex::new(known),
        })
    }

    /// Where everything goes that is said to engines and by them.
    pub(super) fn log(&self) -> Option<&Arc<ConversationLog>> {
        self.log.as_ref()
    }

    /// A warning if engines can escape their limits.
    pub fn loose_limits(&self) -> Option<&'static str> {
        (!self.limited).then_some(
            "no control groups: memory= limits each process alone, without shared memory (SECURITY.md)",
        )
    }

    /// An engine is started that can send signals to others.
    pub(super) fn note_reach(&self, name: &str) {
        locked(&self.reaching).insert(name.to_owned());
    }

    /// Whether no other engine than this one can have sent signals to it.
    pub(super) fn is_out_of_reach(&self, name: &str) -> bool {
        locked(&self.reaching).iter().all(|other| other == name)
    }

    /// A game was disturbed, perhaps by an engine; says whether it is the first of this match.
    pub fn note_disturbance(&self) -> bool {
        !self.disturbed.swap(true, Ordering::Relaxed)
    }

    /// The referee's own program.
    pub(super) fn program(&self) -> &Path {
        &self.program
    }

    /// Starts the shim of an engine. The group is for the engine and its descendants.
    pub(super) fn spawn(&self, command: &mut Command) -> io::Result<(Child, Option<ControlGroup>)> {
        let number = format!("{}-{}", self.mark, self.started.fetch_add(1, Ordering::Relaxed));
        let group = self.groups.as_ref().and_then(|home| ControlGroup::make(home, &number));
        let mut known = locked(&self.known);
        let child = command.spawn()?;
        let shim = Pid::from_child(&child);
        known.insert(shim);
        self.send(Message::Started(shim));
        Ok((child, group))
    }

    /// Reaps a shim that has been killed, and all orphans that have ended.
    pub(super) fn reap(&self, child: &mut Child) {
        let shim = Pid::from_child(child);
        self.send(Message::Gone(shim));
        let mut known = locked(&self.known);
        // If it is not quite gone it is no longer known, and is reaped as an orphan.
        let _ = child.try_wait();
        known.remove(&shim);
        drop(known);
        self.reap_orphans();
    }

    /// Reaps orphans that have exited. It costs little if there are none.
    pub fn reap_orphans(&self) {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        if matches!(waitid(WaitId::All, options), Ok(Some(_))) {
            let known = locked(&self.known);
            let tree = ProcessTree::below(getpid());
            for (orphan, _) in
                tree.own_children().filter(|(child, is_dead)| *is_dead && !known.contains(child))
            {
                let _ = waitpid(Some(orphan), WaitOptions::NOHANG);
            }
        }
    }

    /// Kills an engine's living descendants, wherever they have gone, and all orphans.
    pub(super) fn kill_descendants(&self, shim: Pid) {
        if !self.kill_orphans(Some(shim)) {
            self.warn(format!(
                "an engine's processes start others faster than they can be killed; some may be left below process {}",
                shim.as_raw_nonzero()
            ));
        }
    }

    /// Kills orphans with their descendants, and the descendants of a shim; returns whether all are gone.
    ///
    /// All processes of the machine are looked at: a list of children may miss some on a busy machine.
    fn kill_orphans(&self, shim: Option<Pid>) -> bool {
        let quick = |killed: &mut AHashSet<Pid>| {
            let known = locked(&self.known);
            kill_listed([getpid()].into_iter().chain(shim).collect(), killed, |child| !known.contains(&child))
        };
        kill_all(quick, || {
            let (tree, known) = (ProcessTree::of_all(), locked(&self.known));
            let orphans = tree.own_children().map(|(child, _)| child).filter(|child| !known.contains(child));
            tree.living_below(orphans.chain(shim)).into_iter().filter(|&pid| Some(pid) != shim).collect()
        })
    }

    /// Has a temporary file removed in case the referee cannot do it.
    pub fn watch_temporary(&self, path: &Path) {
        self.send(Message::Temporary(path));
    }

    /// Kills whatever is left of the match once the engines are gone: orphans.
    pub fn clear(&self) {
        if !self.kill_orphans(None) {
            self.warn("some processes of engines start others faster than they can be killed".to_owned());
        }
        look_until(|| {
            self.reap_orphans();
            let known = locked(&self.known);
            ProcessTree::of_all().own_children().all(|(child, _)| known.contains(&child))
        });
        // Control groups that could not be removed when their engines were killed.
        look_until(|| self.groups.as_ref().is_none_or(|home| control_group::clear(home, &self.mark)));
        self.cleared.store(true, Ordering::Relaxed);
    }

    fn warn(&self, text: String) {
        locked(&self.warnings).push(text);
    }

    fn send(&self, message: Message<'_>) {
        let mut pipe = locked(&self.pipe);
        let Some(line) = message.line() else { return };
        let deadline = Instant::now() + CLEANUP_TIMEOUT;
        while let Some(open) = pipe.as_mut() {
            // A line is so short that it is written whole or not at all.
            match open.write_all(&line) {
                Ok(()) => return,
                Err(error) if error.kind() == io::ErrorKind::WouldBlock && Instant::now() < deadline => {
                    self.resume_cleanup();
                    thread::sleep(PAUSE);
                }
                // If the cleanup process was killed, the match goes on without it.
                Err(_) => _ = pipe.take(),
            }
        }
    }

    /// An engine may have suspended the cleanup process.
    fn resume_cleanup(&self) {
        let cleanup = locked(&self.cleanup);
        if let Some(cleanup) = cleanup.as_ref().map(Pid::from_child) {
            let _ = kill_process(cleanup, Signal::CONT);
        }
    }

    /// Ends everything: kills what is left of the match, and lets the cleanup process finish. Returns problems.
    pub fn end(&self) -> Vec<String> {
        if !self.cleared.load(Ordering::Relaxed) {
            self.clear();
        }
        self.send(Message::CleanedUp);
        locked(&self.pipe).take();
        self.resume_cleanup();
        let cleanup = locked(&self.cleanup).take();
        if let Some(mut cleanup) = cleanup
            && !ended_within(&mut cleanup, CLEANUP_EXIT_TIMEOUT)
        {
            self.warn(
                "the cleanup process did not end, and was killed; it may have been suspended".to_owned(),
            );
            let _ = cleanup.kill();
            let _ = cleanup.wait();
        }
        if let Some(problem) = self.log.as_ref().and_then(|log| log.take_problem()) {
            self.warn(problem);
        }
        std::mem::take(&mut locked(&self.warnings))
    }
}

fn ended_within(child: &mut Child, limit: Duration) -> bool {
    let deadline = Instant::now() + limit;
    // It mostly ends at once.
    let mut pause = Duration::from_micros(200);
    while matches!(child.try_wait(), Ok(None)) {
        if Instant::now() > deadline {
            return false;
        }
        thread::sleep(pause);
        pause = (2 * pause).min(PAUSE);
    }
    true
}

impl Drop for Supervisor {
    fn drop(&mut self) {
        self.end();
    }
}
