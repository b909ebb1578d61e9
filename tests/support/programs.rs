//! The executables under test.

use std::env;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
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

/// Makes an executable script. Another process writes it: what this one has open for writing, a process that another test is
/// just starting has open too, and the system executes no such file ("Text file busy").
pub fn script(path: impl AsRef<Path>, text: &str) -> String {
    let path = path.as_ref().to_str().expect("a path in UTF-8");
    let words = ["-c", "cat > \"$0\" && chmod 755 \"$0\"", path];
    let mut writer = Command::new("sh").args(words).stdin(Stdio::piped()).spawn().expect("a shell");
    writer.stdin.take().expect("it is piped").write_all(text.as_bytes()).expect("it reads");
    assert!(writer.wait().expect("it ends").success(), "{path}");
    path.to_owned()
}

/// Copies a program, in another process as [`script`] does.
pub fn copy(from: impl AsRef<Path>, to: impl AsRef<Path>) {
    let copied = Command::new("cp").arg(from.as_ref()).arg(to.as_ref()).status();
    assert!(copied.expect("it starts").success(), "{}", to.as_ref().display());
}

/// The first write of a process to standard error. The process ends by itself.
#[cfg(unix)]
pub fn first_complaint(mut command: Command) -> String {
    // A datagram is one write.
    let (theirs, ours) = std::os::unix::net::UnixDatagram::pair().expect("two sockets");
    let mut process = command.stderr(std::os::fd::OwnedFd::from(theirs)).spawn().expect("it starts");
    drop(command);
    let mut text = vec![0; 1 << 16];
    ours.set_read_timeout(Some(std::time::Duration::from_secs(60))).expect("a duration");
    let length = ours.recv(&mut text).expect("a complaint");
    process.wait().expect("it ends");
    String::from_utf8_lossy(&text[..length]).into_owned()
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
