//! Tests of `src/core/files/system.rs` and `lock.rs`.

use kroo::files::lock::*;
use kroo::files::system::*;
use std::ffi::OsStr;
use std::fs;

#[test]
fn a_file_that_takes_the_place_of_another_is_not_that_one() {
    let folder = tempfile::tempdir().expect("a folder");
    let (one, other) = (folder.path().join("one"), folder.path().join("other"));
    fs::write(&one, "1").expect("a file");
    fs::write(&other, "2").expect("a file");
    assert_ne!(identity_at(&one).expect("told"), identity_at(&other).expect("told"));
    let before = identity_at(&one).expect("told");
    fs::rename(&other, &one).expect("a place");
    assert_ne!(identity_at(&one).expect("told"), before);
    identity_at(&other).expect_err("gone");
}

#[test]
fn a_part_of_a_name_is_no_longer_than_asked() {
    assert_eq!(name_part(OsStr::new("games.ogn"), 5), "games");
    assert_eq!(name_part(OsStr::new("games.ogn"), 50), "games.ogn");
    assert!(name_part(OsStr::new("öööö"), 3).len() <= 3);
}

#[test]
fn who_comes_second_is_told_who_was_first() {
    let file = tempfile::NamedTempFile::new().expect("a file");
    lock(file.as_file()).expect("no process has it");
    let second = file.reopen().expect("the same file");
    let error = lock(&second).expect_err("this process has it").to_string();
    assert!(error.starts_with("another program is writing to it"), "{error}");
    if fs::read_to_string("/proc/locks").is_ok_and(|locks| locks.contains("FLOCK")) {
        assert!(error.ends_with(&format!(", process {}", std::process::id())), "{error}");
    }
    drop(file);
    lock(&second).expect("the first has let go");
}

#[test]
#[cfg(target_os = "linux")]
fn the_first_is_found_while_other_locks_come_and_go() {
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::thread;
    let file = tempfile::NamedTempFile::new().expect("a file");
    lock(file.as_file()).expect("no process has it");
    let second = file.reopen().expect("the same file");
    let (is_over, memory) = (AtomicBool::new(false), support::folder_in_memory());
    let churn = || {
        while !is_over.load(Ordering::Relaxed) {
            let other = tempfile::NamedTempFile::new_in(memory.path()).expect("a file");
            lock(other.as_file()).expect("it is new");
        }
    };
    let ask = || {
        let errors = (0..5).map(|_| lock(&second).expect_err("it is locked").to_string());
        errors.filter(|error| !error.contains("process ")).count()
    };
    let unknown: usize = thread::scope(|scope| {
        scope.spawn(churn);
        scope.spawn(churn);
        let asking: Vec<_> = (0..3).map(|_| scope.spawn(ask)).collect();
        let unknown = asking.into_iter().map(|one| one.join().expect("it ends")).sum();
        is_over.store(true, Ordering::Relaxed);
        unknown
    });
    assert_eq!(unknown, 0);
}
