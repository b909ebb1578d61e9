//! A broker, and the processes that use it.

use crate::network::Network;
use serde_json::Value;
use std::fs::{self, File};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Output, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use support::PATIENCE;
use support::programs::referee_path;
use support::scene::{Scene, await_that, words};
use support::tools::has;

/// The variable with the broker's password.
pub const PASSWORD: (&str, &str) = ("KROO_QUEUE_PASSWORD", "sesame");

/// A broker of its own for a test. It keeps what it has acknowledged, also when it is killed.
pub struct Stage {
    pub scene: Scene,
    pub port: u16,
    /// Networks of workers, if there are any.
    pub network: Option<Network>,
    broker: Option<Child>,
    started: AtomicU32,
}

/// A worker or a coordinator. It is killed when the test is over.
pub struct Started {
    pub child: Child,
    output: std::path::PathBuf,
    errors: std::path::PathBuf,
}

impl Stage {
    /// `None` if there is no broker to be started.
    pub fn new() -> Option<Stage> {
        Stage::with_networks(0)
    }

    /// The same, and networks for a number of workers, if they can be made.
    pub fn with_networks(count: usize) -> Option<Stage> {
        if !has("redis") {
            return None;
        }
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let network = (count > 0).then(|| Network::new(port, count)).flatten();
        let mut stage =
            Stage { scene: Scene::new(), port, network, broker: None, started: AtomicU32::new(0) };
        stage.start_broker();
        Some(stage)
    }

    /// Starts the broker, with what it had before.
    pub fn start_broker(&mut self) {
        let mut broker = Command::new("redis-server");
        broker.args(["--bind", "127.0.0.1"]).args(self.network.iter().map(Network::host));
        broker.args(["--port", &self.port.to_string(), "--save", "", "--loglevel", "warning"]);
        broker.args(["--appendonly", "yes", "--requirepass", "sesame", "--dir"]).arg(self.scene.dir.path());
        self.broker = Some(broker.stdin(Stdio::null()).stdout(Stdio::null()).spawn().unwrap());
        let ready = || self.ask("PING").is_some_and(|answer| answer.contains("PONG"));
        assert!(await_that(ready), "the broker does not answer");
    }

    /// Kills the broker (kill -9).
    pub fn kill_broker(&mut self) {
        let mut broker = self.broker.take().unwrap();
        broker.kill().unwrap();
        broker.wait().unwrap();
    }

