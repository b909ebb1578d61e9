//! An engine over its pipes, for benches.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// An engine and both ends of its pipes.
pub struct Engine {
    process: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    line: String,
}

impl Engine {
    pub fn start(path: &str, arguments: &[&str]) -> Engine {
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

    pub fn send(&mut self, command: &str) {
        // In one write, as a program would.
        self.input.write_all(format!("{command}\n").as_bytes()).expect("the engine reads");
    }

    /// Waits for the line that begins with a word.
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
