//! Which process descends from which.
//!
//! An engine may start children that leave its process group and its session. They cannot leave their ancestry: an orphan
//! becomes a child of the engine's shim, which is a subreaper (prctl(2), PR_SET_CHILD_SUBREAPER), as the referee is.

use crate::engine::proc_fs::{self, Stat};
use ahash::{AHashMap, AHashSet};
use rustix::process::{Pid, Signal, getpid, kill_process};
use std::time::{Duration, Instant};

/// How long processes that start others again and again are hunted.
pub const KILL_LIMIT: Duration = Duration::from_secs(2);

/// A process, as it was a moment ago.
#[derive(Clone, Copy, Debug)]
struct Node {
    pid: Pid,
    parent: Option<Pid>,
    is_dead: bool,
    is_suspended: bool,
    /// Its processor time, and that of its children that were waited for.
    time: Duration,
}

impl Node {
    fn of(pid: Pid) -> Option<Node> {
        let Stat { parent, is_dead, is_suspended, processor_time, children_time, .. } =
            Stat::of_process(pid)?;
        Some(Node { pid, parent, is_dead, is_suspended, time: processor_time + children_time })
    }
}

/// Processes with their parents, as they were a moment ago.
#[derive(Debug)]
pub struct ProcessTree {
    nodes: Vec<Node>,
}

impl ProcessTree {
    /// The descendants of this process, found by the lists of children that Linux keeps.
    ///
    /// That takes as long on a machine with thousands of processes as on an idle one. But a list may miss a process while
    /// it changes; [`ProcessTree::of_all`] finds every one. Without such lists both are the same.
    pub fn of_own_descendants() -> ProcessTree {
        ProcessTree::below(getpid())
    }

    /// The descendants of a process, found in the same way.
    pub fn below(root: Pid) -> ProcessTree {
        let (mut open, mut nodes) = (vec![root], Vec::new());
        while let Some(parent) = open.pop() {
            match proc_fs::children_of(parent) {
                Ok(children) => {
                    nodes.extend(children.iter().filter_map(|&child| Node::of(child)));
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
        ProcessTree { nodes: proc_fs::all_processes().into_iter().filter_map(Node::of).collect() }
    }

    /// The referee's own children, zombies included.
    pub fn own_children(&self) -> impl Iterator<Item = Pid> {
        self.own().map(|node| node.pid)
    }

    /// The referee's own children that have exited and are not reaped.
    pub fn own_zombies(&self) -> impl Iterator<Item = Pid> {
        self.own().filter(|node| node.is_dead).map(|node| node.pid)
    }

    fn own(&self) -> impl Iterator<Item = &Node> {
        let own = getpid();
        self.nodes.iter().filter(move |node| node.parent == Some(own))
    }

    /// The processor time that all of them have used, and their children that have ended.
    pub fn processor_time(&self) -> Duration {
        self.nodes.iter().map(|node| node.time).sum()
    }

    /// Those that have not ended.
    pub fn living(&self) -> impl Iterator<Item = Pid> {
        self.nodes.iter().filter(|node| !node.is_dead).map(|node| node.pid)
    }

    /// Those that are suspended, as SIGSTOP does it.
    pub fn suspended(&self) -> impl Iterator<Item = Pid> {
        self.nodes.iter().filter(|node| node.is_suspended).map(|node| node.pid)
    }

    /// The living among these processes and their descendants.
    pub fn living_below(&self, roots: impl IntoIterator<Item = Pid>) -> Vec<Pid> {
        let mut children: AHashMap<Pid, Vec<Pid>> = AHashMap::new();
        for node in &self.nodes {
            if let Some(parent) = node.parent {
                children.entry(parent).or_default().push(node.pid);
            }
        }
        let (mut open, mut seen): (Vec<Pid>, _) = (roots.into_iter().collect(), AHashSet::new());
        while let Some(pid) = open.pop() {
            if seen.insert(pid) {
                open.extend(children.get(&pid).into_iter().flatten());
            }
        }
        let living = self.nodes.iter().filter(|node| !node.is_dead && seen.contains(&node.pid));
        living.map(|node| node.pid).collect()
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
/// `all` finds them all, by looking at every process of the machine. That is slow. A chain of processes, each of which starts
/// the next one and ends, would be gone each time. So `quick` finds and kills those that it sees at once; it says how many
/// were new.
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
