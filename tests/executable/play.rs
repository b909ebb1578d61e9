//! A person at the board: `kroo play` through pipes and on a terminal.

#[cfg(unix)]
mod documents;
#[cfg(unix)]
mod interrupted_game;
#[cfg(unix)]
mod person_clocks;
mod saved_games;
mod scripts;
#[cfg(unix)]
mod terminal;

use std::io::{Read, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use support::PATIENCE;

fn kroo(flags: &[&str]) -> Command {
    let mut command = Command::new(support::programs::kroo_path());
    command.arg("play").args(flags).env("LC_ALL", "C").env_remove("NO_COLOR");
    command
}

/// The result of a conversation through pipes: output, standard error, and success.
fn talk(flags: &[&str], folder: &Path, lines: &[&str]) -> (String, String, bool) {
    let mut command = kroo(flags);
    command.current_dir(folder).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the program starts");
    let mut input = child.stdin.take().expect("a pipe");
    let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
    // A program that does not want to read has ended.
    let _ = input.write_all(text.as_bytes());
    drop(input);
    let output = child.wait_with_output().expect("the program ends");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (text(&output.stdout), text(&output.stderr), output.status.success())
}

/// The output, read by a thread.
#[cfg_attr(not(unix), allow(dead_code, reason = "only what has signals and terminals uses it"))]
fn listen(mut output: impl Read + Send + 'static) -> std::sync::mpsc::Receiver<Vec<u8>> {
    let (sender, heard) = std::sync::mpsc::channel();
    thread::spawn(move || {
        let mut buffer = [0; 4096];
        while let Ok(length @ 1..) = output.read(&mut buffer) {
            if sender.send(buffer[..length].to_vec()).is_err() {
                return;
            }
        }
    });
    heard
}

/// A program with whatever reads what it says; it is killed with the value.
#[cfg_attr(not(unix), allow(dead_code, reason = "only what has signals and terminals uses it"))]
struct Running {
    child: Child,
    heard: std::sync::mpsc::Receiver<Vec<u8>>,
    text: String,
}

#[cfg_attr(not(unix), allow(dead_code, reason = "only what has signals and terminals uses it"))]
impl Running {
    /// Waits until a text has been said after what was waited for before.
    fn until(&mut self, text: &str) -> String {
        loop {
            if let Some(at) = self.text.find(text) {
                let rest = self.text.split_off(at + text.len());
                return std::mem::replace(&mut self.text, rest);
            }
            match self.heard.recv_timeout(PATIENCE) {
                Ok(bytes) => self.text.push_str(&String::from_utf8_lossy(&bytes)),
                Err(_) => panic!("no `{text}`, but {}", self.text),
            }
        }
    }

    /// The output until the program ends, and its success.
    fn rest(&mut self) -> (String, bool) {
        while let Ok(bytes) = self.heard.recv_timeout(PATIENCE) {
            self.text.push_str(&String::from_utf8_lossy(&bytes));
        }
        let status = self.child.wait().expect("the program ends");
        (std::mem::take(&mut self.text), status.success())
    }

    /// Waits until it works: its processor time grows by 50 ms.
    #[cfg(target_os = "linux")]
    fn works(&self) {
        let used = || -> u64 {
            let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.child.id())).expect("a process");
            let fields: Vec<&str> = stat.rsplit(") ").next().expect("fields").split(' ').collect();
            [11, 12].iter().map(|&field| fields[field].parse::<u64>().expect("a number")).sum()
        };
        let before = used();
        assert!(support::scene::await_that(|| used() >= before + 5), "it does not work");
    }

    /// Other systems do not report it, so this waits a fixed time.
    #[cfg(all(unix, not(target_os = "linux")))]
    fn works(&self) {
        thread::sleep(std::time::Duration::from_millis(300));
    }

    #[cfg(unix)]
    fn signal(&self, signal: rustix::process::Signal) {
        let id = rustix::process::Pid::from_child(&self.child);
        rustix::process::kill_process(id, signal).expect("it runs");
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn a_game_begins_from_a_fair_start() {
    let folder = tempfile::tempdir().expect("a folder");
    let position = |flags: &[&str]| {
        let flags = [&["--variant", "kalah-emptycapture", "--position", "fair"], flags].concat();
        let (output, errors, fine) = talk(&flags, folder.path(), &["position", "quit"]);
        assert!(fine, "{errors}");
        let starts = kroo::game::fair_starts("kalah-emptycapture".parse().expect("a game"));
        let shown = starts.iter().find(|start| output.contains(&start.to_string()));
        shown.unwrap_or_else(|| panic!("{output}")).to_string()
    };
    assert_eq!(position(&["--seed", "5"]), position(&["--seed", "5"]));
    assert_ne!(position(&["--seed", "5"]), position(&["--seed", "6"]));
    position(&[]);
    let (_, errors, fine) = talk(&["--variant", "oware", "--position", "fair"], folder.path(), &[]);
    assert!(
        !fine
            && errors.contains(
                "--position fair: no fair starts of oware are known, only of awari1978, kalah, kalah-"
            ),
        "{errors}"
    );
}
