//! The build script: puts the commit into release builds, for `--version`.
//!
//! Development builds omit it, because each commit would recompile all users of the library.

#![allow(clippy::print_stdout, reason = "this is how a build script talks to cargo")]

use std::env;
use std::process::Command;

fn main() {
    println!("cargo:rerun-if-changed=src/build");
    let released = env::var("PROFILE").is_ok_and(|profile| profile == "release");
    let version = env::var("CARGO_PKG_VERSION").unwrap_or_default();
    let version = match released.then(commit).flatten() {
        Some(commit) => format!("{version} ({commit})"),
        None => version,
    };
    println!("cargo:rustc-env=KROO_VERSION={version}");
}

/// The commit, and whether the sources have changed since; `None` outside a repository, for instance in a package.
fn commit() -> Option<String> {
    for place in ["HEAD", "index", "logs/HEAD"] {
        println!("cargo:rerun-if-changed={}", git(&["rev-parse", "--git-path", place])?);
    }
    for sources in ["src", "Cargo.toml", "Cargo.lock"] {
        println!("cargo:rerun-if-changed={sources}");
    }
    let commit = git(&["rev-parse", "--short=10", "HEAD"])?;
    let changed =
        git(&["status", "--porcelain", "--untracked-files=no", "--", "src", "Cargo.toml", "Cargo.lock"])?;
    Some(if changed.is_empty() { commit } else { format!("{commit}, changed") })
}

/// The output of git in our own repository; `None` without one, or inside another repository.
fn git(words: &[&str]) -> Option<String> {
    let folder = env::var("CARGO_MANIFEST_DIR").ok()?;
    let ask = |words: &[&str]| {
        let output = Command::new("git").arg("-C").arg(&folder).args(words).output().ok()?;
        output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
    };
    ask(&["ls-files", "--error-unmatch", "Cargo.toml"])?;
    ask(words)
}
