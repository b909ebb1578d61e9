//! The descent of processes.
//!
//! An engine may start children that leave its process group and its session. They cannot leave their ancestry: an orphan becomes
//! a child of the engine's shim, which is a subreaper (prctl(2), PR_SET_CHILD_SUBREAPER), like the referee.

use crate::engine::proc_fs::{self, Stat};
use ahash::{AHashMap, AHashSet};
use rustix::process::{Pid, Signal, getpid, kill_process};
use std::time::{Duration, Instant};

/// How long processes that start others again and again are hunted.
pub const KILL_LIMIT: Duration = Duration::from_secs(2);

/// Processes with their parents, at a recent moment.
#[derive(Debug)]
pub struct ProcessTree {
    nodes: Vec<(Pid, Stat)>,
}

fn node(pid: Pid) -> Option<(Pid, Stat)> {
    Some((pid, Stat::of_process(pid)?))
}

impl ProcessTree {
    /// The descendants of a process, found by the lists of children that Linux keeps.
    ///
    /// That takes as long on a machine with thousands of processes as on an idle one. But a list may miss a process while
    /// it changes; [`ProcessTree::of_all`] finds every one. Without such lists both are the same for this process.
    pub fn below(root: Pid) -> ProcessTree {
        let (mut open, mut nodes) = (vec![root], Vec::new());
        while let Some(parent) = open.pop() {
            match proc_fs::children_of(parent) {
                Ok(children) => {
                    nodes.extend(children.iter().filter_map(|&child| node(child)));
                    open.extend(children);
                }
                // A process that has ended meanwhile has no children.
                Err(_) if parent != root || parent != getpid() => {}
                Err(_) => return ProcessTree::of_all(),
            }
        }
        ProcessTree { nodes }
    }

    /// All processes of the machine.
    pub fn of_all() -> ProcessTree {
        ProcessTree { nodes: proc_fs::all_processes().into_iter().filter_map(node).collect() }
    }

    /// The referee's own children, and whether each has exited and is not reaped.
    pub fn own_children(&self) -> impl Iterator<Item = (Pid, bool)> {
        let own = getpid();
        self.nodes
            .iter()
            .filter(move |(_, stat)| stat.parent == Some(own))
            .map(|(pid, stat)| (*pid, stat.is_dead))
    }

    /// The processor time that all of them have used, and their children that have ended.
    pub fn processor_time(&self) -> Duration {
        self.nodes.iter().map(|(_, stat)| stat.processor_time + stat.children_time).sum()
    }

    /// Those that have not ended.
    pub fn living(&self) -> impl Iterator<Item = Pid> {
        self.nodes.iter().filter(|(_, stat)| !stat.is_dead).map(|(pid, _)| *pid)
    }

    /// The suspended ones (SIGSTOP).
    pub fn suspended(&self) -> impl Iterator<Item = Pid> {
        self.nodes.iter().filter(|(_, stat)| stat.is_suspended).map(|(pid, _)| *pid)
    }

    /// The living among these processes and their descendants.
    pub fn living_below(&self, roots: impl IntoIterator<Item = Pid>) -> Vec<Pid> {
        let mut children: AHashMap<Pid, Vec<Pid>> = AHashMap::new();
        for (pid, stat) in &self.nodes {
            stat.parent.into_iter().for_each(|parent| children.entry(parent).or_default().push(*pid));
        }
        let (mut open, mut seen): (Vec<Pid>, _) = (roots.into_iter().collect(), AHashSet::new());
        while let Some(pid) = open.pop() {
            if seen.insert(pid) {
                open.extend(children.get(&pid).into_iter().flatten());
            }
        }
        self.living().filter(|pid| seen.contains(pid)).collect()
    }
}

/// Kills everything below a process, but not the process itself; says whether nothing is left.
pub fn kill_below(root: Pid) -> bool {
    let quick = |killed: &mut AHashSet<Pid>| kill_listed(vec![root], killed, |_| true);
    let all = || ProcessTree::of_all().living_below([root]).into_iter().filter(|&pid| pid != root).collect();
    kill_all(quick, all)
}

/// Kills processes again and again, since they may start others meanwhile, until none is left that was not killed before.
/// Says whether it came to that within [`KILL_LIMIT`].
///
/// `all` finds them all, by looking at every process of the machine. That is slow: a chain of processes, each of which starts the
/// next one and ends, would escape each time. `quick` therefore finds and kills those that it sees at once, and returns the
/// number of new ones.
pub fn kill_all(
    mut quick: impl FnMut(&mut AHashSet<Pid>) -> usize,
    mut all: impl FnMut() -> Vec<Pid>,
) -> bool {
    let (deadline, mut killed) = (Instant::now() + KILL_LIMIT, AHashSet::new());
    loop {
        let mut fresh = 0;
        for pid in all() {
            // A process that has ended meanwhile need not be killed.
            let _ = kill_process(pid, Signal::KILL);
            fresh += usize::from(killed.insert(pid));
        }
        if fresh == 0 {
            return true;
        }
        while quick(&mut killed) > 0 {
            if Instant::now() > deadline {
                return false;
            }
        }
        if Instant::now() > deadline {
            return false;
        }
    }
}

/// Kills the descendants of some processes as soon as each is found in a list of children, and says how many are new.
/// Of the first generation only those are killed that a function admits.
pub fn kill_listed(roots: Vec<Pid>, killed: &mut AHashSet<Pid>, admits: impl Fn(Pid) -> bool) -> usize {
    let (mut fresh, mut open) = (0, roots.clone());
    while let Some(parent) = open.pop() {
        for child in proc_fs::children_of(parent).unwrap_or_default() {
            if roots.contains(&parent) && !admits(child) {
                continue;
            }
            let _ = kill_process(child, Signal::KILL);
            fresh += usize::from(killed.insert(child));
            open.push(child);
        }
    }
    fresh
}
