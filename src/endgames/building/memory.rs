//! The memory that a build may use: the memory that the system has available, within the limits of this process's control groups.
//!
//! A group also has the limits of every group above it. Version 2 of control groups has one tree for everything, version 1 a
//! separate tree for the memory controller (man 7 cgroups). In a container, the tree may begin at its own group while the path is
//! that of the machine: then the groups below the root do not exist, and the root has the limit.

use std::fs;
use std::path::{Component, Path, PathBuf};

/// Bytes that the system can give without taking them from others; `None` if it does not tell.
pub fn available_memory() -> Option<u64> {
    available_under(Path::new("/"))
}

/// The same by the files of a system under a root folder.
pub fn available_under(root: &Path) -> Option<u64> {
    let info = fs::read_to_string(root.join("proc/meminfo")).ok()?;
    let system = info.lines().find_map(|line| number(line.strip_prefix("MemAvailable:")?))? << 10;
    Some(group_limit(root).map_or(system, |limit| limit.min(system)))
}

/// The smallest limit of the groups of this process and of those above them.
fn group_limit(root: &Path) -> Option<u64> {
    let groups = fs::read_to_string(root.join("proc/self/cgroup")).unwrap_or_else(|_| "0::/".to_owned());
    let limits = groups.lines().filter_map(|line| {
        // `0::/user.slice/x.scope` in version 2, `5:memory:/docker/x` in version 1.
        let (controllers, group) = line.split_once(':')?.1.split_once(':')?;
        let (tree, file) = match controllers {
            "" => ("sys/fs/cgroup", "memory.max"),
            some if some.split(',').any(|name| name == "memory") => {
                ("sys/fs/cgroup/memory", "memory.limit_in_bytes")
            }
            _ => return None,
        };
        let names = Path::new(group).components().filter(|part| matches!(part, Component::Normal(_)));
        let group: PathBuf = names.collect();
        let files = group.ancestors().map(|group| root.join(tree).join(group).join(file));
        // `max` is no number, and no limit.
        files.filter_map(|file| number(&fs::read_to_string(file).ok()?)).min()
    });
    limits.min()
}

/// The number that a text begins with.
fn number(text: &str) -> Option<u64> {
    text.split_whitespace().next()?.parse().ok()
}
