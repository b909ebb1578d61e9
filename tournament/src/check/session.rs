//! A conversation with an engine that is being checked: every line is looked at, and everything wrong is noted.

use super::finding::{Finding, FindingKind, Findings};
use super::options::CheckOptions;
use crate::engine::{
    Connection, EngineError, EngineSpec, LastWords, Line, PipeError, Question, Stop, Supervisor,
};
use kroo::game::{Move, Variant};
use kroo::printable::clipped;
use kroo::protocol::{Command, Dialect, Info, Reply};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Lines in answer to one question that are not yet a flood.
const FLOOD: u32 = 2_000;
/// Findings of one kind that a check tells apart; the rest only counts.
const MAX_ALIKE: usize = 3;
/// `info` lines that are kept of a search.
const MAX_INFOS: usize = 1_000;
/// How long an engine may take to read what it is sent.
const SEND_TIMEOUT: Duration = Duration::from_secs(2);
/// Characters of an engine's line in a message.
pub(super) const CLIPPED: usize = 60;

/// The check cannot go on. The reason has been noted as a finding.
pub(super) struct CheckAborted;

/// The result of a step of a check.
pub(super) type CheckResult<T = ()> = Result<T, CheckAborted>;

/// An engine that is being checked.
pub(super) struct CheckSession<'a> {
    pub options: &'a CheckOptions,
    pub spec: &'a EngineSpec,
    /// The rule set that was sent to the engine.
    pub variant: Variant,
    pub connection: Connection,
    pub findings: &'a mut Findings,
    check: String,
    /// Lines since the last question.
    lines: u32,
    /// A flood has been reported in this check.
    flooded: bool,
    /// The engine has written a line in this check.
    wrote: bool,
}

/// An engine's answer to `go`.
pub(super) struct ObservedSearch {
    /// The move; `None` for `0000`.
    pub best: Option<Move>,
    /// The move it would ponder on.
    pub ponder: Option<Move>,
    /// The time from the question to the answer.
    pub elapsed: Duration,
    /// The `info` lines before the answer.
    pub infos: Vec<Info>,
}

