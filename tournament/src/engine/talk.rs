//! Speaking the protocol to an engine.

use super::line_buffer::Line;
use super::pipes::{PipeError, Pipes};
use super::process::{Process, describe};
use super::stop::Stop;
use super::supervisor::Supervisor;
use super::{EngineSpec, Stopped};
use kroo::game::Move;
use kroo::protocol::{Command, Info, OptionLine, Reply};
use rustix::io::Errno;
use rustix::process::Pid;
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

/// How long a late answer is waited for before the engine counts as hung.
const GRACE: Duration = Duration::from_millis(500);
/// How long the engines may take to quit.
const FAREWELL: Duration = Duration::from_millis(200);
/// How long a message may take that needs no answer.
const REMARK: Duration = Duration::from_millis(100);
/// How long it may take to learn that the referee was suspended.
const NOTICE: Duration = Duration::from_millis(10);
/// How long after the end of its output an engine may take to exit.
const LAST_BREATH: Duration = Duration::from_millis(400);

/// A running engine.
#[derive(Debug)]
pub struct Engine {
    pub(super) pipes: Pipes,
    process: Process,
    pub(super) declared: Vec<OptionLine>,
    pub(super) startup: Duration,
    /// The last line with a score that it has told in this search.
    pub(super) info: Vec<u8>,
}

/// What an engine answers to `go`.
#[derive(Clone, Debug)]
pub struct SearchResult {
    /// The move.
    pub best: Move,
    /// From the writing of `go` to the reading of the answer.
    pub elapsed: Duration,
    /// The last thing it told with a score.
    pub info: Option<Info>,
    /// The move that it expects next.
    pub ponder: Option<Move>,
}

/// How long an answer may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MoveDeadline {
    /// A limit that the engine knows, and a margin. An answer after both is late, but shortly after still an answer.
    Limit {
        /// The limit.
        time: Duration,
        /// The margin.
        margin: Duration,
    },
    /// A time after which an engine that knows no limit of time counts as hung.
    Watchdog(Duration),
}

/// Why there is no answer that counts.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    /// The process cannot be started.
    #[error("could not be started: {0}")]
    NotStarted(String),
    /// The system has nothing left to start a process with, which is not the engine's fault.
    #[error("cannot start engines: {0}")]
    OutOfResources(io::Error),
    /// The process is no more, or has closed its pipes.
    #[error("{0}")]
    Crash(String),
    /// It says nothing.
    #[error("gave no {expected} within {:.3} s", .within.as_secs_f64())]
    NoAnswer {
        /// What it was to say.
        expected: &'static str,
        /// How long it was waited for.
        within: Duration,
    },
    /// It says nothing that the protocol knows.
    #[error("gave no `bestmove`, only text that is not in the protocol ({lines} lines, the last `{last}`)")]
    Garbage {
        /// How many lines.
        lines: u64,
        /// The last of them, clipped.
        last: String,
    },
    /// Its answer is no move.
    #[error("answered `{0}`")]
    NoMove(String),
    /// Its answer came too late.
    #[error("was {:.3} s late", .by.as_secs_f64())]
    Late {
        /// By how much, the margin not taken off.
        by: Duration,
    },
    /// Play is stopped.
    #[error(transparent)]
    Stopped(#[from] Stopped),
}

impl Engine {
    /// Starts an engine's process. [`Engine::greet`] is next; several engines can start up meanwhile.
    ///
    /// # Errors
    /// If there is no such program, or the system cannot start it.
    pub fn launch(spec: &EngineSpec, supervisor: &Arc<Supervisor>) -> Result<Engine, EngineError> {
        let (process, pipes) =
            Process::start(spec, supervisor).map_err(|error| not_started(&spec.command, error))?;
        let (declared, info) = (Vec::new(), Vec::new());
        Ok(Engine { pipes, process, declared, startup: spec.startup, info })
    }

    /// Its process.
    #[must_use]
    pub fn process(&self) -> Pid {
        self.process.id()
    }

    /// Sends `position` and `go`, and waits for the move.
    ///
    /// # Errors
    /// Why there is no move, or none that counts.
    pub fn think(
        &mut self,
        message: &str,
        patience: MoveDeadline,
        stop: &Stop,
    ) -> Result<SearchResult, EngineError> {
        self.pipes.drain();
        self.info.clear();
        self.answer(message, patience, stop)
    }

    /// Sends a message and waits for the move.
    pub(super) fn answer(
        &mut self,
        message: &str,
        patience: MoveDeadline,
        stop: &Stop,
    ) -> Result<SearchResult, EngineError> {
        let mut start = Instant::now();
        let (limit, mut wait, timed) = match patience {
            MoveDeadline::Limit { time, margin } => (time, time + margin, true),
            MoveDeadline::Watchdog(time) => (time, time, false),
        };
        let whole = wait;
        let (mut garbage, mut late) = (Garbage::default(), false);
        let mut sent = self.pipes.send(message.as_bytes(), start + wait, stop);
        loop {
            let heard = match sent {
                Ok(()) => self.pipes.receive(start + wait, stop),
                Err(silence) => Err(silence),
            };
            match heard {
                Ok(heard) => {
                    let at = heard.at;
                    let Some(said) = listen(heard.line, &mut self.info, &mut garbage) else { continue };
                    if timed && (late || at - start > wait) && was_suspended(&mut start, stop) {
                        late = false;
                    }
                    let elapsed = at.saturating_duration_since(start);
                    if timed && (late || elapsed > wait) {
                        return Err(EngineError::Late { by: elapsed.saturating_sub(limit) });
                    }
                    let (best, ponder) = best_move(&said)?;
                    return Ok(SearchResult { best, elapsed, info: self.told(), ponder });
                }
                Err(PipeError::TimedOut) if was_suspended(&mut start, stop) => {
                    (sent, late, wait) = (Ok(()), false, whole);
                }
                Err(PipeError::TimedOut) if timed && !late => {
                    late = true;
                    wait += GRACE;
                    sent = Ok(());
                    self.remark(&[Command::Stop], stop);
                }
                Err(PipeError::TimedOut) => return Err(garbage.or_no_answer(wait)),
                Err(PipeError::Closed) => return Err(EngineError::Crash(self.post_mortem(stop))),
                Err(PipeError::Stopped) => return Err(Stopped.into()),
            }
        }
    }

