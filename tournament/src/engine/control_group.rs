//! Control groups (cgroups(7), version 2): whatever an engine starts is in its group, and a word to the system kills the group
//! whole, at once. No chain of processes is fast enough to get away.
//!
//! They are used where the system has them and the referee may make them below its own. An engine that has the referee's own
//! rights can leave its group, so what the [shim](super::shim) does is done all the same.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How the names of groups begin.
const PREFIX: &str = "kroo-referee-";

/// Where the groups of engines can be made: the group of this process. `None` if the system has no such groups, or this
/// process may not make any.
#[must_use]
pub fn control_groups() -> Option<PathBuf> {
    let mounts = fs::read_to_string("/proc/self/mountinfo").ok()?;
    // `41 31 0:38 / /sys/fs/cgroup/unified rw,relatime - cgroup2 cgroup2 rw`
    let mount = mounts.lines().find_map(|line| {
        let (left, right) = line.split_once(" - ")?;
        let place = left.split(' ').nth(4)?;
        (right.split(' ').next() == Some("cgroup2")).then(|| PathBuf::from(place))
    })?;
    let groups = fs::read_to_string("/proc/self/cgroup").ok()?;
    let own = groups.lines().find_map(|line| line.strip_prefix("0::/"))?;
    let home = mount.join(own);
    // Whoever is moved into a group must also be let out.
    let tried = ControlGroup::make(&home, &format!("try-{}", std::process::id()))?;
    let usable = tried.folder.join("cgroup.kill").is_file() && may_write(&home.join("cgroup.procs"));
    tried.remove();
    usable.then_some(home)
}

fn may_write(file: &Path) -> bool {
    fs::File::options().write(true).open(file).is_ok()
}

/// A group for an engine and everything that it starts.
#[derive(Debug)]
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

    /// Its folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The processor time that everything in it has used, whatever has become of it.
    pub fn processor_time(&self) -> Option<Duration> {
        let text = fs::read_to_string(self.folder.join("cpu.stat")).ok()?;
        let line = text.lines().find_map(|line| line.strip_prefix("usage_usec "))?;
        Some(Duration::from_micros(line.parse().ok()?))
    }

    /// Kills everything in it.
    pub fn kill(&self) {
        kill(&self.folder);
    }

    /// Removes it; says whether it is gone. It is not if something in it has not ended yet.
    pub fn remove(&self) -> bool {
        match fs::remove_dir(&self.folder) {
            Ok(()) => true,
            Err(error) => error.kind() == io::ErrorKind::NotFound,
        }
    }
}

/// Kills everything in the group with this folder.
pub fn kill(folder: &Path) {
    // A group that is gone has nobody in it.
    let _ = fs::write(folder.join("cgroup.kill"), "1");
}

/// Moves this process into the group with this folder, or out of it into the one above.
///
/// # Errors
/// What the system says.
pub fn enter(folder: &Path) -> io::Result<()> {
    fs::write(folder.join("cgroup.procs"), "0")
}

/// Kills everything in the groups whose names begin with the mark of a match, and removes them. Says whether none is left.
pub fn clear(home: &Path, mark: &str) -> bool {
    let beginning = format!("{PREFIX}{mark}-");
    let groups = fs::read_dir(home).into_iter().flatten().flatten();
    let own = groups.filter(|group| group.file_name().to_string_lossy().starts_with(&beginning));
    let mut all = true;
    for group in own.map(|group| group.path()) {
        kill(&group);
        all &= ControlGroup { folder: group }.remove();
    }
    all
}
