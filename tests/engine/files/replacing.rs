//! Replacing files atomically, whatever ends the writer.

use kroo::files::{
    Replacement, are_one, read_at_most, remove_abandoned, replace, replace_or_stream, replace_with,
};
use std::env;
use std::fs::{self, File, Permissions};
use std::io::{self, Seek, Write};
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread;
use support::tools::has;
use tempfile::TempDir;

/// Passes the file to a writer process.
const TARGET: &str = "KROO_TEST_TARGET";
/// Set for a writer that writes once.
const ONCE: &str = "KROO_TEST_ONCE";
/// The bytes that the writer writes each time.
const LENGTH: usize = 1 << 20;

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("a folder");
    let mut names: Vec<String> =
        entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).expect("a file").mode() & 0o777
}

/// The process that the tests below start, to be killed or refused; no test by itself.
#[test]
#[ignore = "a writer that other tests start"]
fn writer() {
    let Some(target) = env::var_os(TARGET) else { return };
    let count = if env::var_os(ONCE).is_some() { 1 } else { 20_000 };
    for letter in (b'a'..=b'z').cycle().take(count) {
        replace(Path::new(&target), &vec![letter; LENGTH]).unwrap_or_else(|error| panic!("{error}"));
    }
}

/// A command that runs [`writer`], after shell words.
fn writing(before: &str, target: &Path) -> Command {
    let me = env::current_exe().expect("a path");
    let mut command = Command::new("sh");
    command.env(TARGET, target).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
        .arg("-c")
        .arg(format!("{before} exec \"$0\" --exact files::replacing::writer --ignored --nocapture"))
        .arg(me);
    command
}

fn said(output: &Output) -> String {
    [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes).into_owned()).concat()
}

/// At each step in turn: create, write, sync, rename, sync the name.
#[test]
#[cfg_attr(not(debug_assertions), ignore = "failpoints are in builds with debug assertions")]
fn a_writer_that_is_killed_leaves_the_old_file_or_the_new_one() {
    let folder = TempDir::new().expect("a folder");
    let path = folder.path().join("it");
    let (mut kept, mut replaced) = (0, 0);
    for steps in 0.. {
        fs::write(&path, vec![b'.'; LENGTH]).expect("a file");
        let mut command = writing("", &path);
        let output =
            command.env("KROO_TEST_STEPS", steps.to_string()).env(ONCE, "1").output().expect("a shell");
        let bytes = fs::read(&path).expect("a file");
        assert!(bytes.len() == LENGTH && bytes.iter().all(|&byte| byte == bytes[0]), "half a file");
        if output.status.success() {
            assert_eq!(bytes[0], b'a');
            break;
        }
        *(if bytes[0] == b'.' { &mut kept } else { &mut replaced }) += 1;
    }
    assert_eq!((kept, replaced), (4, 1));
    remove_abandoned(&path).expect("a folder");
    assert_eq!(names(folder.path()), ["it"]);
}

/// Half a file next to its place; no destructor has run.
#[test]
fn what_a_kill_has_left_is_in_nobodys_way() {
    let folder = TempDir::new().expect("a folder");
    let [path, other] = ["it", "other"].map(|name| folder.path().join(name));
    fs::write(&path, "old").expect("a file");
    for path in [&path, &other] {
        let mut file = Replacement::begin(path, &|_| ()).expect("room");
        file.write_all(b"ne").expect("room");
        std::mem::forget(file);
    }
    assert_eq!(fs::read_to_string(&path).expect("a file"), "old");
    replace(&path, b"new").expect("room");
    assert_eq!(fs::read_to_string(&path).expect("a file"), "new");
    assert_eq!(names(folder.path()).len(), 3, "the file, and what the two have left");
    fs::write(folder.path().join(".it.mine.tmp"), "a name that is not made here").expect("a file");
    remove_abandoned(&path).expect("a folder");
    assert_eq!(names(folder.path()).len(), 3);
    remove_abandoned(&other).expect("a folder");
    assert_eq!(names(folder.path()), [".it.mine.tmp", "it"]);
}

