//! An engine in a sandbox attacks the machine, as root and as a user without rights.

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;
use support::programs::{self, referee_path};
use support::scene::{Report, Scene, words};
use support::tools::has;

/// A user without rights, if this one is root.
const NOBODY: u32 = 65_534;

/// An engine that tries what root can do and names on its standard error what has worked. Kernel settings are opened and never
/// written.
const ATTACKER: &str = r#"#!/bin/sh
mine="$MARK-$$"
worked() { echo "worked: $*" >&2; }
attack() {
    mount -o remount,rw,bind /usr 2>/dev/null && worked "$1 remount"
    (: >"/usr/$mine") 2>/dev/null && worked "$1 file in /usr"
    mount -t tmpfs tmpfs /tmp 2>/dev/null && worked "$1 tmpfs"
    mount -t proc proc /tmp 2>/dev/null && worked "$1 proc"
    mount -t sysfs sysfs /tmp 2>/dev/null && worked "$1 sysfs"
    mount --bind /proc /tmp 2>/dev/null && worked "$1 bind"
    umount -l /proc/sys 2>/dev/null && worked "$1 umount"
    for setting in core_pattern modprobe hostname; do
        (: >>"/proc/sys/kernel/$setting") 2>/dev/null && worked "$1 $setting"
    done
    for folder in /tmp /dev/shm; do
        mknod "$folder/disk-$1" b 8 0 2>/dev/null && worked "$1 device"
    done
}
attack plain
command -v unshare >/dev/null && for options in '--mount' '--user --mount' '--user --map-root-user --mount'; do
    unshare $options true 2>/dev/null && (
        export ATTACK="$options"
        unshare $options sh -c '
            mount -o remount,rw,bind /usr 2>/dev/null && (: >"/usr/$MARK-$$") 2>/dev/null && echo "worked: $ATTACK usr" >&2
            umount -l /proc/sys 2>/dev/null
            mount -o remount,rw,bind /proc/sys 2>/dev/null
            (: >>/proc/sys/kernel/core_pattern) 2>/dev/null && echo "worked: $ATTACK core_pattern" >&2
            mount -t proc proc /tmp 2>/dev/null && (: >>/tmp/sys/kernel/core_pattern) 2>/dev/null &&
                echo "worked: $ATTACK proc" >&2
            true'
    )
done
(find /proc/sys /proc/fs /proc/acpi /proc/scsi /proc/mtrr -type f -writable | while read -r one; do worked "writable $one"; done) 2>&1 |
    grep '^worked' >&2
grep -q '^CapEff:[[:space:]]*0*$' /proc/self/status || worked "capabilities"
for number in /proc/self/fd/*; do
    case "${number##*/}" in 0 | 1 | 2) continue ;; esac
    # The shell reads this script.
    [ "$number" -ef "$0" ] && continue
    [ -e "$number" ] && worked "descriptor ${number##*/} $(readlink "$number")"
done
echo here >own && echo "own folder" >&2
while read -r line; do
    case "$line" in
        uci) echo "id name attacker"; echo uciok ;;
        isready) echo readyok ;;
        go*) echo "bestmove 0000" ;;
        quit) exit ;;
    esac
done
"#;

/// A match of the attacker against itself in sandboxes: what the attacker has told.
fn attacked(scene: &Scene, user: Option<u32>) -> String {
    let folder = scene.path("folder");
    fs::create_dir(&folder).unwrap();
    if let Some(user) = user {
        fs::set_permissions(scene.dir.path(), fs::Permissions::from_mode(0o755)).unwrap();
        std::os::unix::fs::chown(&folder, Some(user), Some(user)).unwrap();
    }
    programs::copy(referee_path(), scene.path("referee"));
    let attacker = programs::script(folder.join("attacker"), ATTACKER);
    let told = folder.join("told");
    let mark = scene.dir.path().file_name().unwrap().to_str().unwrap();
    let engine = |name: &str| {
        let dir = folder.display();
        words(&format!(
            "--engine cmd={attacker} name={name} sandbox=on startup=60 dir={dir} stderr={} env.MARK={mark}",
            told.display()
        ))
    };
    // The shell leaves descriptors open to its program, as launchers and runners of jobs do.
    let mut command = Command::new("sh");
    command.args(["-c", "exec 7<. 8>>/dev/null; exec \"$0\" \"$@\""]).arg(scene.path("referee"));
    command.args([engine("one"), engine("other"), words("--rounds 1 --max-moves 8")].concat());
    command.current_dir(&folder);
    if let Some(user) = user {
        command.uid(user).gid(user);
    }
    let output = command.output().unwrap();
    let told = fs::read_to_string(&told).unwrap_or_default();
    let left: Vec<_> = fs::read_dir("/usr").unwrap().map(|file| file.unwrap().file_name()).collect();
    let left: Vec<_> = left.iter().filter(|name| name.to_string_lossy().starts_with(mark)).collect();
    for name in &left {
        fs::remove_file(Path::new("/usr").join(name)).unwrap();
    }
    assert!(left.is_empty(), "{left:?}: {told}");
    assert!(told.contains("own folder"), "{told}{}", String::from_utf8_lossy(&output.stderr));
    told
}

#[test]
fn root_in_a_sandbox_has_no_rights_over_the_machine() {
    if !has("bwrap") {
        return;
    }
    let is_root = fs::metadata("/proc/self").unwrap().uid() == 0;
    for user in [None, is_root.then_some(NOBODY)].into_iter().take(1 + usize::from(is_root)) {
        let told = attacked(&Scene::new(), user);
        let worked: Vec<&str> = told.lines().filter(|line| line.starts_with("worked: ")).collect();
        assert!(worked.is_empty(), "as {user:?}: {worked:#?}");
    }
}

/// Two games of an engine that is named so, from a folder below the scene's.
fn named(scene: &Scene, program: &str, engine: &str) -> Report {
    let unruly = support::scene::built("examples/unruly", &["-p", "kroo-referee", "--example", "unruly"]);
    for folder in ["bin", "work", "weights"] {
        fs::create_dir(scene.path(folder)).unwrap();
    }
    std::os::unix::fs::symlink(scene.path("bin"), scene.path("link")).unwrap();
    scene.file("weights/one", "weights");
    programs::copy(unruly, scene.path("bin/unruly"));
    let engines = ["one", "other"].map(|name| {
        words(&format!(
            "--engine cmd={program} name={name} args=honest sandbox=on timemargin=100000 {engine}"
        ))
    });
    let mut command = scene.command(&[engines.concat(), words("--rounds 1 --max-moves 8")]);
    scene.report(command.current_dir(scene.path("work")).output().unwrap())
}

#[test]
fn a_sandbox_takes_every_spelling_of_a_path() {
    if !has("bwrap") {
        return;
    }
    for (program, engine) in [
        ("../bin/unruly", ""),
        (".././bin/../bin/unruly", ""),
        ("../link/unruly", ""),
        ("../link/../bin/unruly", ""),
        ("../bin/unruly", "dir=../work"),
        ("../bin/unruly", "dir=../work/../bin"),
        ("unruly", "dir=../link"),
        ("../bin/unruly", "read=../weights/one:../bin/../weights"),
        ("../bin/unruly", "read=../bin"),
        ("../bin/unruly", "read=../bin/unruly"),
    ] {
        let report = named(&Scene::new(), program, engine);
        assert_eq!(report.status, 0, "{program} {engine}: {}{}", report.stdout, report.stderr);
        report.assert_played(2);
    }
}
