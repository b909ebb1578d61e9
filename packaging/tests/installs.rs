//! The packages for Python, npm and Cargo, installed into empty folders and used without the repository.

use std::env;
use std::io::Write;
use std::path::Path;
use std::process::Command;
use support::tools::{chromium, has, is_required};

/// Runs a script of the project, which must succeed. If it leaves something unchecked, `cargo test` shows that, or fails if
/// `KROO_REQUIRE` asks for the tool.
fn run(script: &str, words: &[&str], tool: &str) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("a folder");
    let output = Command::new(root.join(script)).args(words).current_dir(root).output().expect("it starts");
    let [out, errors] = [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes));
    assert!(output.status.success(), "{script}: {out}{errors}");
    for line in out.lines().filter(|line| line.starts_with("NOT CHECKED")) {
        assert!(!is_required(tool), "{script}: {line}\n{errors}");
        // Macros print only for tests that fail.
        let _ = writeln!(std::io::stderr(), "{script}: {line}");
    }
}

/// An executable has no symbols, as `profile.release` says.
fn assert_stripped(program: &Path) {
    let output = Command::new("nm").arg(program).output().expect("nm comes with the linker");
    assert!(output.status.success() && output.stdout.is_empty(), "{}: {output:?}", program.display());
}

#[test]
#[ignore = "release builds of each package: .ci/packages"]
fn the_package_for_npm_works_in_an_empty_folder() {
    if !(has("npm") && has("wasm")) {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let package = folder.path().to_str().expect("a path");
    run("clients/npm/build", &[package], "npm");
    let browser = chromium();
    let browser = browser.as_ref().map(|path| path.to_str().expect("a path"));
    run("clients/npm/tests/run", &[&[package], browser.as_slice()].concat(), "npm");
}

#[test]
#[ignore = "release builds of each package: .ci/packages"]
fn the_wheel_works_in_a_new_environment() {
    if !(has("maturin") && has("python")) {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    run("clients/python/wheel", &[folder.path().to_str().expect("a path")], "maturin");
    let mut wheels = std::fs::read_dir(folder.path()).expect("a folder");
    let wheel = wheels.next().expect("a wheel").expect("an entry").path();
    run("clients/python/tests/wheel", &[wheel.to_str().expect("a path"), "env"], "maturin");
}

/// Needs pip as much as the wheel, so it is required with it.
#[test]
#[ignore = "release builds of each package: .ci/packages"]
fn the_types_of_the_package_for_python_are_strict() {
    if has("maturin") && has("python") {
        run("clients/python/tests/types", &[], "maturin");
    }
}

/// Builds what README.md does, in the same folder, so that nothing is compiled twice.
#[test]
#[ignore = "release builds of each package: .ci/packages"]
fn cargo_installs_programs_that_play_a_match() {
    let place = tempfile::tempdir().expect("a folder");
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("a folder");
    let own = env::current_exe().expect("a path");
    let target = own.ancestors().nth(3).expect("target/debug/deps");
    for package in [".", "tournament"] {
        let mut cargo = Command::new(env::var_os("CARGO").expect("the tests are run by cargo"));
        cargo.args(["install", "--locked", "--no-track", "--path", package, "--root"]).arg(place.path());
        let output = cargo.arg("--target-dir").arg(target).current_dir(root).output().expect("it starts");
        assert!(output.status.success(), "{package}: {}", String::from_utf8_lossy(&output.stderr));
    }
    let programs = place.path().join("bin");
    for name in ["kroo", "referee"] {
        assert_stripped(&programs.join(name));
    }
    let mut referee = Command::new(programs.join("referee"));
    let words = "--engine cmd=./kroo name=one --engine cmd=./kroo name=two --each nodes=100 --rounds 1 --max-moves 10";
    let output = referee.args(words.split(' ')).current_dir(programs).output().expect("it starts");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && said.matches("Finished game ").count() == 2, "{output:?}");
}
