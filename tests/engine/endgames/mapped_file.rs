//! Tests of `src/core/endgames/probe/mapped_file.rs`.

use kroo::endgames::probe::mapped_file::*;
use std::fs;
use std::fs::File;

/// More than a page of memory.
const BYTES: usize = 1 << 17;

fn mapped() -> (tempfile::NamedTempFile, MappedFile) {
    let file = tempfile::NamedTempFile::new().expect("a file");
    fs::write(file.path(), vec![7; BYTES]).expect("room");
    let map = MappedFile::new(File::open(file.path()).expect("there"), file.path()).expect("a map");
    assert!(map.iter().all(|&byte| byte == 7) && map.take_lost().is_none());
    (file, map)
}

#[cfg(target_os = "linux")]
#[test]
fn a_file_that_is_cut_off_is_lost_and_nothing_else() {
    let (file, map) = mapped();
    let (_other_file, other) = mapped();
    file.as_file().set_len(1).expect("a shorter file");
    assert_eq!(map[BYTES - 1], 0);
    assert!(map.is_lost() && !other.is_lost());
    assert_eq!(map.take_lost(), Some(file.path()));
    assert_eq!(map.take_lost(), None, "once");
    // Another one afterwards, and one in the same slot.
    let (file, again) = mapped();
    file.as_file().set_len(0).expect("a shorter file");
    assert_eq!(again[0], 0);
    drop((map, again));
    assert!(!mapped().1.is_lost());
}

/// A signal sent by another program ends the process, as it would without a map.
#[cfg(target_os = "linux")]
#[test]
fn a_signal_that_was_sent_is_not_taken_for_a_fault() {
    const CHILD: &str = "KROO_MAPPED_FILE_CHILD";
    if std::env::var_os(CHILD).is_some() {
        let _mapped = mapped();
        let own = std::process::id().to_string();
        let _ = std::process::Command::new("kill").args(["-BUS", &own]).status();
        // The signal may reach another thread first.
        loop {
            std::thread::park();
        }
    }
    use std::os::unix::process::ExitStatusExt as _;
    let test = "endgames::mapped_file::a_signal_that_was_sent_is_not_taken_for_a_fault";
    let mut child = std::process::Command::new(std::env::current_exe().expect("a test"));
    let status = child.args(["--exact", test]).env(CHILD, "1").output().expect("it runs").status;
    assert_eq!(status.signal(), Some(libc::SIGBUS));
}

#[test]
fn a_file_that_was_changed_is_lost() {
    let (file, map) = mapped();
    let later = file.as_file().metadata().and_then(|data| data.modified()).expect("a time");
    file.as_file().set_modified(later + std::time::Duration::from_secs(1)).expect("a time");
    assert!(map.take_lost().is_some() && map.is_lost());
    // A replaced file is not lost: the old one still exists.
    let (file, map) = mapped();
    fs::remove_file(file.path()).expect("there");
    assert!(map.take_lost().is_none() && !map.is_lost());
}