#[test]
fn a_writer_that_fails_or_gives_up_changes_nothing() {
    let folder = TempDir::new().expect("a folder");
    let path = folder.path().join("it");
    fs::write(&path, "old").expect("a file");
    let failed = replace_with(&path, |file| {
        file.write_all(b"half")?;
        Err(io::ErrorKind::StorageFull.into())
    });
    let error = failed.expect_err("it failed").to_string();
    assert!(error.contains("/it` cannot be written: no storage space; make room on the disk"), "{error}");
    drop(Replacement::begin(&path, &|_| ()).expect("room"));
    assert_eq!(
        (names(folder.path()), fs::read(&path).expect("a file")),
        (vec!["it".to_owned()], b"old".to_vec())
    );
    // A header can be written last.
    let written = replace_with(&path, |file| {
        file.write_all(b"????rest")?;
        file.rewind()?;
        file.write_all(b"head")
    });
    written.expect("room");
    assert_eq!(fs::read(&path).expect("a file"), b"headrest");
}

/// A file size limit replaces a full disk: a writer gets an error halfway in both cases.
#[test]
fn a_full_disk_changes_nothing() {
    let folder = TempDir::new().expect("a folder");
    let path = folder.path().join("it");
    fs::write(&path, "old").expect("a file");
    let output = writing("trap '' XFSZ; ulimit -f 100;", &path).output().expect("a shell");
    let text = said(&output);
    assert!(!output.status.success() && text.contains("cannot be written: File too large"), "{text}");
    assert!(text.contains("make room on the disk, or name a file elsewhere"), "{text}");
    assert_eq!(
        (names(folder.path()), fs::read(&path).expect("a file")),
        (vec!["it".to_owned()], b"old".to_vec())
    );
}

/// The user `root` may write anywhere, so then the writer is another user.
#[test]
fn a_folder_that_is_read_only_is_named_with_what_to_do() {
    let folder = TempDir::new().expect("a folder");
    let path = folder.path().join("it");
    fs::write(&path, "old").expect("a file");
    fs::set_permissions(folder.path(), Permissions::from_mode(0o555)).expect("its owner may");
    let mut command = writing("", &path);
    if rustix::process::geteuid().is_root() {
        const NOBODY: u32 = 65_534;
        command.uid(NOBODY).gid(NOBODY);
    }
    let output = command.output().expect("a shell");
    let text = said(&output);
    fs::set_permissions(folder.path(), Permissions::from_mode(0o755)).expect("its owner may");
    // The shell's exit status if that user cannot even see this executable.
    if output.status.code() != Some(126) {
        assert!(text.contains("cannot be written: Permission denied (os error 13)"), "{text}");
        assert!(text.contains("name a file in a folder that you may write to"), "{text}");
    }
    assert_eq!(
        (names(folder.path()), fs::read(&path).expect("a file")),
        (vec!["it".to_owned()], b"old".to_vec())
    );
}

#[test]
fn links_are_followed_and_stay() {
    let folder = TempDir::new().expect("a folder");
    let inside = folder.path().join("inside");
    fs::create_dir(&inside).expect("a folder");
    let [link, chain, to_nothing, circle] =
        ["link", "chain", "to nothing", "circle"].map(|name| folder.path().join(name));
    fs::write(inside.join("it"), "old").expect("a file");
    symlink("inside/it", &link).expect("a link");
    symlink(&link, &chain).expect("a link");
    symlink("inside/new", &to_nothing).expect("a link");
    symlink("circle", &circle).expect("a link");
    for (path, file) in [(&chain, "it"), (&to_nothing, "new")] {
        replace(path, b"new").expect("room");
        assert_eq!(fs::read_to_string(inside.join(file)).expect("a file"), "new");
        assert!(fs::symlink_metadata(path).expect("a link").is_symlink());
        assert!(are_one(path, &inside.join(file)));
    }
    assert_eq!(names(&inside), ["it", "new"], "the temporary file was beside the file, and is gone");
    assert!(replace(&circle, b"new").is_err());
    assert!(fs::symlink_metadata(&circle).expect("a link").is_symlink());
}

