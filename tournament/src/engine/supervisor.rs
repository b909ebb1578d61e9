//! Starting engines, and killing everything they have started.
//!
//! The referee is a subreaper: an orphan of an engine becomes the referee's child, whatever process group or environment
//! it has given itself. It is killed with its engine if its environment tells whose it is, and otherwise at the end of the
//! match. If the referee itself is killed, the [cleanup process](super::cleanup) does the rest.

use super::cleanup::{CLEANUP_FLAG, LOOKS, MARKER, Message};
use super::process_tree::{ProcessTree, kill_all};
use crate::proc_fs::has_variable;
use ahash::AHashSet;
use rustix::process::{Pid, WaitId, WaitIdOptions, WaitOptions, waitid, waitpid};
use std::io::{self, Write};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{SystemTime, UNIX_EPOCH};

/// The environment variable that tells the engines of a match apart.
const ENGINE_MARKER: &str = "KROO_REFEREE_ENGINE";

/// Everything that a match starts is started, reaped and killed here.
#[derive(Debug)]
pub struct Supervisor {
    cleanup: Child,
    pipe: Mutex<Option<ChildStdin>>,
    mark: String,
    /// How many engines have been started.
    started: AtomicU64,
    /// Nobody is left, and no engine will be started.
    cleared: AtomicBool,
    /// Children that are not orphans of engines: the cleanup process, running engines, and whatever was there before.
    ///
    /// It is locked while a child is started or reaped, so that nobody else reaps that child.
    known: Mutex<AHashSet<Pid>>,
}

impl Supervisor {
    /// Starts the cleanup process; `program` is the referee's own.
    ///
    /// From now on orphans of engines become children of this process, so that it can reap them.
    ///
    /// # Errors
    /// If it cannot be started.
    pub fn start(program: &Path) -> io::Result<Supervisor> {
        #[cfg(target_os = "linux")]
        rustix::process::set_child_subreaper(Some(rustix::process::getpid()))?;
        let mut known: AHashSet<Pid> = ProcessTree::of_own_descendants().own_children().collect();
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let mark = format!("{}-{}", std::process::id(), now.as_nanos());
        let mut cleanup = Command::new(program)
            .args([CLEANUP_FLAG, &mark])
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .process_group(0)
            .spawn()?;
        known.insert(Pid::from_child(&cleanup));
        let (pipe, known) = (Mutex::new(cleanup.stdin.take()), Mutex::new(known));
        let (started, cleared) = (AtomicU64::new(0), AtomicBool::new(false));
        Ok(Supervisor { cleanup, pipe, mark, started, cleared, known })
    }

    /// Starts an engine. The text is the environment variable that marks the engine and its descendants.
    ///
    /// # Errors
    /// What the system says.
    pub(super) fn spawn(&self, command: &mut Command) -> io::Result<(Child, String)> {
        let number = format!("{}-{}", self.mark, self.started.fetch_add(1, Ordering::Relaxed));
        command.env(MARKER, &self.mark).env(ENGINE_MARKER, &number);
        let mut known = self.known();
        let child = command.spawn()?;
        let group = Pid::from_child(&child);
        known.insert(group);
        self.send(Message::Started(group));
        Ok((child, format!("{ENGINE_MARKER}={number}")))
    }

    /// Reaps an engine that has exited, and all orphans that have.
    pub(super) fn reap(&self, child: &mut Child) -> Option<ExitStatus> {
        let group = Pid::from_child(child);
        self.send(Message::Gone(group));
        let mut known = self.known();
        let status = child.try_wait().ok().flatten();
        known.remove(&group);
        drop(known);
        self.reap_orphans();
        status
    }

    /// Reaps orphans that have exited. It costs little if there are none.
    pub fn reap_orphans(&self) {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        if matches!(waitid(WaitId::All, options), Ok(Some(_))) {
            let known = self.known();
            let tree = ProcessTree::of_own_descendants();
            for orphan in tree.own_zombies().filter(|orphan| !known.contains(orphan)) {
                let _ = waitpid(Some(orphan), WaitOptions::NOHANG);
            }
        }
    }

    /// The living among these engines, their descendants, and all orphans, whosever they are.
    pub fn living_below(&self, engines: &[Pid]) -> Vec<Pid> {
        let (tree, known) = (ProcessTree::of_own_descendants(), self.known());
        let orphans = tree.own_children().filter(|orphan| !known.contains(orphan));
        tree.living_below(orphans.chain(engines.iter().copied()))
    }

    /// How many descendants of an engine are alive, wherever they have gone. With more than one engine at a time, orphans
    /// without a marker count for none.
    pub(super) fn count_descendants(&self, engine: Pid, marker: &str) -> usize {
        let (tree, known) = (ProcessTree::of_own_descendants(), self.known());
        // The cleanup process and the engine.
        let alone = known.len() <= 2;
        let orphans = tree.own_children().filter(|orphan| !known.contains(orphan));
        let own = orphans.filter(|&orphan| alone || has_variable(orphan, marker));
        tree.living_below(own.chain([engine])).into_iter().filter(|&pid| pid != engine).count()
    }

    /// Kills an engine's living descendants, wherever they have gone. The engine itself may have ended before.
    ///
    /// All processes of the machine are looked at: a list of children may miss somebody on a busy machine, and an orphan
    /// that is missed now belongs to nobody once its parent is dead.
    pub(super) fn kill_descendants(&self, engine: Pid, marker: &str) {
        kill_all(|| {
            let (tree, known) = (ProcessTree::of_all(), self.known());
            let orphans = tree.own_children().filter(|orphan| !known.contains(orphan));
            let own = orphans.filter(|&orphan| has_variable(orphan, marker));
            tree.living_below(own.chain([engine]))
        });
    }

    /// Has a temporary file removed in case the referee cannot do it.
    pub fn watch_temporary(&self, path: &Path) {
        self.send(Message::Temporary(path));
    }

    /// Kills whatever is left of the match once the engines are gone: orphans, marked or not.
    pub fn clear(&self) {
        kill_all(|| {
            let (tree, known) = (ProcessTree::of_all(), self.known());
            tree.living_below(tree.own_children().filter(|child| !known.contains(child)))
        });
        // A killed process is not gone at once.
        let (looks, pause) = LOOKS;
        for _ in 0..looks {
            self.reap_orphans();
            let known = self.known();
            if ProcessTree::of_all().own_children().all(|child| known.contains(&child)) {
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

    fn send(&self, message: Message<'_>) {
        let mut pipe = self.pipe.lock().unwrap_or_else(PoisonError::into_inner);
        if let (Some(pipe), Some(line)) = (pipe.as_mut(), message.line()) {
            // If somebody has killed the cleanup process, the match goes on without it.
            let _ = pipe.write_all(&line);
        }
    }
}

impl Drop for Supervisor {
    /// Lets the cleanup process do its work and waits for it.
    fn drop(&mut self) {
        if !self.cleared.load(Ordering::Relaxed) {
            self.clear();
        }
        if cfg!(target_os = "linux") {
            self.send(Message::CleanedUp);
        }
        self.pipe.get_mut().unwrap_or_else(PoisonError::into_inner).take();
        let _ = self.cleanup.wait();
    }
}
