//! The executable as another program sees it: lines go in, and a thread reads the output.
//!
//! Every line of output is checked, even those that no test expects: it ends with a bare LF, it is a reply of the grammar word
//! for word, and it is neither blank, `(none)` nor too long.

use crate::programs::kroo_path;
use crate::tools::has;
use kroo::game::{Move, Position, Side, Variant, Verdict};
use kroo::protocol::{GameResult, Info, Reply};
use std::fmt;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

/// The data folder of a user without data.
pub const NO_DATA: &str = "/no/such/data";
/// Longer means a hang: no expected reply takes a second.
pub const WATCHDOG: Duration = crate::PATIENCE;
/// Consecutive samples in which all threads must sleep without a context switch.
#[cfg(target_os = "linux")]
const LOOKS: u32 = 5;
/// Maximum length of a reply.
const LONGEST_REPLY: usize = 2000;

/// An engine, which is told to quit on drop.
pub struct Client {
    child: Child,
    input: Option<ChildStdin>,
    output: Option<ChildStdout>,
    heard: Receiver<Result<Reply, String>>,
    complaints: Receiver<String>,
}

/// The remains of an ended engine.
pub struct Ended {
    pub status: ExitStatus,
    /// The lines that were not consumed.
    pub rest: Vec<Reply>,
    /// All its output on standard error.
    pub stderr: String,
}

/// The result of a `go`.
pub struct Search {
    pub infos: Vec<Info>,
    pub best: Option<Move>,
    pub ponder: Option<Move>,
}

/// Whether a line is the reason in words that precedes an error of `position` or `sow`.
pub fn is_reason(reply: &Reply) -> bool {
    reply.to_string().starts_with("Reason: ")
}

impl Client {
    pub fn new() -> Client {
        Client::with_flags(&[])
    }

    pub fn with_flags(flags: &[&str]) -> Client {
        let mut client = Client::deaf(flags);
        client.listen();
        client
    }

    /// An engine whose output is not read before [`Client::listen`].
    pub fn deaf(flags: &[&str]) -> Client {
        Client::deaf_in(Path::new(NO_DATA), flags)
    }

    /// The same for a user whose data are in this folder.
    pub fn deaf_in(data: &Path, flags: &[&str]) -> Client {
        let mut command = Command::new(kroo_path());
        command.env("XDG_DATA_HOME", data);
        command.args(flags).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the engine starts");
        let (input, output) = (child.stdin.take(), child.stdout.take());
        let mut stderr = child.stderr.take().expect("a pipe");
        let (sender, complaints) = mpsc::channel();
        thread::spawn(move || {
            let mut bytes = Vec::new();
            let _ = stderr.read_to_end(&mut bytes);
            let _ = sender.send(String::from_utf8_lossy(&bytes).into_owned());
        });
        let (_, heard) = mpsc::channel();
        Client { child, input, output, heard, complaints }
    }

    /// Starts reading.
    pub fn listen(&mut self) {
        let output = self.output.take().expect("nobody reads yet");
        let (sender, heard) = mpsc::channel();
        self.heard = heard;
        thread::spawn(move || {
            let mut output = BufReader::new(output);
            let mut line = Vec::new();
            while output.read_until(b'\n', &mut line).is_ok_and(|length| length > 0) {
                if sender.send(reply(&line)).is_err() {
                    return;
                }
                line.clear();
            }
        });
    }

    /// Closes the engine's output pipe.
    pub fn close_output(&mut self) {
        drop(self.output.take().expect("nobody reads yet"));
    }

    /// Closes the engine's input pipe.
    pub fn close_input(&mut self) {
        self.input = None;
    }

    /// The engine's input pipe, for another thread.
    pub fn take_input(&mut self) -> ChildStdin {
        self.input.take().expect("the input is open")
    }

    pub fn send(&mut self, line: &str) {
        self.send_bytes(format!("{line}\n").as_bytes());
    }

    pub fn send_bytes(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().expect("the input is open");
        input.write_all(bytes).and_then(|()| input.flush()).expect("the engine reads");
    }

    /// The next line; `None` if the engine has ended.
    fn next(&self) -> Option<Reply> {
        match self.heard.recv_timeout(WATCHDOG) {
            Ok(Ok(reply)) => Some(reply),
            Ok(Err(wrong)) => panic!("{wrong}"),
            Err(RecvTimeoutError::Disconnected) => None,
            Err(RecvTimeoutError::Timeout) => panic!("nothing came for {WATCHDOG:?}"),
        }
    }

    /// All lines up to and including the first that satisfies a predicate.
    pub fn until(&self, what: &str, is_it: impl Fn(&Reply) -> bool) -> Vec<Reply> {
        let began = Instant::now();
        let mut lines = Vec::new();
        loop {
            let Some(reply) = self.next() else { panic!("the engine ended before {what}, after {lines:#?}") };
            let last = is_it(&reply);
            lines.push(reply);
            if last {
                return lines;
            }
            assert!(began.elapsed() < WATCHDOG, "no {what} in {WATCHDOG:?}, but {lines:#?}");
        }
    }

