//! Which process descends from which.
//!
//! An engine may start children that leave its process group and its session. They cannot leave their ancestry: an orphan
//! becomes a child of the referee, which is a subreaper (prctl(2), PR_SET_CHILD_SUBREAPER).

use crate::proc_fs::{self, Stat};
use ahash::{AHashMap, AHashSet};
use rustix::process::{Pid, Signal, getpid, kill_process};

/// A process, as it was a moment ago.
#[derive(Clone, Copy, Debug)]
struct Node {
    pid: Pid,
    parent: Option<Pid>,
    is_dead: bool,
}

impl Node {
    fn of(pid: Pid) -> Option<Node> {
        let Stat { parent, is_dead, .. } = Stat::of_process(pid)?;
        Some(Node { pid, parent, is_dead })
    }
}

/// Processes with their parents, as they were a moment ago.
#[derive(Debug)]
pub struct ProcessTree {
    nodes: Vec<Node>,
}

impl ProcessTree {
    /// The referee's own descendants, found by the lists of children that Linux keeps.
    ///
    /// That takes as long on a machine with thousands of processes as on an idle one. But a list may miss somebody while
    /// it changes, so whoever must find everybody uses [`ProcessTree::of_all`]. Without such lists both are the same.
    pub fn of_own_descendants() -> ProcessTree {
        let (mut open, mut nodes) = (vec![getpid()], Vec::new());
        while let Some(parent) = open.pop() {
            match proc_fs::children_of(parent) {
                Ok(children) => {
                    nodes.extend(children.iter().filter_map(|&child| Node::of(child)));
                    open.extend(children);
                }
                // A process that has ended meanwhile has no children.
                Err(_) if parent != getpid() => {}
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

/// Kills all processes that `find` returns, again and again until it finds none that was not killed before: a process may
/// be started meanwhile.
pub fn kill_all(mut find: impl FnMut() -> Vec<Pid>) {
    let mut killed = AHashSet::new();
    loop {
        let fresh: Vec<Pid> = find().into_iter().filter(|&pid| killed.insert(pid)).collect();
        if fresh.is_empty() {
            return;
        }
        for pid in fresh {
            // A process that has ended meanwhile need not be killed.
            let _ = kill_process(pid, Signal::KILL);
        }
    }
}
