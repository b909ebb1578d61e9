//! The executables under test.

use std::env;
use std::path::Path;
use std::process::Command;
use std::sync::LazyLock;

/// `kroo`, which cargo builds for the tests of its package.
pub fn kroo_path() -> &'static str {
    static PATH: LazyLock<String> = LazyLock::new(|| path("kroo"));
    &PATH
}

/// `referee`, which cargo builds for the tests of its package.
pub fn referee_path() -> &'static str {
    static PATH: LazyLock<String> = LazyLock::new(|| path("referee"));
    &PATH
}

/// A process that runs only one ignored test of this executable.
pub fn ignored_test(name: &str) -> Command {
    let mut command = Command::new(env::current_exe().expect("a path"));
    command.args(["--exact", name, "--ignored", "--nocapture"]);
    command
}

/// The root of the repository.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).expect("the repository")
}

/// Cargo passes the paths of a package's executables. A test started by hand uses the folder above its own.
fn path(name: &str) -> String {
    env::var(format!("CARGO_BIN_EXE_{name}")).unwrap_or_else(|_| {
        let own = env::current_exe().expect("a path");
        own.ancestors()
            .nth(2)
            .expect("the folder of the profile")
            .join(name)
            .to_str()
            .expect("a name")
            .to_owned()
    })
}
