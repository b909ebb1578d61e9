//! `kroo` with a command line: what it prints and what it refuses.

use std::path::Path;
use std::process::{Command, Output};
use support::client::NO_DATA;
use support::programs::kroo_path;

/// Runs it for a user without files of their own.
pub fn kroo(words: &[&str]) -> Output {
    Command::new(kroo_path()).env("XDG_DATA_HOME", NO_DATA).args(words).output().expect("it starts")
}

/// The output of a command that succeeds.
pub fn printed(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout.clone()).expect("text")
}

/// The error of a command that fails with status 1; it prints nothing else.
pub fn refused(output: &Output) -> String {
    assert_eq!((output.status.code(), &output.stdout[..]), (Some(1), &b""[..]));
    String::from_utf8_lossy(&output.stderr).trim_end().to_owned()
}

/// The output of a command that prints nothing to standard error, except the progress of an analysis on a slow machine.
pub fn answer(words: &[&str]) -> String {
    let output = kroo(words);
    let complaint = String::from_utf8_lossy(&output.stderr).into_owned();
    let is_quiet = complaint.lines().all(|line| line.contains(" moves"));
    assert!(output.status.success() && is_quiet, "{words:?}: {complaint}");
    String::from_utf8(output.stdout).expect("text")
}

/// The status and the error of a command that prints nothing.
pub fn refusal(words: &[&str]) -> (i32, String) {
    let output = kroo(words);
    assert!(output.stdout.is_empty(), "{words:?}");
    (output.status.code().expect("it ends by itself"), String::from_utf8(output.stderr).expect("text"))
}

pub fn name(path: &Path) -> &str {
    path.to_str().expect("a name")
}
