//! Tests of `src/core/files/lock.rs`.

use kroo::files::lock::*;

#[test]
fn who_comes_second_is_told_who_was_first() {
    let file = tempfile::NamedTempFile::new().expect("a file");
    lock(file.as_file()).expect("no process has it");
    let second = file.reopen().expect("the same file");
    let error = lock(&second).expect_err("this process has it").to_string();
    assert!(error.starts_with("another program is writing to it"), "{error}");
    if std::fs::read_to_string("/proc/locks").is_ok_and(|locks| locks.contains("FLOCK")) {
        assert!(error.ends_with(&format!(", process {}", std::process::id())), "{error}");
    }
    drop(file);
    lock(&second).expect("the first has let go");
}