    /// All lines up to and including the first with a prefix.
    pub fn expect(&self, prefix: &str) -> Vec<Reply> {
        self.until(&format!("`{prefix}`"), |reply| reply.to_string().starts_with(prefix))
    }

    /// Waits until every line sent so far has been executed, and returns the output so far.
    pub fn sync(&mut self) -> Vec<Reply> {
        self.send("isready");
        let mut lines = self.until("`readyok`", |reply| *reply == Reply::ReadyOk);
        lines.pop();
        lines
    }

    /// The output of a command that is answered at once.
    pub fn says(&mut self, line: &str) -> Vec<Reply> {
        self.send(line);
        self.sync()
    }

    /// Sends a line that must be accepted without output.
    pub fn accepts(&mut self, line: &str) {
        let said = self.says(line);
        assert!(said.is_empty(), "{line}: {said:?}");
    }

    /// Sends a line that must be refused with one error, and returns the error. Search info and a reason in words may precede it.
    pub fn refuses(&mut self, line: &str) -> String {
        let mut said = self.says(line);
        said.retain(|reply| !is_reason(reply) && !matches!(reply, Reply::Info(Info { string: None, .. })));
        let [reply] = &said[..] else { panic!("{line}: {said:?}") };
        let text = reply.to_string();
        let Some(error) = text.strip_prefix("info string error ") else { panic!("{line}: {text}") };
        error.to_owned()
    }

    /// Sets an option.
    pub fn set(&mut self, name: &str, value: &str) {
        self.accepts(&format!("setoption name {name} value {value}"));
    }

    /// The position line and the result that `d` shows.
    pub fn shows(&mut self) -> (String, GameResult) {
        let said = self.says("d");
        match &said[..] {
            [.., Reply::Fen(fen), Reply::Result(result)] => (fen.clone(), *result),
            _ => panic!("d: {said:?}"),
        }
    }

    pub fn go(&mut self, line: &str) -> Search {
        self.send(line);
        self.best_move()
    }

    pub fn best_move(&self) -> Search {
        Search::of(self.until("`bestmove`", |reply| matches!(reply, Reply::BestMove { .. })))
    }

    /// Checks that the idle engine has printed nothing.
    pub fn stays_silent(&mut self) {
        self.rests();
        let said = self.sync();
        assert!(said.is_empty(), "there should be silence, not {said:?}");
    }

    /// Waits until all threads of the engine are blocked.
    #[cfg(target_os = "linux")]
    pub fn rests(&self) {
        let began = Instant::now();
        let (mut last, mut looks) = (None, 0);
        while looks < LOOKS {
            assert!(began.elapsed() < WATCHDOG, "the engine is still at work");
            thread::sleep(Duration::from_millis(1));
            let switches = self.sleepers();
            looks = if switches.is_some() && switches == last { looks + 1 } else { 0 };
            last = switches;
        }
    }

    /// The context switches of all threads, if all are asleep.
    #[cfg(target_os = "linux")]
    fn sleepers(&self) -> Option<u64> {
        let mut all = 0;
        for task in std::fs::read_dir(format!("/proc/{}/task", self.child.id())).ok()? {
            let status = std::fs::read_to_string(task.ok()?.path().join("status")).ok()?;
            let field = |name: &str| status.lines().find_map(|line| line.strip_prefix(name)).map(str::trim);
            if !field("State:")?.starts_with('S') {
                return None;
            }
            for kind in ["voluntary_ctxt_switches:", "nonvoluntary_ctxt_switches:"] {
                all += field(kind)?.parse::<u64>().ok()?;
            }
        }
        Some(all)
    }

    /// Other systems do not report it, so this waits a fixed time.
    #[cfg(not(target_os = "linux"))]
    pub fn rests(&self) {
        thread::sleep(Duration::from_millis(150));
    }

    /// Waits for the engine to end, which it must do with status 0 and empty standard error.
    pub fn end(self) -> Ended {
        let ended = self.end_somehow();
        assert_eq!(ended.stderr, "");
        assert!(ended.status.success(), "{}", ended.status);
        ended
    }

    /// Waits for the engine to end.
    pub fn end_somehow(mut self) -> Ended {
        let mut rest = Vec::new();
        while let Some(reply) = self.next() {
            rest.push(reply);
        }
        let stderr = self.complaints.recv_timeout(WATCHDOG).expect("the engine closes standard error");
        // Both pipes are closed, so this takes microseconds.
        let status = self.child.wait().expect("the engine can be waited for");
        Ended { status, rest, stderr }
    }