    /// The last thing it told with a score, read only now: most of what an engine tells is never looked at.
    fn told(&self) -> Option<Info> {
        match Reply::parse(std::str::from_utf8(&self.info).ok()?) {
            Ok(Reply::Info(info)) => Some(info),
            _ => None,
        }
    }

    /// Sends something that needs no answer. Whether it was read shows when the next answer is due.
    pub fn remark(&mut self, commands: &[Command], stop: &Stop) {
        let text: String = commands.iter().map(|command| format!("{command}\n")).collect();
        let _ = self.pipes.send(text.as_bytes(), Instant::now() + REMARK, stop);
    }

    /// How the process ended, which it has, or seems to have.
    pub(super) fn post_mortem(&mut self, stop: &Stop) -> String {
        let exited = self.pipes.await_exit(Instant::now() + LAST_BREATH, stop);
        match self.process.end() {
            Some(status) if exited => describe(status),
            _ => "closed its pipes".to_owned(),
        }
    }

    /// Says `quit` to engines and gives them a short time to do so; what is left then is killed.
    pub fn dismiss(mut engines: Vec<Engine>, stop: &Stop) {
        for engine in &mut engines {
            engine.remark(&[Command::Quit], stop);
        }
        let deadline = Instant::now() + FAREWELL;
        for engine in &mut engines {
            engine.pipes.await_exit(deadline, stop);
        }
    }
}

/// Why there is no process.
fn not_started(command: &Path, error: io::Error) -> EngineError {
    let exhausted = [Errno::MFILE, Errno::NFILE, Errno::AGAIN, Errno::NOMEM].map(Errno::raw_os_error);
    if error.raw_os_error().is_some_and(|code| exhausted.contains(&code)) {
        return EngineError::OutOfResources(error);
    }
    let shown = command.display();
    EngineError::NotStarted(match error.kind() {
        io::ErrorKind::NotFound if command.is_file() => {
            format!("{shown} is there, but not the interpreter or loader that it asks for")
        }
        io::ErrorKind::NotFound => format!("there is no program {shown}"),
        _ => format!("{shown}: {error}"),
    })
}

/// LineBuffer that are none of the protocol.
#[derive(Debug, Default)]
struct Garbage {
    lines: u64,
    last: String,
    /// Something else came, too.
    sense: bool,
}

impl Garbage {
    fn add(&mut self, text: &str) {
        self.lines += 1;
        self.last = clipped(text);
    }

    /// The reason for giving up after a time.
    fn or_no_answer(self, within: Duration) -> EngineError {
        if self.lines == 0 || self.sense {
            return EngineError::NoAnswer { expected: "`bestmove`", within };
        }
        EngineError::Garbage { lines: self.lines, last: self.last }
    }
}

/// Takes a line: the answer is given back, a score is kept, and the rest is only looked at for sense.
fn listen(line: Line<'_>, info: &mut Vec<u8>, garbage: &mut Garbage) -> Option<String> {
    let text = match line {
        Line::Text(text) => text.trim_ascii(),
        Line::Overlong => {
            garbage.add("(a line without an end)");
            return None;
        }
    };
    if text.starts_with(b"info") {
        garbage.sense = true;
        if is_score(text) {
            info.clear();
            info.extend_from_slice(text);
        }
    } else if text.starts_with(b"bestmove") {
        return Some(String::from_utf8_lossy(text).into_owned());
    } else if !text.is_empty() {
        let text = String::from_utf8_lossy(text);
        match Reply::parse(&text) {
            Ok(Reply::Text(_)) | Err(_) => garbage.add(&text),
            Ok(_) => garbage.sense = true,
        }
    }
    None
}

/// Whether an `info` line tells a score of the best line: not a remark, nor that of a second-best one.
fn is_score(text: &[u8]) -> bool {
    let mut words = text.split(|byte| byte.is_ascii_whitespace());
    let mut scored = false;
    while let Some(word) = words.next() {
        match word {
            b"string" => return false,
            b"multipv" if words.next() != Some(b"1") => return false,
            b"score" => scored = true,
            b"pv" => break,
            _ => {}
        }
    }
    scored
}

/// Whether the referee was suspended since the start, which is then put where it was resumed: how long the engine has
/// thought before, nobody knows.
pub(super) fn was_suspended(start: &mut Instant, stop: &Stop) -> bool {
    thread::sleep(NOTICE);
    stop.resumed_after(*start).map(|resumed| *start = resumed).is_some()
}

/// The move of a `bestmove` line, and the answer that is expected to it.
fn best_move(said: &str) -> Result<(Move, Option<Move>), EngineError> {
    match Reply::parse(said) {
        Ok(Reply::BestMove { best: Some(best), ponder }) => Ok((best, ponder)),
        _ => Err(EngineError::NoMove(clipped(said))),
    }
}

/// What a message repeats of a line.
fn clipped(text: &str) -> String {
    let mut shown: String = text.chars().take(40).flat_map(char::escape_debug).collect();
    if text.chars().nth(40).is_some() {
        shown.push('…');
    }
    shown
}
