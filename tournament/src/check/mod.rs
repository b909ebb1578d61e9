//! `referee check ENGINE`: does an engine keep the protocol?
//!
//! Each check talks to a process of its own, so that one that hangs or dies spoils nothing else, and each goes as far as
//! the engine lets it: all faults are reported, with the lines that led to them. What an engine answers is judged by
//! the referee's own board and clock. A fault breaks the protocol or loses games; a remark is worth knowing.

mod board;
mod endings;
mod greeting;
mod hostile;
mod limits;
mod play;
mod probe;
mod searching;
mod show;

pub use show::{json, latest, text};

use crate::engine::{EngineSpec, Stop, Supervisor, TranscriptLine};
use kroo::game::Variant;
use probe::CheckSession;
use std::sync::Arc;
use std::time::Duration;

/// What is to be checked, and how patiently.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckOptions {
    /// The engine.
    pub spec: EngineSpec,
    /// The rule set of an engine that offers no choice.
    pub variant: Variant,
    /// Random games a rule set.
    pub games: u32,
    /// Moves of a random game that are looked at.
    pub max_moves: usize,
    /// Where the random moves begin.
    pub seed: u64,
    /// How late an answer may be.
    pub margin: Duration,
    /// How long an answer may take that needs no time.
    pub patience: Duration,
    /// Whether the report is for a program.
    pub json: bool,
}

/// The kinds of fault, as they stand in the report for programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum FindingKind {
    /// It cannot be started.
    NotStarted,
    /// No `uciok`.
    NoUciok,
    /// No `readyok`.
    NoReadyok,
    /// No `bestmove`.
    NoAnswer,
    /// It exits, or closes its output, while it is needed.
    Crash,
    /// A move that the rules do not allow.
    IllegalMove,
    /// A `bestmove` that is no move, or `0000` where there is one.
    NoMove,
    /// An answer after the time.
    Late,
    /// An answer before `stop` where it was to wait.
    EarlyAnswer,
    /// More answers than questions.
    ExtraAnswer,
    /// More depth or nodes than allowed.
    LimitExceeded,
    /// Text that the protocol does not know, in place of an answer.
    Garbage,
    /// Far more lines than anybody can read.
    Flood,
    /// A line longer than any line of the protocol.
    LongLine,
    /// An empty line, at which some programs stop reading.
    EmptyLine,
    /// A line of the protocol that is malformed.
    Malformed,
    /// A line of play that cannot be played.
    IllegalLine,
    /// The wrong answer in a position where the game is over.
    FinishedPosition,
    /// It does not exit at `quit`.
    NoExitAtQuit,
    /// It does not exit at the end of its input.
    NoExitAtEnd,
    /// It exits with an error.
    ExitStatus,
    /// Processes that it has started outlive it.
    ChildrenLeft,
    /// It works when nobody has asked for anything.
    BusyWhenIdle,
    /// It talks when nobody has asked for anything.
    TalksWhenIdle,
}

/// A fault, or a remark.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The check that has found it.
    pub check: String,
    /// The kind.
    pub kind: FindingKind,
    /// What happened, in words.
    pub problem: String,
    /// The lines that led to it.
    pub transcript: Vec<TranscriptLine>,
    /// How often the same was found in this check; the transcript is the first one's.
    pub times: u32,
    /// Whether it is only worth knowing.
    pub remark: bool,
}

/// A check and how it went.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckRecord {
    /// Its name.
    pub name: String,
    /// Whether it could be carried out.
    pub done: bool,
}

/// Everything that was found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Findings {
    /// What the engine calls itself.
    pub name: Option<String>,
    /// The rule sets that it offers.
    pub variants: Vec<Variant>,
    /// Whether it has an option Ponder, as an engine has that may be asked to.
    pub ponders: bool,
    /// All checks, in order.
    pub checks: Vec<CheckRecord>,
    /// What they have found, in order.
    pub findings: Vec<Finding>,
}

impl Findings {
    /// The faults, without the remarks.
    pub fn faults(&self) -> impl Iterator<Item = &Finding> {
        self.findings.iter().filter(|finding| !finding.remark)
    }

    /// Whether there is no fault, and nothing was left out.
    #[must_use]
    pub fn passed(&self) -> bool {
        self.faults().next().is_none() && self.checks.iter().all(|check| check.done)
    }
}

/// Why a check ends before its end: what had to be said is said.
pub(crate) struct CheckAborted;

/// A check goes on, or it does not.
type CheckResult<T = ()> = Result<T, CheckAborted>;

/// A check's name and what it does.
type Check = (&'static str, fn(&mut CheckSession<'_>) -> CheckResult);

/// Those that do not depend on the rules, after the handshake.
const CHECKS: [Check; 10] = [
    ("options", greeting::options),
    ("new games", greeting::new_games),
    ("limits", limits::limits),
    ("clocks", limits::clocks),
    ("stop", searching::stop),
    ("isready while searching", searching::ready),
    ("ponder", searching::ponder),
    ("malformed input", hostile::malformed),
    ("illegal input", hostile::illegal),
    ("silence when idle", searching::idle),
];

/// How an engine is to end.
const ENDINGS: [Check; 4] = [
    ("quit", endings::quit),
    ("quit while searching", endings::quit_searching),
    ("end of input", endings::end_of_input),
    ("end of input while searching", endings::end_of_input_searching),
];

/// Checks an engine; `tell` hears of each check when it is over.
pub fn check(
    order: &CheckOptions,
    supervisor: &Arc<Supervisor>,
    stop: &Stop,
    tell: &mut dyn FnMut(&Findings),
) -> Findings {
    let mut findings = Findings::default();
    let mut carry_out = |name: &str,
                         variant: Option<Variant>,
                         findings: &mut Findings,
                         check: fn(&mut CheckSession<'_>) -> CheckResult| {
        let started = CheckSession::start(name, order, variant, supervisor, stop, findings);
        let done = started.is_ok_and(|mut probe| {
            // What breaks a check off is a finding already.
            let _ = check(&mut probe);
            true
        });
        findings.checks.push(CheckRecord { name: name.to_owned(), done: done && !stop.is_set() });
        tell(findings);
    };
    carry_out("handshake", None, &mut findings, greeting::handshake);
    if findings.name.is_some() {
        for (name, check) in CHECKS {
            carry_out(name, None, &mut findings, check);
        }
        let offered =
            if findings.variants.is_empty() { vec![order.variant] } else { findings.variants.clone() };
        for variant in offered {
            carry_out(&format!("legality, {variant}"), Some(variant), &mut findings, play::legality);
            carry_out(&format!("finished games, {variant}"), Some(variant), &mut findings, play::finished);
        }
    }
    for (name, check) in ENDINGS {
        carry_out(name, None, &mut findings, check);
    }
    findings
}
