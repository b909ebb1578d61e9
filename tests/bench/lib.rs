//! Shared by the benches: the measured programs, and an engine over its pipes.
//!
//! It depends on `kroo` and `kroo-test-support`. Begin with [`program`].

use std::env;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// A program of the project, built for release from the current sources.
///
/// # Panics
/// If it cannot be built.
#[must_use]
pub fn program(package: &str, kind: &str, name: &str) -> PathBuf {
    // The bench's own path is in `<target>/release/deps`.
    let bench = env::current_exe().expect("the bench knows where it is");
    let target = bench.ancestors().nth(3).expect("a folder of builds");
    let status = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .args(["build", "--release", "-q", "-p", package, kind, name, "--target-dir"])
        .arg(target)
        .status();
    assert!(status.expect("cargo runs").success(), "{name} is not built");
    let folder = if kind == "--example" { "release/examples" } else { "release" };
    target.join(folder).join(name)
}

/// Goes to the folder in which `cargo bench` was typed, from which the user's paths count: Cargo runs a bench in the folder of its
/// package, and leaves the shell's `PWD` as it was.
pub fn go_to_the_user() {
    if let Some(folder) = env::var_os("PWD") {
        let _ = env::set_current_dir(folder);
    }
}

/// An engine and both ends of its pipes.
pub struct Engine {
    process: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    line: String,
}

impl Engine {
    /// Starts an engine.
    ///
    /// # Panics
    /// If it does not start.
    #[must_use]
    pub fn start(path: &Path, arguments: &[&str]) -> Engine {
        let mut process = Command::new(path)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the engine starts");
        let input = process.stdin.take().expect("piped");
        let output = BufReader::new(process.stdout.take().expect("piped"));
        Engine { process, input, output, line: String::new() }
    }

    /// Its process.
    #[must_use]
    pub fn id(&self) -> u32 {
        self.process.id()
    }

    /// Sends a line.
    ///
    /// # Panics
    /// If the engine does not read.
    pub fn send(&mut self, command: &str) {
        // In one write, as a program would.
        self.input.write_all(format!("{command}\n").as_bytes()).expect("the engine reads");
    }

    /// Sends a line and waits for a reply with a prefix.
    ///
    /// # Panics
    /// If the engine ends or reports an error.
    pub fn ask(&mut self, command: &str, answer: &str) -> &str {
        self.send(command);
        loop {
            self.line.clear();
            self.output.read_line(&mut self.line).expect("the engine writes");
            assert!(!self.line.is_empty(), "the engine has ended");
            assert!(!self.line.starts_with("info string error"), "{}", self.line);
            if self.line.starts_with(answer) {
                return self.line.trim_end();
            }
        }
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        self.send("quit");
        let _ = self.process.wait();
    }
}