impl<'a> CheckSession<'a> {
    /// Starts the engine and, if it has passed the handshake, makes it ready.
    pub fn start(
        check: &str,
        (options, spec): (&'a CheckOptions, &'a EngineSpec),
        variant: Option<Variant>,
        supervisor: &Arc<Supervisor>,
        stop: &Stop,
        findings: &'a mut Findings,
    ) -> CheckResult<CheckSession<'a>> {
        let check = check.to_owned();
        let connection = match Connection::open(spec, supervisor, stop) {
            Ok(connection) => connection,
            Err(error) => {
                let problem = EngineError::at_start(&spec.command, error).to_string();
                let (kind, transcript) = (FindingKind::NotStarted, Vec::new());
                findings.findings.push(Finding { check, kind, problem, transcript, times: 1, remark: false });
                return Err(CheckAborted);
            }
        };
        let variant = variant.or(findings.variant).unwrap_or(options.variant);
        // One that did not introduce itself in the handshake would be waited for in vain.
        let was_ready = findings.name.is_some();
        let (lines, flooded, wrote) = (0, false, false);
        let mut session =
            CheckSession { options, spec, variant, connection, findings, check, lines, flooded, wrote };
        if was_ready {
            session.make_ready()?;
        }
        Ok(session)
    }

    /// The protocol that is checked.
    pub fn protocol(&self) -> Dialect {
        self.spec.protocol
    }

    /// Sends a command in the words of the protocol.
    pub fn send_command(&mut self, command: &Command) -> CheckResult {
        self.send(&self.protocol().write(command).to_string())
    }

    /// Notes a fault, with the lines before it.
    pub fn fault(&mut self, kind: FindingKind, problem: impl Into<String>) {
        self.note(kind, problem.into(), false);
    }

    /// Notes something that is no fault.
    pub fn remark(&mut self, kind: FindingKind, problem: impl Into<String>) {
        self.note(kind, problem.into(), true);
    }

    fn note(&mut self, kind: FindingKind, problem: String, remark: bool) {
        let alike =
            |found: &&mut Finding| found.check == self.check && found.kind == kind && found.remark == remark;
        let mut same: Vec<&mut Finding> = self.findings.findings.iter_mut().filter(alike).collect();
        if let Some(found) = same.iter_mut().find(|found| found.problem == problem) {
            found.times += 1;
            return;
        }
        if same.len() >= MAX_ALIKE {
            if let Some(last) = same.last_mut() {
                last.times += 1;
            }
            return;
        }
        let (check, transcript) = (self.check.clone(), self.connection.transcript());
        self.findings.findings.push(Finding { check, kind, problem, transcript, times: 1, remark });
    }

    /// Notes a fault after which the check cannot go on. The engine is killed, so that its standard error is complete: it may
    /// have said there what is wrong.
    pub fn abort<T>(&mut self, kind: FindingKind, problem: impl Into<String>) -> CheckResult<T> {
        let words = LastWords { lines: Vec::new(), ..self.connection.last_words() };
        self.fault(kind, problem.into() + &words.brief());
        Err(CheckAborted)
    }

    pub fn send(&mut self, line: &str) -> CheckResult {
        self.send_bytes(format!("{line}\n").as_bytes())
    }

    /// Sends bytes as they are.
    pub fn send_bytes(&mut self, bytes: &[u8]) -> CheckResult {
        self.lines = 0;
        match self.connection.send(bytes, Instant::now() + SEND_TIMEOUT) {
            Ok(()) => Ok(()),
            Err(PipeError::TimedOut) => self.abort(FindingKind::NoReadyok, "does not read what it is sent"),
            Err(error) => self.gone(error, "reading what it is sent"),
        }
    }

    fn gone<T>(&mut self, error: PipeError, expected: &str) -> CheckResult<T> {
        if error == PipeError::Stopped {
            return Err(CheckAborted);
        }
        let end = self.connection.end();
        self.abort(FindingKind::Crash, format!("{end}, expected {expected}"))
    }

    /// The next line that is a reply, and when it came; `None` at the deadline.
    pub fn receive(&mut self, deadline: Instant, expected: &str) -> CheckResult<Option<(Reply, Instant)>> {
        let mut question = Question::due(deadline);
        loop {
            let received = self.connection.answer(&mut question, None, |received| {
                let text = match received.line {
                    Line::Text(text) => Some(String::from_utf8_lossy(text).into_owned()),
                    Line::Overlong => None,
                };
                Some((text, received.at))
            });
            let (text, at) = match received {
                Ok(received) => received,
                Err(PipeError::TimedOut) => return Ok(None),
                Err(error) => return self.gone(error, expected),
            };
            self.wrote = true;
            self.lines += 1;
            if self.lines > FLOOD && !self.flooded {
                self.flooded = true;
                let problem = format!("more than {FLOOD} lines where {expected} was expected");
                self.fault(FindingKind::Flood, problem);
            }
            let Some(text) = text else {
                self.fault(FindingKind::LongLine, "a line of more than 64 KiB");
                continue;
            };
            if text.trim().is_empty() {
                self.fault(FindingKind::EmptyLine, "an empty line, at which some programs stop reading");
                continue;
            }
            if let Some(word) = no_move_in_variation(&text) {
                let problem =
                    format!("a principal variation has `{}`, which is no move", clipped(word, CLIPPED));
                self.fault(FindingKind::IllegalLine, problem);
            }
            match Reply::parse(&text) {
                Ok(reply) => return Ok(Some((reply, at))),
                Err(error) if text.trim_start().starts_with("bestmove") => {
                    self.fault(FindingKind::NoMove, format!("`{}`: {error}", clipped(&text, CLIPPED)));
                    return Ok(Some((Reply::BestMove { best: None, ponder: None }, at)));
                }
                Err(error) => {
                    self.fault(FindingKind::Malformed, format!("`{}`: {error}", clipped(&text, CLIPPED)));
                }
            }
        }
    }

    /// Reads replies up to the one that is accepted.
    pub fn await_reply(
        &mut self,
        kind: FindingKind,
        expected: &str,
        within: Duration,
        mut accept: impl FnMut(&Reply) -> bool,
    ) -> CheckResult {
        let deadline = Instant::now() + within;
        let mut garbage = None;
        loop {
            match self.receive(deadline, expected)? {
                Some((reply, _)) if accept(&reply) => return Ok(()),
                Some((Reply::Text(text), _)) => garbage = Some(text.to_string()),
                Some(_) => {}
                None => return self.unanswered(kind, expected, within, garbage),
            }
        }
    }

    fn unanswered<T>(
        &mut self,
        kind: FindingKind,
        expected: &str,
        within: Duration,
        garbage: Option<String>,
    ) -> CheckResult<T> {
        if let Some(text) = garbage {
            let text = clipped(&text, CLIPPED);
            self.fault(FindingKind::Garbage, format!("says `{text}`, which is not in the protocol"));
        }
        let hint =
            if self.wrote { "" } else { ", nor any other line: does it flush its output after every line?" };
        self.abort(kind, format!("no {expected} within {:.3} s{hint}", within.as_secs_f64()))
    }

    /// Has the engine search without a time limit.
    pub fn search(&mut self, go: &str) -> CheckResult<ObservedSearch> {
        self.send(go)?;
        self.await_move(Instant::now(), self.options.answer_timeout)
    }

    /// Waits for the answer to a question that was asked at some time.
    pub fn await_move(&mut self, asked: Instant, within: Duration) -> CheckResult<ObservedSearch> {
        let (mut infos, mut garbage) = (Vec::new(), None);
        loop {
            match self.receive(asked + within, "`bestmove`")? {
                Some((Reply::BestMove { best, ponder }, at)) => {
                    let elapsed = at.saturating_duration_since(asked);
                    return Ok(ObservedSearch { best, ponder, elapsed, infos });
                }
                Some((Reply::Info(info), _))
                    if info.score.is_some() || !info.pv.is_empty() || info.nodes.is_some() =>
                {
                    // The last ones belong to the answer. Half of them go at once, so that a flood costs little.
                    if infos.len() == MAX_INFOS {
                        infos.drain(..MAX_INFOS / 2);
                    }
                    infos.push(info);
                }
                Some((Reply::Text(text), _)) => garbage = Some(text.to_string()),
                Some(_) => {}
                None => return self.unanswered(FindingKind::NoAnswer, "`bestmove`", within, garbage),
            }
        }
    }

    /// Reads for a time; returns the first reply that is not allowed.
    pub fn unexpected_reply(
        &mut self,
        time: Duration,
        expected: &str,
        allowed: impl Fn(&Reply) -> bool,
    ) -> CheckResult<Option<Reply>> {
        let deadline = Instant::now() + time;
        while let Some((reply, _)) = self.receive(deadline, expected)? {
            if !allowed(&reply) {
                return Ok(Some(reply));
            }
        }
        Ok(None)
    }
}

/// The words of an `info` line after which a value follows. They end a principal variation.
const INFO_WORDS: [&str; 12] = [
    "depth",
    "seldepth",
    "multipv",
    "score",
    "nodes",
    "nps",
    "hashfull",
    "tbhits",
    "time",
    "currmove",
    "currmovenumber",
    "string",
];

/// The first word of a principal variation that is not made of letters of pits.
fn no_move_in_variation(line: &str) -> Option<&str> {
    let mut words = line.split_whitespace();
    words.next().filter(|&word| word == "info")?;
    words.by_ref().take_while(|&word| word != "string").find(|&word| word == "pv")?;
    let mut variation = words.take_while(|word| !INFO_WORDS.contains(word));
    variation.find(|word| word.contains(|letter| Move::from_letter(letter).is_none()))
}
