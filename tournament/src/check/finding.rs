//! The findings of checks.

use crate::engine::SpokenLine;
use kroo::game::Variant;
use serde::Serialize;

/// The kinds of findings, with their names in the JSON report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum FindingKind {
    /// It cannot be started.
    NotStarted,
    /// No `uciok` or `ugiok`.
    NoUciok,
    NoReadyok,
    /// No `response` to `query`.
    NoResponse,
    /// A `response` that the rules contradict.
    WrongResponse,
    /// No `bestmove`.
    NoAnswer,
    /// It exits, or closes its output, while it is needed.
    Crash,
    /// A move that the rules do not allow.
    IllegalMove,
    /// A `bestmove` without a move although there is one, or with something that is not a move.
    NoMove,
    /// An answer after the time limit.
    Late,
    /// An answer before `stop` where the engine had to wait for it.
    EarlyAnswer,
    /// More answers than searches.
    ExtraAnswer,
    /// More depth or nodes than allowed.
    LimitExceeded,
    /// Text that the protocol does not know, instead of an answer.
    Garbage,
    /// Far more lines than a person can read.
    Flood,
    /// A line longer than any line of the protocol.
    LongLine,
    /// An empty line. Some programs stop reading there.
    EmptyLine,
    /// A malformed line of the protocol.
    Malformed,
    /// A principal variation that cannot be played.
    IllegalLine,
    /// A move that is not the first of the last principal variation.
    LineNotPlayed,
    /// A score beyond all seeds of the game.
    ImpossibleScore,
    /// Scores that are not those of the side to move.
    ScoreSide,
    /// It refuses a rule set that it declares.
    RuleSetRefused,
    /// An answer that the rules of the game exclude in a position set up for one of them.
    WrongRule,
    /// Another position after an illegal `position`.
    PositionLost,
    /// Not a word about an illegal `position`.
    SilentError,
    /// Something optional is missing.
    Optional,
    /// A wrong answer in a position where the game is over.
    FinishedPosition,
    /// It does not exit at `quit`.
    NoExitAtQuit,
    /// It does not exit at the end of its input.
    NoExitAtEnd,
    /// It exits with an error.
    ExitStatus,
    /// Processes that it has started outlive it.
    ChildrenLeft,
    /// It uses the processor when it has nothing to do.
    BusyWhenIdle,
    /// It writes lines when it has nothing to do.
    TalksWhenIdle,
}

/// A fault, or a remark. Serialised, both have the types of the JSON report.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Finding {
    /// The name of the check that has found it.
    pub check: String,
    pub kind: FindingKind,
    /// The fault, in words.
    pub problem: String,
    /// How often the check has found it.
    pub times: u32,
    /// The lines that led to it the first time.
    pub transcript: Vec<SpokenLine>,
    /// Whether it is a remark, and not a fault.
    #[serde(skip)]
    pub remark: bool,
}

/// One check, and whether it could be carried out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CheckRun {
    pub name: String,
    /// Whether it could be carried out.
    pub done: bool,
    /// How many faults it has found.
    pub faults: usize,
}

/// A position set up for a rule, and the engine's answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RuleRow {
    /// The rule set, with its optional rules.
    pub variant: String,
    /// The rule, in words.
    pub rule: String,
    /// The words after `position`.
    pub position: String,
    /// The legal moves, or `0000` if the game is over.
    pub expected: String,
    /// The engine's move, `0000`, or nothing if it gave no answer.
    pub found: String,
}

impl RuleRow {
    /// Whether the answer is one of those expected.
    pub fn is_right(&self) -> bool {
        match self.expected.as_str() {
            "0000" => self.found == "0000",
            moves => self.found.len() == 1 && moves.contains(&self.found),
        }
    }
}

/// Everything that was found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Findings {
    /// The engine's `id name`.
    pub name: Option<String>,
    /// The rule sets that it offers.
    pub variants: Vec<Variant>,
    /// The rule set of the checks that are for any.
    pub variant: Option<Variant>,
    /// Whether it has the option Ponder. Only then may it be asked to ponder.
    pub ponders: bool,
    /// Whether it has the option EmptyCapture, an optional rule of kalah.
    pub captures_alone: bool,
    /// The positions set up for rules, in order.
    pub rules: Vec<RuleRow>,
    /// All checks, in order.
    pub checks: Vec<CheckRun>,
    /// The findings, in order.
    pub findings: Vec<Finding>,
}

impl Findings {
    /// The faults, without the remarks.
    pub fn faults(&self) -> impl Iterator<Item = &Finding> {
        self.findings.iter().filter(|finding| !finding.remark)
    }

    /// Whether all checks were carried out and none has found a fault.
    pub fn passed(&self) -> bool {
        self.faults().next().is_none() && self.checks.iter().all(|check| check.done)
    }
}
