//! Tests of `src/endgames/building/memory.rs`: limits of control groups of both versions, at any depth.

use kroo::endgame_files::building::memory::available_under;
use std::fs;
use tempfile::TempDir;

/// Bytes that the machine of these tests has.
const MACHINE: u64 = 8 << 30;

/// A system with some files.
fn system(files: &[(&str, &str)]) -> TempDir {
    let root = TempDir::new().expect("a folder");
    let info = format!("MemTotal: 99999999 kB\nMemAvailable:   {} kB\n", MACHINE >> 10);
    for (path, text) in files.iter().copied().chain([("proc/meminfo", &*info)]) {
        let path = root.path().join(path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("room");
        fs::write(path, text).expect("room");
    }
    root
}

fn available(files: &[(&str, &str)]) -> Option<u64> {
    available_under(system(files).path())
}

const SLICE: (&str, &str) = ("proc/self/cgroup", "0::/user.slice/user-1000.slice/build.scope\n");

#[test]
fn a_machine_without_limits_gives_what_it_has() {
    assert_eq!(available(&[]), Some(MACHINE));
    assert_eq!(available(&[SLICE, ("sys/fs/cgroup/memory.max", "max\n")]), Some(MACHINE));
    assert_eq!(available_under(TempDir::new().expect("a folder").path()), None);
}

#[test]
fn a_limit_of_any_group_above_counts() {
    let groups =
        ["", "user.slice/", "user.slice/user-1000.slice/", "user.slice/user-1000.slice/build.scope/"];
    for group in groups {
        let file = format!("sys/fs/cgroup/{group}memory.max");
        assert_eq!(available(&[SLICE, (&file, "1048576\n")]), Some(1 << 20), "{group}");
        // That of another group does not.
        let file = format!("sys/fs/cgroup/{group}other.scope/memory.max");
        assert_eq!(available(&[SLICE, (&file, "1048576\n")]), Some(MACHINE), "{group}");
    }
    let nested = [
        SLICE,
        ("sys/fs/cgroup/user.slice/memory.max", "3000000\n"),
        ("sys/fs/cgroup/user.slice/user-1000.slice/memory.max", "2000000\n"),
        ("sys/fs/cgroup/user.slice/user-1000.slice/build.scope/memory.max", "max\n"),
    ];
    assert_eq!(available(&nested), Some(2_000_000));
    assert_eq!(available(&[SLICE, ("sys/fs/cgroup/memory.max", "99999999999999\n")]), Some(MACHINE));
}

#[test]
fn a_container_has_the_limit_of_its_root() {
    // With a namespace of its own; without one; and with the path of a namespace above.
    for path in ["0::/\n", "0::/system.slice/docker-0123.scope\n", "0::/../build.scope\n"] {
        let files = [("proc/self/cgroup", path), ("sys/fs/cgroup/memory.max", "4194304\n")];
        assert_eq!(available(&files), Some(4 << 20), "{path}");
    }
    assert_eq!(available(&[("sys/fs/cgroup/memory.max", "4194304\n")]), Some(4 << 20));
}

#[test]
fn version_1_has_a_tree_for_memory() {
    let groups = "12:pids:/docker/ab\n5:cpu,memory:/docker/ab\n1:name=systemd:/docker/ab\n0::/docker/ab\n";
    let groups = ("proc/self/cgroup", groups);
    let file = |group: &str| format!("sys/fs/cgroup/memory/{group}memory.limit_in_bytes");
    for group in ["", "docker/", "docker/ab/"] {
        assert_eq!(available(&[groups, (&file(group), "2097152\n")]), Some(2 << 20), "{group}");
    }
    // No limit is a number there.
    assert_eq!(available(&[groups, (&file("docker/ab/"), "9223372036854771712\n")]), Some(MACHINE));
    let other = ("sys/fs/cgroup/pids/docker/ab/memory.limit_in_bytes", "2097152\n");
    assert_eq!(available(&[groups, other]), Some(MACHINE));
}
