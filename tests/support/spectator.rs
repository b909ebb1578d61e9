//! A watched match: its start, and requests to its server.

use crate::PATIENCE;
use crate::scene::{Report, Scene, signal, words};
use serde_json::Value;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, ChildStdout, Command, Output};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// A referee that is killed on drop.
pub struct Referee(pub Child);

impl Drop for Referee {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A match that can be watched.
pub struct Match {
    pub scene: Scene,
    pub referee: Referee,
    pub output: BufReader<ChildStdout>,
    /// The printed address of the page.
    pub page: String,
    /// Its host and port on this machine.
    pub host: String,
    /// The header with the page's token.
    pub token: String,
}

impl Match {
    /// A match of two engines that take a millisecond for each move.
    pub fn start(options: &str) -> Match {
        let scene = Scene::new();
        let engines = ["unhurried", "unhurried-last"].map(|manner| scene.engine(manner, &["nodes=1"]));
        Match::of(scene, &[engines.concat(), words(options)])
    }

    pub fn of(scene: Scene, arguments: &[Vec<String>]) -> Match {
        let command = scene.command(arguments);
        Match::run_by(scene, command)
    }

    /// Starts a match by a command.
    pub fn run_by(scene: Scene, mut command: Command) -> Match {
        let mut referee = command.args(["--watch", "0"]).spawn().unwrap();
        let mut output = BufReader::new(referee.stdout.take().unwrap());
        let (mut line, place) = (String::new(), "Watch the match at ");
        while !line.starts_with(place) {
            line.clear();
            assert_ne!(output.read_line(&mut line).unwrap(), 0, "no address");
        }
        let page = line.trim()[place.len()..].to_owned();
        let port = page.split('/').nth(2).unwrap().rsplit(':').next().unwrap();
        let host = format!("127.0.0.1:{port}");
        let token = format!("X-Kroo-Token: {}\r\n", page.split("#token=").nth(1).unwrap());
        Match { scene, referee: Referee(referee), output, page, host, token }
    }

    /// Reads output until a game with at least this number has finished, and returns its number.
    pub fn await_game(&mut self, number: u64) -> u64 {
        let mut line = String::new();
        loop {
            line.clear();
            assert_ne!(self.output.read_line(&mut line).unwrap(), 0, "no game {number}");
            let found = line.strip_prefix("Finished game ").and_then(|rest| rest.split(' ').next());
            match found.and_then(|found| found.parse().ok()) {
                Some(found) if found >= number => return found,
                _ => {}
            }
        }
    }

    pub fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(&self.host).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream.set_write_timeout(Some(PATIENCE)).unwrap();
        stream
    }

    /// Sends a request, and returns the status and the whole response.
    pub fn ask(&self, text: &str) -> (u16, String) {
        let mut stream = self.connect();
        stream.write_all(text.as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        (answer.split(' ').nth(1).unwrap().parse().unwrap(), answer)
    }

    /// Sends a request without the token.
    pub fn get(&self, path: &str, headers: &str) -> (u16, String) {
        self.ask(&format!("GET {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n{headers}\r\n", self.host))
    }

    /// Asks for the state of the match, as a page that has been told of the first games.
    pub fn now(&self, told: u64) -> Value {
        let (status, answer) = self.get(&format!("/now?told={told}"), &self.token);
        assert_eq!(status, 200, "{answer}");
        serde_json::from_str(answer.split_once("\r\n\r\n").unwrap().1).unwrap()
    }

    /// A page that asks and reads nothing.
    pub fn deaf(&self) -> TcpStream {
        let mut stream = self.connect();
        write!(stream, "GET /now HTTP/1.1\r\nHost: {}\r\n{}\r\n", self.host, self.token).unwrap();
        stream
    }

    /// Asks until a state is as expected, and returns it.
    pub fn until(&self, is_expected: impl Fn(&Value) -> bool) -> Value {
        let began = Instant::now();
        loop {
            let now = self.now(0);
            if is_expected(&now) {
                return now;
            }
            assert!(began.elapsed() < PATIENCE, "{now}");
            sleep(Duration::from_millis(20));
        }
    }

    /// Waits for the end of the match.
    pub fn end(&mut self) -> Report {
        let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
        self.output.read_to_end(&mut stdout).unwrap();
        self.referee.0.stderr.take().unwrap().read_to_end(&mut stderr).unwrap();
        let status = self.referee.0.wait().unwrap();
        let report = self.scene.report(Output { status, stdout, stderr });
        assert_eq!(self.scene.processes(), 0);
        report
    }

    pub fn terminate(&mut self) -> Report {
        signal(&self.referee.0, "TERM");
        self.end()
    }
}