/// In a folder like `/tmp` another user's link would choose which file is written with this user's rights.
#[test]
fn a_link_of_another_user_in_a_folder_for_all_is_not_followed() {
    const NOBODY: u32 = 65_534;
    let folder = TempDir::new().expect("a folder");
    let true = has("root") else { return };
    let (own, all) = (folder.path().join("own"), folder.path().join("all"));
    let (target, link) = (own.join("target"), all.join("link"));
    for folder in [&own, &all] {
        fs::create_dir(folder).expect("a folder");
    }
    fs::set_permissions(&all, Permissions::from_mode(0o1777)).expect("a right");
    for there in [true, false] {
        if there {
            fs::write(&target, "old").expect("a file");
        }
        symlink(&target, &link).expect("a link");
        std::os::unix::fs::lchown(&link, Some(NOBODY), None).expect("root may");
        for written in [replace(&link, b"new"), replace_or_stream(&link, b"new")] {
            let error = written.expect_err("a stranger's link").to_string();
            assert!(error.contains("it is a link of another user in a folder for all users"), "{error}");
        }
        assert_eq!(fs::read_to_string(&target).ok(), there.then(|| "old".to_owned()));
        // One's own link, and one of the folder's owner, which nobody else can replace.
        std::os::unix::fs::lchown(&link, Some(0), None).expect("root may");
        replace(&link, b"new").expect("room");
        assert_eq!(fs::read_to_string(&target).expect("a file"), "new");
        fs::remove_file(&link).expect("a link");
        fs::remove_file(&target).expect("a file");
    }
    assert_eq!(names(&own), [""; 0]);
    // Elsewhere links are followed, whosesoever they are.
    fs::write(&target, "old").expect("a file");
    let link = own.join("link");
    symlink("target", &link).expect("a link");
    std::os::unix::fs::lchown(&link, Some(NOBODY), None).expect("root may");
    replace(&link, b"new").expect("room");
    assert_eq!(fs::read_to_string(&target).expect("a file"), "new");
}

#[test]
fn what_is_no_ordinary_file_is_never_replaced() {
    let folder = TempDir::new().expect("a folder");
    let error = replace(folder.path(), b"x").expect_err("a folder").to_string();
    assert!(error.ends_with("cannot be written: it is a folder, not a file; name a file in it"), "{error}");
    let pipe = folder.path().join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().expect("mkfifo").success());
    let reader = thread::spawn({
        let pipe = pipe.clone();
        move || fs::read(pipe).expect("bytes")
    });
    replace_or_stream(&pipe, b"through").expect("a reader");
    assert_eq!(reader.join().expect("a reader"), b"through");
    assert!(read_at_most(&pipe, 9).is_err(), "the reader does not wait for a writer");
    let null = Path::new("/dev/null");
    let error = replace(null, b"x").expect_err("a device").to_string();
    assert_eq!(error, "`/dev/null` cannot be written: it is a device, not a file");
    replace_or_stream(null, b"x").expect("a device");
    assert!(!fs::metadata(null).expect("it is still there").is_file());
    assert_eq!(names(folder.path()), ["pipe"]);
    let nowhere = folder.path().join("no/such");
    let error = replace(&nowhere, b"x").expect_err("no folder").to_string();
    assert!(
        error.contains("there is no folder") && error.ends_with("make it, or name a file elsewhere"),
        "{error}"
    );
}

#[test]
fn permissions_are_those_of_the_file_before_or_of_any_new_file() {
    let folder = TempDir::new().expect("a folder");
    let [path, other] = ["it", "other"].map(|name| folder.path().join(name));
    replace(&path, b"new").expect("room");
    File::create(&other).expect("room");
    assert_eq!(mode(&path), mode(&other));
    // Others may write: the umask does not remove that.
    for bits in [0o600, 0o640, 0o666, 0o444] {
        fs::set_permissions(&path, Permissions::from_mode(bits)).expect("its owner may");
        replace(&path, b"newer").expect("room");
        assert_eq!(mode(&path), bits);
    }
    // A private file is private while it is written, too.
    fs::set_permissions(&path, Permissions::from_mode(0o600)).expect("its owner may");
    let file = Replacement::begin(&path, &|_| ()).expect("room");
    assert_eq!(mode(file.temporary().expect("a file")), 0o600);
}

#[test]
fn a_long_name_has_room_for_a_temporary_one() {
    let folder = TempDir::new().expect("a folder");
    let path = folder.path().join("n".repeat(255));
    replace(&path, b"new").expect("room");
    assert_eq!(fs::read(&path).expect("a file"), b"new");
    assert!(replace(&folder.path().join("n".repeat(256)), b"new").is_err());
    assert_eq!(read_at_most(&path, 3).expect("a file").as_deref(), Some(&b"new"[..]));
    assert_eq!(read_at_most(&path, 2).expect("a file"), None);
    let relative = PathBuf::from(".").join("no folder here").join("x");
    assert!(replace(&relative, b"x").is_err());
}
