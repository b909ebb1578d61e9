//! Running the referee and examining its output.

use crate::PATIENCE;
use crate::programs::{referee_path, root};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::OnceLock;
use std::time::{Duration, Instant};
use std::{env, fs, thread};
use tempfile::TempDir;

/// A folder for a test's files. Its name marks the test's engines among all processes.
pub struct Scene {
    pub dir: TempDir,
}

/// The output of a referee run.
pub struct Report {
    pub status: i32,
    pub stdout: String,
    pub stderr: String,
    pub json: Value,
    pub games: String,
}

impl Scene {
    pub fn new() -> Scene {
        Scene::within(&env::temp_dir())
    }

    /// One whose journals are synced in no time.
    pub fn in_memory() -> Scene {
        Scene::within(&crate::memory())
    }

    fn within(place: &Path) -> Scene {
        Scene { dir: tempfile::Builder::new().prefix("referee-test-").tempdir_in(place).unwrap() }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    pub fn file(&self, name: &str, text: &str) -> String {
        let path = self.path(name);
        fs::write(&path, text).unwrap();
        path.to_string_lossy().into_owned()
    }

    fn mark(&self) -> String {
        self.dir.path().file_name().unwrap().to_string_lossy().into_owned()
    }

    /// The words for an engine of `tests/fixtures/engines` that misbehaves as its name says. Without a limit among them it is never late,
    /// however busy the machine is.
    pub fn engine(&self, manner: &str, words: &[&str]) -> Vec<String> {
        let unruly = built("examples/unruly", &["-p", "kroo-referee", "--example", "unruly"]);
        let mut all = vec!["--engine".to_owned(), format!("cmd={}", unruly.display())];
        all.push(format!("args={manner} {}", self.mark()));
        all.push(format!("name={manner}"));
        all.extend(words.iter().map(|&word| word.to_owned()));
        let limits = ["st=", "tc=", "depth=", "nodes=", "watchdog=", "timemargin="];
        if !words.iter().any(|word| limits.iter().any(|limit| word.starts_with(limit))) {
            all.push("timemargin=100000".to_owned());
        }
        all
    }

    /// A referee with these arguments that writes a game file and JSON, its output piped.
    pub fn command(&self, arguments: &[Vec<String>]) -> Command {
        let mut command = Command::new(referee_path());
        command.args(arguments.concat()).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command.arg("--games-out").arg(self.path("games.ogn")).arg("--json").arg(self.path("games.json"));
        command
    }

    /// Runs a match to its end.
    pub fn run(&self, arguments: &[Vec<String>]) -> Report {
        let output = self.command(arguments).output().unwrap();
        self.report(output)
    }

    /// The report of a run.
    pub fn report(&self, output: Output) -> Report {
        let json = fs::read_to_string(self.path("games.json")).unwrap_or_default();
        Report {
            status: output.status.code().unwrap_or(-1),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
            json: serde_json::from_str(&json).unwrap_or_default(),
            games: fs::read_to_string(self.path("games.ogn")).unwrap_or_default(),
        }
    }

    /// How many processes have this test's mark.
    pub fn processes(&self) -> usize {
        let mark = self.mark();
        let processes = fs::read_dir("/proc").unwrap().flatten();
        let marked = |dir: &Path| {
            let line = fs::read(dir.join("cmdline")).unwrap_or_default();
            // The referee names the folder too, but engines have the mark as a separate word.
            line.split(|&byte| byte == 0).any(|word| word == mark.as_bytes())
        };
        processes.filter(|process| marked(&process.path())).count()
    }

    /// Waits until this test has `count` engines.
    pub fn await_processes(&self, count: usize) -> bool {
        await_that(|| self.processes() == count)
    }
}

impl Report {
    pub fn game_results(&self) -> Vec<Value> {
        self.json["games"].as_array().cloned().unwrap_or_default()
    }

    pub fn finished(&self) -> usize {
        self.stdout.lines().filter(|line| line.starts_with("Finished game ")).count()
    }

    /// Checks that standard output has a text.
    #[track_caller]
    pub fn says(&self, text: &str) {
        assert!(self.stdout.contains(text), "no {text:?}: {}", self.stdout);
    }

    /// Checks that standard error has a text.
    #[track_caller]
    pub fn complains(&self, text: &str) {
        assert!(self.stderr.contains(text), "no {text:?}: {}", self.stderr);
    }

    /// A match that went well: no warning, all games played.
    pub fn assert_played(&self, games: usize) {
        assert_eq!(self.status, 0, "{}{}", self.stdout, self.stderr);
        assert_eq!(self.finished(), games, "{}", self.stdout);
        assert_eq!(self.game_results().len(), games);
        assert_eq!(self.json["result"]["games"], games);
    }
}

/// Words for the command line.
pub fn words(line: &str) -> Vec<String> {
    line.split_whitespace().map(str::to_owned).collect()
}

/// Waits until a condition holds; returns whether it did.
pub fn await_that(mut holds: impl FnMut() -> bool) -> bool {
    let start = Instant::now();
    while !holds() {
        if start.elapsed() > PATIENCE {
            return false;
        }
        thread::sleep(Duration::from_millis(5));
    }
    true
}

/// Sends a signal, by its name without `SIG`.
pub fn signal(process: &Child, name: &str) {
    let status = Command::new("kill").arg(format!("-{name}")).arg(process.id().to_string()).status().unwrap();
    assert!(status.success());
}

/// An executable in the referee's folder, built if it is missing.
pub fn built(name: &str, build: &[&str]) -> PathBuf {
    static BUILDING: OnceLock<std::sync::Mutex<()>> = OnceLock::new();
    let path = Path::new(referee_path()).with_file_name(name);
    let _one_at_a_time = BUILDING.get_or_init(Default::default).lock();
    if !path.is_file() || is_stale(&path, if name == "kroo" { "src" } else { "tests/fixtures/engines" }) {
        let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        cargo.current_dir(root()).arg("build").args(build);
        let folder = path.ancestors().find(|folder| folder.join(".fingerprint").is_dir()).unwrap();
        if folder.ends_with("release") {
            cargo.arg("--release");
        }
        assert!(cargo.arg("--target-dir").arg(folder.parent().unwrap()).status().unwrap().success());
    }
    path
}

/// Whether an executable is older than its sources: for a single test crate cargo builds no others.
fn is_stale(executable: &Path, sources: &str) -> bool {
    let sources = root().join(sources);
    let newer =
        Command::new("find").arg(sources).args(["-name", "*.rs", "-newer"]).arg(executable).output().unwrap();
    !newer.stdout.is_empty()
}

/// A line of a journal, with its checksum.
pub fn line(json: &str) -> String {
    format!("{:08x} {json}\n", crc32fast::hash(json.as_bytes()))
}
