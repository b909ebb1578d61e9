//! Python with the package `kroo`, for its own tests and for programs that use it.

use crate::programs::root;
use crate::tools::has;
use std::path::Path;
use std::process::Command;
use std::sync::OnceLock;
use std::{env, fs};
use tempfile::TempDir;

/// Python with the package in reach and its caches out of the tree; none if there is no Python. On Linux the package has its
/// compiled module; elsewhere linking it needs maturin, and the tests of the wheel are the ones that use it.
pub fn python_with_package() -> Option<Command> {
    static PACKAGE: OnceLock<TempDir> = OnceLock::new();
    if !has("python") {
        return None;
    }
    let folder = root().join("clients/python");
    let mut command = Command::new("python3");
    command.env("PYTHONDONTWRITEBYTECODE", "1").current_dir(&folder);
    if cfg!(target_os = "linux") {
        let package = PACKAGE.get_or_init(|| compiled_package(&folder));
        command.env("PYTHONPATH", package.path()).env("KROO_WHEEL", "1");
    } else {
        command.env("PYTHONPATH", folder.join("src"));
    }
    Some(command)
}

/// A folder with the package and its compiled module.
fn compiled_package(folder: &Path) -> TempDir {
    let own = env::current_exe().expect("a path");
    let target = own.ancestors().nth(3).expect("target/debug/deps");
    let mut cargo = Command::new(env::var_os("CARGO").expect("the tests are run by cargo"));
    // With the package of this file, crates get the features that `cargo test` has given them, and are not compiled again.
    cargo.args(["build", "--locked", "--lib", "--package", "kroo-python", "--package", "kroo-test-support"]);
    cargo.arg("--target-dir").arg(target);
    let output = cargo.current_dir(folder).output().expect("it starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let package = tempfile::tempdir().expect("a folder");
    let place = package.path().join("kroo");
    copy_sources(&folder.join("src/kroo"), &place);
    fs::copy(target.join("debug/lib_rules.so"), place.join("_rules.abi3.so")).expect("a copy");
    package
}

/// Copies a folder of the package, and those in it, without a compiled module of another build.
fn copy_sources(from: &Path, to: &Path) {
    fs::create_dir(to).expect("a folder");
    for file in fs::read_dir(from).expect("a folder") {
        let file = file.expect("an entry").path();
        let name = file.file_name().expect("a name").to_string_lossy().into_owned();
        if file.is_dir() {
            copy_sources(&file, &to.join(name));
        } else if !name.starts_with("_rules.") || name == "_rules.pyi" {
            fs::copy(&file, to.join(name)).expect("a copy");
        }
    }
}
