//! Control groups (cgroups(7), version 2): everything that an engine starts is in its group, and one write to a file kills the group
//! whole, at once. No chain of processes is fast enough to get away. Where the system lets a group limit those below it, the
//! memory and the processes of an engine are limited all together, shared memory and files in memory included.
//!
//! They are used if the system has them and lets the referee make them below its own. An engine with the referee's own rights can
//! leave its group: the shim (`shim.rs`) does its work in any case.

use serde::{Deserialize, Serialize};
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How the names of groups begin.
const PREFIX: &str = "kroo-referee-";
/// The beginning of the name of a referee's own group, if it had to leave the group where its engines' groups are made.
const ASIDE: &str = "kroo-referee-aside-";
/// The limited resources.
const LIMITED: [&str; 2] = ["memory", "pids"];
/// The shared resource: groups have the same weight, so engines have the same share for any number of processes.
const SHARED: &str = "cpu";

/// Where the groups of engines can be made: the group of this process. `None` if the system has no such groups, or this
/// process may not make any.
pub fn control_groups() -> Option<PathBuf> {
    let own = own_group()?;
    let is_aside = own.file_name().is_some_and(|name| name.to_string_lossy().starts_with(ASIDE));
    let home = if is_aside { own.parent()?.to_owned() } else { own };
    // A process that is moved into a group must also be let out.
    let tried = ControlGroup::make(&home, &format!("try-{}", std::process::id()))?;
    let usable = tried.folder.join("cgroup.kill").is_file()
        && fs::File::options().write(true).open(home.join("cgroup.procs")).is_ok();
    tried.remove();
    usable.then_some(home)
}

/// The group of this process.
pub fn own_group() -> Option<PathBuf> {
    let read = |file: &str| fs::read_to_string(Path::new("/proc/self").join(file)).ok();
    group_in(&read("mountinfo")?, &read("cgroup")?)
}

/// The group of a process with these mounts and these groups.
pub fn group_in(mounts: &str, groups: &str) -> Option<PathBuf> {
    // `41 31 0:38 / /sys/fs/cgroup/unified rw,relatime - cgroup2 cgroup2 rw`
    let mount = mounts.lines().find_map(|line| {
        let (left, right) = line.split_once(" - ")?;
        let place = left.split(' ').nth(4)?;
        (right.split(' ').next() == Some("cgroup2")).then(|| PathBuf::from(place))
    })?;
    let own = groups.lines().find_map(|line| line.strip_prefix("0::/"))?;
    Some(mount.join(own))
}

/// Allows limits for the groups made here; returns whether that worked. A group with its own processes cannot limit others, so
/// this process may move to a group aside.
pub fn enable_limits(home: &Path) -> bool {
    let has_all = |file: &str| {
        let text = fs::read_to_string(home.join(file)).unwrap_or_default();
        LIMITED.iter().all(|wanted| text.split_whitespace().any(|found| found == *wanted))
    };
    let write = |names: &[&str]| {
        let words: Vec<String> = names.iter().map(|name| format!("+{name}")).collect();
        fs::write(home.join("cgroup.subtree_control"), words.join(" "))
    };
    let enable = || write(&[&LIMITED[..], &[SHARED]].concat()).or_else(|_| write(&LIMITED));
    if !has_all("cgroup.controllers") {
        return false;
    }
    if has_all("cgroup.subtree_control") || enable().is_ok() {
        return true;
    }
    let aside = home.join(format!("{ASIDE}{}", std::process::id()));
    if fs::create_dir(&aside).is_ok() && enter(&aside).is_ok() && enable().is_ok() {
        return true;
    }
    let _ = enter(home);
    let _ = fs::remove_dir(&aside);
    false
}

/// A group for an engine and everything that it starts.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ControlGroup {
    folder: PathBuf,
}

impl ControlGroup {
    /// Makes a group; `None` if that cannot be done.
    pub fn make(home: &Path, name: &str) -> Option<ControlGroup> {
        let folder = home.join(format!("{PREFIX}{name}"));
        fs::create_dir(&folder).ok()?;
        Some(ControlGroup { folder })
    }

    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Limits everything in it together: bytes of memory, and processes with their threads. Where the group can have no limits,
    /// nothing happens.
    pub fn limit(&self, memory: Option<u64>, tasks: u64) {
        let set = |file: &str, limit: u64| {
            // Without `create`: in a group there are only the files of the system.
            let open = fs::File::options().write(true).open(self.folder.join(file));
            let _ = open.and_then(|mut file| file.write_all(limit.to_string().as_bytes()));
        };
        if let Some(memory) = memory {
            set("memory.max", memory);
            set("memory.swap.max", 0);
        }
        set("pids.max", tasks);
    }

    /// The processor time that everything in it has used, whatever has become of it.
    pub fn processor_time(&self) -> Option<Duration> {
        let text = fs::read_to_string(self.folder.join("cpu.stat")).ok()?;
        let line = text.lines().find_map(|line| line.strip_prefix("usage_usec "))?;
        Some(Duration::from_micros(line.parse().ok()?))
    }

    /// Kills everything in it.
    pub fn kill(&self) {
        // A group that is gone has no process in it.
        let _ = fs::write(self.folder.join("cgroup.kill"), "1");
    }

    /// Removes it, with the groups that an engine has made in it; says whether it is gone. It is not if something in it has not
    /// ended yet.
    pub fn remove(&self) -> bool {
        remove(&self.folder)
    }
}

/// Removes a group and those below it. Its files go with it.
fn remove(folder: &Path) -> bool {
    let below = fs::read_dir(folder).into_iter().flatten().flatten();
    let groups = below.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()));
    groups.for_each(|group| _ = remove(&group.path()));
    match fs::remove_dir(folder) {
        Ok(()) => true,
        Err(error) => error.kind() == io::ErrorKind::NotFound,
    }
}

/// Moves this process into the group with this folder.
pub fn enter(folder: &Path) -> io::Result<()> {
    fs::write(folder.join("cgroup.procs"), "0")
}

/// Kills everything in the groups whose names begin with the mark of a match, and removes them. Returns whether all are gone.
pub fn clear(home: &Path, mark: &str) -> bool {
    let beginning = format!("{PREFIX}{mark}-");
    let groups = fs::read_dir(home).into_iter().flatten().flatten();
    let own = groups.filter(|group| group.file_name().to_string_lossy().starts_with(&beginning));
    let mut all = true;
    for group in own.map(|group| ControlGroup { folder: group.path() }) {
        group.kill();
        all &= group.remove();
    }
    all
}
