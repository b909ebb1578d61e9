//! A broker with users for the coordinator, for observers, and for each worker.

use crate::stage::{Stage, Started};
use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use support::programs::referee_path;
use support::scene::{await_that, words};

/// The script that makes the users.
pub const QUEUE_USERS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/scale/queue-users.sh");

/// The broker's memory.
pub const MEMORY: &str = "256mb";

pub struct Guarded {
    /// For its folder.
    pub stage: Stage,
    broker: Child,
    port: u16,
}

impl Guarded {
    /// With these workers; `None`, said loudly, if there is no broker to be started.
    pub fn new(workers: &[&str]) -> Option<Guarded> {
        let stage = Stage::new()?;
        let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let folder = stage.scene.path("users");
        assert!(Command::new(QUEUE_USERS).arg(&folder).arg("test").args(workers).status().unwrap().success());
        let mut broker = Command::new("redis-server");
        broker.args(["--bind", "127.0.0.1", "--save", "", "--port", &port.to_string()]);
        // As in the guide.
        broker.args(["--maxmemory", MEMORY, "--maxmemory-clients", "25%", "--aclfile"]);
        broker.arg(folder.join("queue.acl"));
        let broker = broker.stdin(Stdio::null()).stdout(Stdio::null()).spawn().unwrap();
        let guarded = Guarded { stage, broker, port };
        assert!(await_that(|| guarded.ask("viewer", &["PING"]).contains("PONG")));
        Some(guarded)
    }

    /// Where the passwords are.
    pub fn folder(&self) -> PathBuf {
        self.stage.scene.path("users")
    }

    fn password_file(&self, user: &str) -> PathBuf {
        self.folder().join(format!("{user}.password"))
    }

    /// The broker's answer to a user.
    pub fn ask(&self, user: &str, words: &[&str]) -> String {
        self.tell(user, words, None)
    }

    /// The same, with a last word that no command line has room for.
    pub fn tell(&self, user: &str, words: &[&str], last: Option<&[u8]>) -> String {
        let mut cli = Command::new("redis-cli");
        cli.args(["-p", &self.port.to_string(), "--no-auth-warning", "--user", user]);
        cli.env("REDISCLI_AUTH", fs::read_to_string(self.password_file(user)).unwrap());
        cli.args(last.map(|_| "-x")).args(words);
        cli.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut cli = cli.spawn().unwrap();
        cli.stdin.take().unwrap().write_all(last.unwrap_or_default()).unwrap();
        let output = cli.wait_with_output().unwrap();
        String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned()
    }

    /// The broker's answer to a user that runs a script of the administrator: it can load none itself.
    pub fn run(&self, user: &str, script: &str) -> String {
        let hash = self.ask("admin", &["SCRIPT", "LOAD", script]);
        self.ask(user, &["EVALSHA", hash.trim(), "0"])
    }

    /// The queue's address without a user.
    pub fn address(&self) -> String {
        format!("redis://127.0.0.1:{}#test", self.port)
    }

    /// Starts a referee as a user, with the queue's address at its end.
    pub fn start(&self, user: &str, words: &[&str]) -> Started {
        let mut command = Command::new(referee_path());
        command.args(words).arg(self.address().replace("://", &format!("://{user}@")));
        command.env("KROO_QUEUE_PASSWORD_FILE", self.password_file(user));
        self.stage.start(command)
    }

    /// Starts a coordinator of a match of two engines with the journal `queue`.
    pub fn coordinator(&self, options: &str) -> Started {
        let journal = self.stage.scene.path("queue").display().to_string();
        let options = words(options);
        let words = [self.engines(), options, ["--journal", &journal, "--queue"].map(str::to_owned).to_vec()];
        self.start("coordinator", &words.concat().iter().map(String::as_str).collect::<Vec<_>>())
    }

    /// The engines of that match.
    pub fn engines(&self) -> Vec<String> {
        ["honest", "last"].map(|engine| self.stage.scene.engine(engine, &["depth=1"])).concat()
    }
}

impl Drop for Guarded {
    fn drop(&mut self) {
        let _ = self.broker.kill();
        let _ = self.broker.wait();
    }
}
