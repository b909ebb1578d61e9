//! A conversation with an engine under suspicion.

use super::{CheckAborted, CheckOptions, CheckResult, Finding, FindingKind, Findings};
use crate::engine::{PipeError, Said, Stop, Supervisor, Wire};
use kroo::game::{Move, Variant};
use kroo::protocol::{Info, Reply};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Lines that somebody could still want to read, of one search.
const FLOOD: u32 = 2_000;
/// Findings of one kind that are told from each other, in one check.
const ALIKE: usize = 3;

/// A process that is being checked.
pub(super) struct CheckSession<'a> {
    pub order: &'a CheckOptions,
    /// The rule set that is played, as the engine was told.
    pub variant: Variant,
    pub wire: Wire,
    pub findings: &'a mut Findings,
    check: String,
    /// Lines since the last question.
    lines: u32,
    /// A flood has been reported.
    flooded: bool,
}

/// What an engine has answered to `go`.
pub(super) struct ObservedSearch {
    /// The move; `None` for `0000`.
    pub best: Option<Move>,
    /// The move it would ponder on.
    pub ponder: Option<Move>,
    /// From the question to the answer.
    pub elapsed: Duration,
    /// What it told meanwhile.
    pub infos: Vec<Info>,
}

impl<'a> CheckSession<'a> {
    /// Starts the engine; for any check but the handshake it is made ready.
    pub fn start(
        check: &str,
        order: &'a CheckOptions,
        variant: Option<Variant>,
        supervisor: &Arc<Supervisor>,
        stop: &Stop,
        findings: &'a mut Findings,
    ) -> CheckResult<CheckSession<'a>> {
        let wire = match Wire::start(&order.spec, supervisor, stop) {
            Ok(wire) => wire,
            Err(error) => {
                let (check, problem) = (check.to_owned(), format!("could not be started: {error}"));
                let (kind, transcript) = (FindingKind::NotStarted, Vec::new());
                findings.findings.push(Finding { check, kind, problem, transcript, times: 1, remark: false });
                return Err(CheckAborted);
            }
        };
        let check = check.to_owned();
        let offered = findings.variants.contains(&variant.unwrap_or(order.variant));
        let played = variant.unwrap_or(order.variant);
        let mut probe =
            CheckSession { order, variant: played, wire, findings, check, lines: 0, flooded: false };
        if probe.check != "handshake" {
            probe.make_ready(offered)?;
        }
        Ok(probe)
    }

    fn make_ready(&mut self, offered: bool) -> CheckResult {
        self.send("uci")?;
        let startup = self.order.spec.startup;
        self.until(FindingKind::NoUciok, "`uciok`", startup, |reply| matches!(reply, Reply::UciOk))?;
        if offered {
            self.send(&format!("setoption name UCI_Variant value {}", self.variant))?;
        }
        let options = self.order.spec.options.clone();
        options
            .iter()
            .try_for_each(|(name, value)| self.send(&format!("setoption name {name} value {value}")))?;
        self.send("ucinewgame")?;
        self.ready()
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
        if same.len() >= ALIKE {
            if let Some(last) = same.last_mut() {
                last.times += 1;
            }
            return;
        }
        let transcript = self.wire.transcript();
        self.findings.findings.push(Finding {
            check: self.check.clone(),
            kind,
            problem,
            transcript,
            times: 1,
            remark,
        });
    }

    /// Notes a fault after which there is nothing to talk to.
    pub fn broken<T>(&mut self, kind: FindingKind, problem: impl Into<String>) -> CheckResult<T> {
        self.fault(kind, problem);
        Err(CheckAborted)
    }

    /// Sends a line.
    pub fn send(&mut self, line: &str) -> CheckResult {
        self.send_bytes(format!("{line}\n").as_bytes())
    }

    /// Sends bytes as they are.
    pub fn send_bytes(&mut self, bytes: &[u8]) -> CheckResult {
        self.lines = 0;
        match self.wire.send(bytes) {
            Ok(()) => Ok(()),
            Err(PipeError::TimedOut) => self.broken(FindingKind::NoReadyok, "does not read what it is sent"),
            Err(silence) => self.gone(silence, "reading"),
        }
    }

    /// The process is no more.
    fn gone<T>(&mut self, silence: PipeError, doing: &str) -> CheckResult<T> {
        if silence == PipeError::Stopped {
            return Err(CheckAborted);
        }
        let end = self.wire.obituary();
        self.broken(FindingKind::Crash, format!("{end} in place of {doing}"))
    }

    /// The next line that means something, and when it came; `None` at the deadline.
    pub fn hear(&mut self, deadline: Instant, expected: &str) -> CheckResult<Option<(Reply, Instant)>> {
        loop {
            let Said { text, at } = match self.wire.receive(deadline) {
                Ok(said) => said,
                Err(PipeError::TimedOut) => return Ok(None),
                Err(silence) => return self.gone(silence, expected),
            };
            self.lines += 1;
            if self.lines > FLOOD && !self.flooded {
                self.flooded = true;
                self.fault(
                    FindingKind::Flood,
                    format!("more than {FLOOD} lines where {expected} was expected"),
                );
            }
            let Some(text) = text else {
                self.fault(FindingKind::LongLine, "a line of more than 64 KiB");
                continue;
            };
            if text.trim().is_empty() {
                self.fault(FindingKind::EmptyLine, "an empty line, at which some programs stop reading");
                continue;
            }
            match Reply::parse(&text) {
                Ok(reply) => return Ok(Some((reply, at))),
                Err(error) if text.trim_start().starts_with("bestmove") => {
                    self.fault(FindingKind::NoMove, format!("`{}`: {error}", clipped(&text)));
                    return Ok(Some((Reply::BestMove { best: None, ponder: None }, at)));
                }
                Err(error) => self.fault(FindingKind::Malformed, format!("`{}`: {error}", clipped(&text))),
            }
        }
    }

    /// Waits for a reply; what comes before is passed over.
    pub fn until(
        &mut self,
        kind: FindingKind,
        expected: &str,
        within: Duration,
        mut is_it: impl FnMut(&Reply) -> bool,
    ) -> CheckResult {
        let deadline = Instant::now() + within;
        let mut garbage = None;
        loop {
            match self.hear(deadline, expected)? {
                Some((reply, _)) if is_it(&reply) => return Ok(()),
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
            self.fault(
                FindingKind::Garbage,
                format!("says `{}`, which is not in the protocol", clipped(&text)),
            );
        }
        self.broken(kind, format!("no {expected} within {:.3} s", within.as_secs_f64()))
    }

    /// Waits until the engine is ready.
    pub fn ready(&mut self) -> CheckResult {
        self.send("isready")?;
        let startup = self.order.spec.startup;
        self.until(FindingKind::NoReadyok, "`readyok`", startup, |reply| *reply == Reply::ReadyOk)
    }

    /// Asks for a move that needs no time.
    pub fn go(&mut self, go: &str) -> CheckResult<ObservedSearch> {
        self.send(go)?;
        self.answer(Instant::now(), self.order.patience)
    }

    /// Waits for the answer to a question asked at a time.
    pub fn answer(&mut self, asked: Instant, within: Duration) -> CheckResult<ObservedSearch> {
        let (mut infos, mut garbage) = (Vec::new(), None);
        loop {
            match self.hear(asked + within, "`bestmove`")? {
                Some((Reply::BestMove { best, ponder }, at)) => {
                    let elapsed = at.saturating_duration_since(asked);
                    return Ok(ObservedSearch { best, ponder, elapsed, infos });
                }
                Some((Reply::Info(info), _))
                    if info.score.is_some() || !info.pv.is_empty() || info.nodes.is_some() =>
                {
                    infos.push(info);
                    infos.truncate(1_000);
                }
                Some((Reply::Text(text), _)) => garbage = Some(text.to_string()),
                Some(_) => {}
                None => return self.unanswered(FindingKind::NoAnswer, "`bestmove`", within, garbage),
            }
        }
    }

    /// Makes sure that nothing, or no `bestmove`, is said for a time; says whether it was so.
    pub fn is_silent(
        &mut self,
        time: Duration,
        about: &str,
        allowed: impl Fn(&Reply) -> bool,
    ) -> CheckResult<Option<Reply>> {
        let deadline = Instant::now() + time;
        while let Some((reply, _)) = self.hear(deadline, about)? {
            if !allowed(&reply) {
                return Ok(Some(reply));
            }
        }
        Ok(None)
    }
}

/// What a message repeats of a line.
pub(super) fn clipped(text: &str) -> String {
    let mut shown: String = text.chars().take(60).flat_map(char::escape_debug).collect();
    if text.chars().nth(60).is_some() {
        shown.push('…');
    }
    shown
}
