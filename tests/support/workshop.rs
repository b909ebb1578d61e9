//! A repository with an engine, and tests of its commits.

use crate::programs::referee_path;
use crate::scene::{Report, Scene, built, words};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A repository whose engine is a script, which its build copies.
pub struct Workshop {
    pub scene: Scene,
}

impl Workshop {
    /// An empty repository.
    pub fn new() -> Workshop {
        let shop = Workshop { scene: Scene::new() };
        fs::create_dir(shop.repo()).unwrap();
        shop.git("init --quiet --initial-branch main");
        shop.git("config user.name A");
        shop.git("config user.email a@localhost");
        shop
    }

    /// A repository with two commits, each an engine that misbehaves in some way (`tests/engines/unruly.rs`) and whose bench
    /// visits a given number of nodes.
    pub fn with(base: (&str, u64), head: (&str, u64)) -> Workshop {
        let shop = Workshop::new();
        shop.commit(base.0, base.1, "The base");
        shop.commit(head.0, head.1, "The head");
        shop
    }

    pub fn repo(&self) -> PathBuf {
        self.scene.path("engine repository")
    }

    pub fn history(&self) -> PathBuf {
        self.scene.path("history")
    }

    /// Runs git, and returns what it prints.
    pub fn git(&self, line: &str) -> String {
        self.git_words(&line.split(' ').collect::<Vec<_>>())
    }

    fn git_words(&self, words: &[&str]) -> String {
        let output = Command::new("git").arg("-C").arg(self.repo()).args(words).output().unwrap();
        assert!(output.status.success(), "git {words:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    }

    /// Writes the engine into the working tree.
    pub fn write(&self, manner: &str, bench: u64) {
        let unruly = built("examples/unruly", &["-p", "kroo-referee", "--example", "unruly"]);
        let mark = self.scene.dir.path().file_name().unwrap().to_string_lossy().into_owned();
        let script = format!(
            "#!/bin/sh\nif [ \"$1\" = bench ]; then echo 'Nodes searched: {bench}'; exit 0; fi\nexec '{}' {manner} {mark}\n",
            unruly.display()
        );
        fs::write(self.repo().join("engine.sh"), script).unwrap();
    }

    /// Writes the engine and commits it.
    pub fn commit(&self, manner: &str, bench: u64, message: &str) {
        self.write(manner, bench);
        self.git("add --all");
        self.git_words(&["commit", "--quiet", "--allow-empty", "--message", message]);
    }

    /// A test of the two commits, limited by few nodes, with further options.
    pub fn command(&self, range: &str, options: &str) -> Command {
        // Every build writes a line.
        let builds = self.scene.path("builds");
        let build = format!(
            "echo built >>'{}'; mkdir out && cp engine.sh out/engine && chmod +x out/engine",
            builds.display()
        );
        self.command_built_by(&build, range, options)
    }

    /// The same with another build command.
    pub fn command_built_by(&self, build: &str, range: &str, options: &str) -> Command {
        let mut command = Command::new(referee_path());
        command
            .args(["test", range])
            .arg("--repo")
            .arg(self.repo())
            .args(words("--resign moves=1 score=40"))
            .args(words(options));
        command.args(["--build", build]);
        command.args(["--program", "out/engine", "--each", "nodes=1"]).arg("--history").arg(self.history());
        command.arg("--cache").arg(self.cache()).stdin(Stdio::null());
        // An unrelated repository.
        command.env("GIT_DIR", "/nowhere").stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    pub fn cache(&self) -> PathBuf {
        self.scene.path("cache")
    }

    /// Runs a test to its end.
    pub fn test(&self, range: &str, options: &str) -> Report {
        let output = self.command(range, options).output().unwrap();
        self.scene.report(output)
    }

    /// The number of builds.
    pub fn builds(&self) -> usize {
        fs::read_to_string(self.scene.path("builds")).unwrap_or_default().lines().count()
    }

    /// The lines of the history.
    pub fn records(&self) -> Vec<Value> {
        let text = fs::read_to_string(self.history().join("tests.jsonl")).unwrap_or_default();
        text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect()
    }

    /// The folder of a test.
    pub fn folder(&self, record: &Value) -> PathBuf {
        self.history().join(record["id"].as_str().unwrap())
    }

    /// Fails if a worktree or an incomplete program is left.
    pub fn assert_tidy(&self) {
        assert_eq!(self.git("worktree list").lines().count(), 1);
        assert_eq!(self.git("status --porcelain"), "");
        let hidden = |path: &Path| path.file_name().unwrap().to_string_lossy().starts_with('.');
        for entry in fs::read_dir(self.cache().join("programs")).unwrap() {
            assert!(!hidden(&entry.unwrap().path()), "half a program is left");
        }
    }

    /// The history as shown with some options.
    pub fn show(&self, options: &[&str]) -> Report {
        let mut command = Command::new(referee_path());
        command.arg("history").arg("--history").arg(self.history()).args(options);
        self.scene.report(command.output().unwrap())
    }
}

/// The rows of a table, without its header.
pub fn rows(report: &Report) -> Vec<&str> {
    let mut lines = report.stdout.lines();
    assert_eq!(
        lines.next().and_then(|line| line.split(" | ").next()),
        Some("| technique"),
        "{}",
        report.stderr
    );
    assert_eq!(lines.next(), Some("|---|---|---|---|---|---|---|---|"));
    lines.collect()
}