    /// Checks the engine's peak memory in bytes, where the system counts it.
    pub fn assert_small(&self, most: u64) {
        if has("proc") {
            let peak = self.memory("VmHWM").expect("the system counts it");
            assert!(peak <= most, "{} MiB", peak >> 20);
        }
    }

    /// Bytes of memory in the `field` of its status, such as `VmRSS`; `None` on other systems.
    pub fn memory(&self, field: &str) -> Option<u64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).ok()?;
        let line = status.lines().find_map(|line| line.strip_prefix(field)?.strip_prefix(':'))?;
        let kib = line.trim().strip_suffix(" kB").expect("a size");
        Some(kib.trim().parse::<u64>().expect("a number") * 1024)
    }
}

#[cfg(target_os = "linux")]
impl Client {
    /// Limits the engine to its current memory plus `spare` bytes.
    pub fn freeze_memory(&self, spare: u64) {
        use rustix::process::{Pid, Resource, Rlimit, prlimit};
        let most = self.memory("VmSize").map(|bytes| bytes + spare);
        let limit = Rlimit { current: most, maximum: most };
        prlimit(Pid::from_raw(self.child.id() as i32), Resource::As, limit).expect("a limit can be set");
    }
}

/// Whatever it is doing, an engine that is no longer needed ends at `quit`: with status 0, every line in order, and nothing on
/// standard error.
impl Drop for Client {
    fn drop(&mut self) {
        let runs = self.child.try_wait().is_ok_and(|status| status.is_none());
        let quits = runs && self.output.is_none() && !thread::panicking();
        if let Some(mut input) = self.input.take().filter(|_| quits) {
            let _ = input.write_all(b"quit\n");
            while self.next().is_some() {}
            assert_eq!(self.complaints.recv_timeout(WATCHDOG).as_deref(), Ok(""));
            assert!(self.child.wait().expect("it can be waited for").success());
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Parses a line of the engine, or describes its fault.
fn reply(line: &[u8]) -> Result<Reply, String> {
    let shown = || String::from_utf8_lossy(&line[..line.len().min(LONGEST_REPLY)]).into_owned();
    let text = line.strip_suffix(b"\n").ok_or_else(|| format!("a line without an end: {:?}", shown()))?;
    let text = std::str::from_utf8(text).map_err(|error| format!("{error}: {:?}", shown()))?;
    if text.len() > LONGEST_REPLY {
        return Err(format!("a line of {} bytes: {}", text.len(), shown()));
    }
    if text.contains("(none)") || text.chars().any(char::is_control) {
        return Err(format!("not a line for a GUI: {text:?}"));
    }
    let reply = Reply::parse(text).map_err(|error| format!("{text:?}: {error}"))?;
    if reply.to_string() == text { Ok(reply) } else { Err(format!("{text:?} reads as `{reply}`")) }
}

impl Search {
    /// The result of lines up to `bestmove`, all of which must be search info.
    pub fn of(mut lines: Vec<Reply>) -> Search {
        let Some(Reply::BestMove { best, ponder }) = lines.pop() else { panic!("no answer: {lines:?}") };
        let info = |reply| match reply {
            // A search of seconds, as on a busy machine, also says which move it searches.
            Reply::Info(info) if info.currmove.is_some() => None,
            Reply::Info(info) if info.string.is_none() => Some(info),
            other => panic!("in a search: {other}"),
        };
        Search { infos: lines.into_iter().filter_map(info).collect(), best, ponder }
    }

    /// The last info with a score.
    pub fn last(&self) -> &Info {
        self.infos.iter().rfind(|info| info.score.is_some()).expect("the search tells a score")
    }

    /// Plies searched.
    pub fn depth(&self) -> u32 {
        self.last().depth.expect("each iteration has a depth")
    }

    pub fn nodes(&self) -> u64 {
        self.last().nodes.expect("each iteration counts nodes")
    }

    /// The letter of the move, `0` if there is none.
    pub fn letter(&self) -> char {
        self.best.map_or('0', Move::letter)
    }
}

/// The lines as they came.
impl fmt::Debug for Search {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.infos.iter().try_for_each(|info| write!(f, "\n  {info}"))?;
        write!(f, "\n  {}", Reply::BestMove { best: self.best, ponder: self.ponder })
    }
}

/// A position of a test.
pub fn position(variant: Variant, text: &str) -> Position {
    Position::parse(variant, text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// The result of a position, in the protocol's words.
pub fn result(position: &Position) -> GameResult {
    match position.verdict_for(Side::South) {
        None => GameResult::Ongoing,
        Some(Verdict::Win) => GameResult::SouthWins,
        Some(Verdict::Draw) => GameResult::Draw,
        Some(Verdict::Loss) => GameResult::NorthWins,
    }
}

/// Moves of a list.
pub fn moves(letters: &str) -> Vec<Move> {
    letters.chars().map(|letter| Move::from_letter(letter).expect("a pit's letter")).collect()
}
