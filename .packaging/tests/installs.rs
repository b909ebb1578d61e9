//! The packages for Python and npm, installed as a user does: into an empty place, without the compiler in `PATH`.

use std::path::Path;
use std::process::Command;
use support::tools::has;

/// Runs a script of the project; it must succeed.
fn run(script: &str, words: &[&str]) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("a folder");
    let output = Command::new(root.join(script)).args(words).current_dir(root).output().expect("it starts");
    let [out, errors] = [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes));
    assert!(output.status.success(), "{script}: {out}{errors}");
}

#[test]
fn the_package_for_npm_works_in_an_empty_folder() {
    if !(has("npm") && has("wasm")) {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let package = folder.path().to_str().expect("a path");
    run("clients/npm/build", &[package]);
    run("clients/npm/tests/run", &[package]);
}

#[test]
fn the_wheel_works_in_a_new_environment() {
    if !(has("maturin") && has("python")) {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    run("clients/python/wheel", &[folder.path().to_str().expect("a path")]);
    let mut wheels = std::fs::read_dir(folder.path()).expect("a folder");
    let wheel = wheels.next().expect("a wheel").expect("an entry").path();
    run("clients/python/tests/wheel", &[wheel.to_str().expect("a path")]);
}