    /// Asks the broker something, one line; the beginning of what it answers.
    pub fn ask(&self, command: &str) -> Option<String> {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).ok()?;
        stream.set_read_timeout(Some(PATIENCE)).ok()?;
        write!(stream, "AUTH sesame\r\n{command}\r\n").ok()?;
        let mut lines = BufReader::new(stream);
        let mut line = String::new();
        lines.read_line(&mut line).ok()?;
        line.clear();
        lines.read_line(&mut line).ok()?;
        // Nothing follows what is missing.
        if line.starts_with(['$', '*']) && !line.starts_with("$-1") {
            let mut more = String::new();
            lines.read_line(&mut more).ok()?;
            line.push_str(&more);
        }
        Some(line)
    }

    /// The number that the broker answers.
    pub fn number(&self, command: &str) -> i64 {
        let answer = self.ask(command).unwrap();
        answer.trim_start_matches(':').trim().parse().unwrap_or_else(|_| panic!("{command}: {answer}"))
    }

    /// Cuts all connections of workers and coordinators.
    pub fn cut_connections(&self) {
        self.ask("CLIENT KILL TYPE normal SKIPME yes").unwrap();
    }

    pub fn url(&self) -> String {
        format!("redis://127.0.0.1:{}#test", self.port)
    }

    /// A referee that knows the broker's password.
    pub fn referee(&self) -> Command {
        let mut command = Command::new(referee_path());
        command.env(PASSWORD.0, PASSWORD.1);
        command
    }

    /// Starts anything, and keeps what it prints.
    pub fn start(&self, mut command: Command) -> Started {
        let number = self.started.fetch_add(1, Ordering::Relaxed);
        let [output, errors] = ["out", "err"].map(|kind| self.scene.path(&format!("{number}.{kind}")));
        command
            .stdin(Stdio::null())
            .stdout(File::create(&output).unwrap())
            .stderr(File::create(&errors).unwrap());
        Started { child: command.spawn().unwrap(), output, errors }
    }

    /// Starts a coordinator that writes to a journal.
    pub fn coordinator(&self, journal: &str, arguments: &[Vec<String>]) -> Started {
        let mut command = self.referee();
        command.args(arguments.concat()).args(["--queue", &self.url()]);
        command.arg("--journal").arg(self.scene.path(journal));
        self.start(command)
    }

    /// Starts a worker.
    pub fn worker(&self, options: &str) -> Started {
        self.worker_with(options, &[])
    }

    /// Starts a worker with other variables in its environment.
    pub fn worker_with(&self, options: &str, variables: &[(&str, &str)]) -> Started {
        let mut command = self.referee();
        command.arg("worker").arg(self.url()).args(words(options)).envs(variables.iter().copied());
        self.start(command)
    }

    /// The option that lets engines that are scripts start the program that they need.
    pub fn allow_unruly(&self) -> String {
        format!("--allow-file {}", self.scene.engine("honest", &[])[1].trim_start_matches("cmd="))
    }

    /// Starts a worker in one of the networks, if there are any.
    pub fn worker_in(&self, place: usize, options: &str) -> Started {
        let Some(network) = &self.network else { return self.worker(options) };
        let mut command = network.inside(place);
        command
            .env(PASSWORD.0, PASSWORD.1)
            .arg(referee_path())
            .args(["worker", "--insecure"])
            .arg(self.url().replace("127.0.0.1", &network.host()));
        command.args(words(options));
        self.start(command)
    }

    /// Plays a match on this machine, without any queue.
    pub fn alone(&self, journal: &str, arguments: &[Vec<String>]) -> Output {
        let mut command = Command::new(referee_path());
        command.args(arguments.concat()).arg("--journal").arg(self.scene.path(journal));
        command.output().unwrap()
    }

    /// The lines of a journal in the order of the schedule, without what depends on time and place.
    pub fn timeless(&self, journal: &str) -> Vec<String> {
        let text = fs::read_to_string(self.scene.path(journal)).unwrap();
        let mut lines: Vec<String> = text.lines().map(timeless).collect();
        lines.sort_by_key(|line| {
            let line: Value = serde_json::from_str(line).unwrap();
            line["number"].as_u64()
        });
        lines
    }

    /// Fails at the first line in which the journal of a queue differs from one of this machine by more than time and place. After the
    /// game that decides a test, a queue may have played others, which count for nothing.
    pub fn assert_same(&self, journal: &str, other: &str) {
        let (one, other) = (self.timeless(journal), self.timeless(other));
        for (number, (line, expected)) in (1..).zip(one.iter().zip(&other)) {
            assert_eq!(line, expected, "line {number}");
        }
        let has_test = other[0].contains("\"elo1\"");
        assert!(one.len() == other.len() || has_test && one.len() > other.len(), "{} lines", one.len());
    }

    /// How many games a journal has.
    pub fn games(&self, journal: &str) -> usize {
        let text = fs::read_to_string(self.scene.path(journal)).unwrap_or_default();
        text.lines().count().saturating_sub(1)
    }

    /// Waits until a journal has a number of games.
    pub fn await_games(&self, journal: &str, games: usize) {
        assert!(await_that(|| self.games(journal) >= games), "{} games", self.games(journal));
    }
}

impl Drop for Stage {
    fn drop(&mut self) {
        if let Some(broker) = &mut self.broker {
            let _ = broker.kill();
            let _ = broker.wait();
        }
    }
}

impl Started {
    /// Waits for its end, and returns its exit status.
    pub fn wait(&mut self) -> i32 {
        let mut status = None;
        let ended = await_that(|| {
            status = self.child.try_wait().unwrap();
            status.is_some()
        });
        assert!(ended, "it does not end: {}{}", self.output(), self.errors());
        status.unwrap().code().unwrap_or(-1)
    }

    pub fn output(&self) -> String {
        read(&self.output)
    }

    pub fn errors(&self) -> String {
        read(&self.errors)
    }

    pub fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

impl Drop for Started {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn read(path: &std::path::Path) -> String {
    let mut text = String::new();
    File::open(path).and_then(|mut file| file.read_to_string(&mut text)).unwrap();
    text
}

/// A line of a journal without times and hosts; the checksum is over those, too.
fn timeless(line: &str) -> String {
    const DEPENDENT: [&str; 6] = ["date", "began", "used", "overruns", "worker", "command"];
    let mut value: Value = serde_json::from_str(&line[9..]).unwrap();
    let object = value.as_object_mut().unwrap();
    DEPENDENT.iter().for_each(|field| _ = object.remove(*field));
    if let Some(searches) = object.get_mut("searches").and_then(Value::as_object_mut) {
        ["times", "nps", "left"].iter().for_each(|field| _ = searches.remove(*field));
    }
    value.to_string()
}
