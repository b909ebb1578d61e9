//! Who descends from whom, among all processes.
//!
//! An engine may start children that leave its group and its session. They cannot leave their ancestry: an orphan
//! becomes a child of the referee, which is a subreaper. Where there is no `/proc` nobody is found.

use ahash::{AHashMap, AHashSet};
use rustix::process::{Pid, Signal, getpid, kill_process};
use std::{fs, io};

/// A process of the machine.
#[derive(Clone, Copy, Debug)]
struct Process {
    pid: Pid,
    parent: Option<Pid>,
    dead: bool,
}

/// All processes, as they were a moment ago.
#[derive(Debug)]
pub struct ProcessTree {
    members: Vec<Process>,
}

impl ProcessTree {
    /// Looks at the referee's own descendants, by the lists of children that Linux keeps: that takes as long on a
    /// machine with thousands of processes as on an idle one. A list that changes while it is read may miss somebody,
    /// so the last look is one at all processes. Where there are no lists, all looks are.
    pub fn own() -> ProcessTree {
        let (mut open, mut members) = (vec![getpid()], Vec::new());
        while let Some(parent) = open.pop() {
            match children_of(parent) {
                Ok(children) => {
                    members
                        .extend(children.iter().filter_map(|child| relative(child.as_raw_nonzero().get())));
                    open.extend(children);
                }
                // Somebody who has ended meanwhile has no children.
                Err(_) if parent != getpid() => {}
                Err(_) => return ProcessTree::look(),
            }
        }
        ProcessTree { members }
    }

    /// Looks at all processes.
    pub fn look() -> ProcessTree {
        let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
        let pids = entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
        ProcessTree { members: pids.filter_map(relative).collect() }
    }

    /// The referee's own children, dead or alive.
    pub fn own_children(&self) -> impl Iterator<Item = Pid> {
        let own = getpid();
        self.members.iter().filter(move |member| member.parent == Some(own)).map(|member| member.pid)
    }

    /// The referee's own children that are dead, but not reaped.
    pub fn own_dead(&self) -> impl Iterator<Item = Pid> {
        let own = getpid();
        self.members
            .iter()
            .filter(move |member| member.dead && member.parent == Some(own))
            .map(|dead| dead.pid)
    }

    /// These processes and all that descend from them, without the dead.
    pub fn living_of(&self, roots: impl IntoIterator<Item = Pid>) -> Vec<Pid> {
        let mut children: AHashMap<Pid, Vec<Pid>> = AHashMap::new();
        for member in &self.members {
            if let Some(parent) = member.parent {
                children.entry(parent).or_default().push(member.pid);
            }
        }
        let (mut open, mut seen): (Vec<Pid>, _) = (roots.into_iter().collect(), AHashSet::new());
        while let Some(pid) = open.pop() {
            if seen.insert(pid) {
                open.extend(children.get(&pid).into_iter().flatten());
            }
        }
        let living = self.members.iter().filter(|member| !member.dead && seen.contains(&member.pid));
        living.map(|member| member.pid).collect()
    }
}

/// Kills everybody who is found, until nobody is found who has not been killed before: one may be born meanwhile.
pub fn kill_all(look: impl Fn() -> ProcessTree, find: impl Fn(&ProcessTree) -> Vec<Pid>) {
    let mut killed = AHashSet::new();
    loop {
        let found = find(&look());
        let fresh: Vec<Pid> = found.into_iter().filter(|&pid| killed.insert(pid)).collect();
        if fresh.is_empty() {
            return;
        }
        for pid in fresh {
            // Whoever has ended meanwhile need not be killed.
            let _ = kill_process(pid, Signal::KILL);
        }
    }
}

/// Whether a process was started with a variable, `NAME=VALUE`.
pub fn has_variable(pid: Pid, variable: &str) -> bool {
    let environment = fs::read(format!("/proc/{}/environ", pid.as_raw_nonzero())).unwrap_or_default();
    environment.split(|&byte| byte == 0).any(|found| found == variable.as_bytes())
}

/// The children of a process, dead or alive.
fn children_of(parent: Pid) -> io::Result<Vec<Pid>> {
    let mut children = Vec::new();
    for task in fs::read_dir(format!("/proc/{}/task", parent.as_raw_nonzero()))? {
        match fs::read_to_string(task?.path().join("children")) {
            Ok(list) => {
                children.extend(list.split(' ').filter_map(|pid| pid.parse().ok().and_then(Pid::from_raw)))
            }
            // A thread that has ended has left its children to the others.
            Err(_) if parent != getpid() => {}
            Err(error) => return Err(error),
        }
    }
    Ok(children)
}

fn relative(number: i32) -> Option<Process> {
    let text = fs::read(format!("/proc/{number}/stat")).ok()?;
    // The program's name is in brackets and may have anything in it, brackets and blanks included.
    let name_end = text.iter().rposition(|&byte| byte == b')')?;
    let rest = std::str::from_utf8(&text[name_end + 1..]).ok()?;
    let mut fields = rest.split_ascii_whitespace();
    let dead = matches!(fields.next()?, "Z" | "X");
    let parent = fields.next()?.parse().ok().and_then(Pid::from_raw);
    Some(Process { pid: Pid::from_raw(number)?, parent, dead })
}
