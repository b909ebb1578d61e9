//! A conversation with an engine that is being checked. Match and check speak through the same [`Connection`]; this one looks
//! at every line, and notes everything wrong.

use super::finding::{Finding, FindingKind, Findings};
use super::options::CheckOptions;
use crate::engine::{
    Connection, EngineError, EngineSpec, Introduction, LastWords, Line, PipeError, Stop, Supervisor,
    complaint, position_of, rules_to_set,
};
use kroo::game::{Game, Move, Variant};
use kroo::printable::clipped;
use kroo::protocol::{Command, Dialect, Info, Reply};
use std::sync::Arc;
use std::time::Duration;

/// Lines in answer to one question that are not yet a flood.
const FLOOD: u32 = 2_000;
/// Findings of one kind that a check tells apart; the rest only counts.
const MAX_ALIKE: usize = 3;
/// `info` lines that are kept of a search.
const MAX_INFOS: usize = 1_000;
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

    /// Sets the rule set and the options of the command line.
    fn make_ready(&mut self) -> CheckResult {
        let declared = self.introduction()?.options;
        // The handshake has chosen a rule set that can be set.
        let rules = rules_to_set(&declared, self.variant).unwrap_or_default();
        if !rules.is_empty() {
            let lines: String = rules.iter().map(|command| self.line(command)).collect();
            let mut refusal = None;
            self.await_ready(lines.as_bytes(), |reply| {
                refusal = refusal.take().or_else(|| complaint(reply))
            })?;
            if let Some(refusal) = refusal {
                let (variant, refusal) = (self.variant, clipped(&refusal, CLIPPED));
                let problem = format!("refuses the rule set {variant}, which it declares: `{refusal}`");
                return self.abort(FindingKind::RuleSetRefused, problem);
            }
        }
        let options = self.spec.options.iter();
        let options: String =
            options.map(|(name, value)| format!("setoption name {name} value {value}\n")).collect();
        self.ready(&(options + &self.line(&Command::NewGame)))
    }

    /// The protocol that is checked.
    pub fn protocol(&self) -> Dialect {
        self.spec.protocol
    }

    /// A command as a line of the protocol.
    pub fn line(&self, command: &Command) -> String {
        format!("{}\n", self.protocol().write(command))
    }

    /// A line of UCI, without its end, in the words of the protocol.
    pub fn in_its_words(&self, line: &str) -> String {
        match Command::parse(line) {
            Ok(Some(command)) => self.protocol().write(&command).to_string(),
            _ => line.to_owned(),
        }
    }

    /// The line that shows a game.
    pub fn position(&self, game: &Game) -> String {
        self.line(&Command::Position(position_of(game)))
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
        let is_known = same.iter().position(|found| found.problem == problem);
        if let Some(known) = is_known.or_else(|| (same.len() >= MAX_ALIKE).then(|| same.len() - 1)) {
            same[known].times += 1;
            return;
        }
        let (check, transcript) = (self.check.clone(), self.connection.transcript());
        self.findings.findings.push(Finding { check, kind, problem, transcript, times: 1, remark });
    }

    /// Records a fault that ends the check. The engine is killed, which completes its standard error: it may explain the fault
    /// there.
    pub fn abort<T>(&mut self, kind: FindingKind, problem: impl Into<String>) -> CheckResult<T> {
        let errors = self.errors();
        self.fault(kind, problem.into() + &errors);
        Err(CheckAborted)
    }

    /// Kills the engine; returns the end of its standard error, for a message.
    pub fn errors(&mut self) -> String {
        LastWords { lines: Vec::new(), ..self.connection.last_words() }.brief()
    }

    /// Notes that the engine has ended, or closed a pipe, while something else was expected.
    pub fn gone<T>(&mut self, expected: &str) -> CheckResult<T> {
        let end = self.connection.end();
        self.abort(FindingKind::Crash, format!("{end}, expected {expected}"))
    }

    /// Sends bytes, and reads replies up to the one that is accepted; `None` if none is in time. Every line is looked at.
    pub fn hear<T>(
        &mut self,
        bytes: &[u8],
        (expected, within): (&str, Duration),
        mut accept: impl FnMut(Reply, Duration) -> Option<T>,
    ) -> CheckResult<Option<T>> {
        self.lines = 0;
        let mut question = self.connection.ask(bytes, within);
        loop {
            let heard = self.connection.answer(&mut question, None, |received| {
                let text = match received.line {
                    Line::Text(text) => Some(String::from_utf8_lossy(text).into_owned()),
                    Line::Overlong => None,
                };
                Some((text, received.at))
            });
            match heard {
                Ok((text, at)) => {
                    let after = at.saturating_duration_since(question.asked);
                    let accepted = self.look(text, expected).and_then(|reply| accept(reply, after));
                    if accepted.is_some() {
                        return Ok(accepted);
                    }
                }
                Err(PipeError::TimedOut) if question.is_sent() => return Ok(None),
                Err(PipeError::TimedOut) => {
                    return self.abort(FindingKind::NoReadyok, "does not read what it is sent");
                }
                Err(PipeError::Stopped) => return Err(CheckAborted),
                Err(PipeError::Closed | PipeError::Aside) => return self.gone(expected),
            }
        }
    }

    /// Examines a line; `None` stands for an overlong one. Returns its reply.
    fn look(&mut self, text: Option<String>, expected: &str) -> Option<Reply> {
        self.wrote = true;
        self.lines += 1;
        if self.lines > FLOOD && !self.flooded {
            self.flooded = true;
            self.fault(FindingKind::Flood, format!("more than {FLOOD} lines where {expected} was expected"));
        }
        let Some(text) = text else {
            self.fault(FindingKind::LongLine, "a line of more than 64 KiB");
            return None;
        };
        if text.trim().is_empty() {
            self.fault(FindingKind::EmptyLine, "an empty line, at which some programs stop reading");
            return None;
        }
        if let Some(word) = no_move_in_variation(&text) {
            let word = clipped(word, CLIPPED);
            let problem = format!("a principal variation has `{word}`, which is no move");
            self.fault(FindingKind::IllegalLine, problem);
        }
        let problem = match Reply::parse(&text) {
            Ok(reply) => return Some(reply),
            Err(error) => format!("`{}`: {error}", clipped(&text, CLIPPED)),
        };
        let is_answer = text.trim_start().starts_with("bestmove");
        self.fault(if is_answer { FindingKind::NoMove } else { FindingKind::Malformed }, problem);
        is_answer.then_some(Reply::BestMove { best: None, ponder: None })
    }

    /// The same as [`CheckSession::hear`], but a reply must be accepted: `kind` is the fault if none is.
    pub fn expect<T>(
        &mut self,
        bytes: &[u8],
        (kind, expected, within): (FindingKind, &str, Duration),
        mut accept: impl FnMut(&Reply, Duration) -> Option<T>,
    ) -> CheckResult<T> {
        let mut garbage = None;
        let heard = self.hear(bytes, (expected, within), |reply, after| {
            let accepted = accept(&reply, after);
            if let (None, Reply::Text(text)) = (&accepted, &reply) {
                garbage = Some(clipped(text.as_str(), CLIPPED));
            }
            accepted
        })?;
        if let Some(accepted) = heard {
            return Ok(accepted);
        }
        if let Some(text) = garbage {
            self.fault(FindingKind::Garbage, format!("says `{text}`, which is not in the protocol"));
        }
        let hint =
            if self.wrote { "" } else { ", nor any other line: does it flush its output after every line?" };
        self.abort(kind, format!("no {expected} within {:.3} s{hint}", within.as_secs_f64()))
    }

    /// Sends bytes, and reads for a time; returns the first reply that is not allowed.
    pub fn unexpected_reply(
        &mut self,
        bytes: &[u8],
        within: (&str, Duration),
        allowed: impl Fn(&Reply) -> bool,
    ) -> CheckResult<Option<Reply>> {
        self.hear(bytes, within, |reply, _| Some(reply).filter(|reply| !allowed(reply)))
    }

    /// Sends `uci` or `ugi`, and reads the engine's introduction.
    pub fn introduction(&mut self) -> CheckResult<Introduction> {
        let hello = self.line(&self.protocol().hello());
        let mut introduction = Introduction::default();
        let expected = format!("`{}`", self.protocol().hello_ok());
        let expected = (FindingKind::NoUciok, expected.as_str(), self.spec.startup);
        self.expect(hello.as_bytes(), expected, |reply, _| introduction.add(reply).then_some(()))?;
        Ok(introduction)
    }

    /// Sends lines, and waits until the engine is ready, which it says once.
    pub fn ready(&mut self, lines: &str) -> CheckResult {
        self.await_ready(lines.as_bytes(), |_| {})?;
        // A second one that comes together with the first would answer the next question.
        let other = |reply: &Reply| *reply != Reply::ReadyOk;
        if self.unexpected_reply(b"", ("nothing", Duration::ZERO), other)?.is_some() {
            self.fault(FindingKind::ExtraAnswer, "says `readyok` twice to one `isready`");
        }
        Ok(())
    }

    /// Sends bytes, and reads up to `readyok`; the replies before it are looked at.
    pub fn await_ready(&mut self, bytes: &[u8], mut look: impl FnMut(&Reply)) -> CheckResult {
        let expected = (FindingKind::NoReadyok, "`readyok`", self.spec.startup);
        self.expect(&[bytes, b"isready\n"].concat(), expected, |reply, _| match reply {
            Reply::ReadyOk => Some(()),
            reply => {
                look(reply);
                None
            }
        })
    }

    /// Sends lines, the last of which makes the engine search or end its search, and waits for the answer.
    pub fn await_move(&mut self, lines: &str, within: Duration) -> CheckResult<ObservedSearch> {
        let mut infos = Vec::new();
        let expected = (FindingKind::NoAnswer, "`bestmove`", within);
        let (best, ponder, elapsed) =
            self.expect(lines.as_bytes(), expected, |reply, after| match reply {
                Reply::BestMove { best, ponder } => Some((*best, *ponder, after)),
                Reply::Info(info) if info.score.is_some() || !info.pv.is_empty() || info.nodes.is_some() => {
                    // The last ones belong to the answer. Half of them are dropped at once, which makes a flood cheap.
                    if infos.len() == MAX_INFOS {
                        infos.drain(..MAX_INFOS / 2);
                    }
                    infos.push(info.clone());
                    None
                }
                _ => None,
            })?;
        Ok(ObservedSearch { best, ponder, elapsed, infos })
    }
}

/// The words of an `info` line that take a value. They end a principal variation.
const INFO_WORDS: &str =
    "depth seldepth multipv score nodes nps hashfull tbhits time currmove currmovenumber string";

/// The first word of a principal variation that is not made of letters of pits.
fn no_move_in_variation(line: &str) -> Option<&str> {
    let mut words = line.split_whitespace();
    words.next().filter(|&word| word == "info")?;
    words.by_ref().take_while(|&word| word != "string").find(|&word| word == "pv")?;
    let mut variation = words.take_while(|word| !INFO_WORDS.split(' ').any(|info| info == *word));
    variation.find(|word| word.contains(|letter| Move::from_letter(letter).is_none()))
}
