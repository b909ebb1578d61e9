//! `referee check ENGINE`: does an engine keep the protocol?
//!
//! Each check has its own process, so one that hangs or dies spoils no other check. Each continues as long as the engine allows,
//! and all faults are reported, with the lines that led to them. The referee's own board and clock judge the engine's answers. A
//! fault breaks the protocol or loses games; a remark is only worth knowing.
//!
//! Uses: `engine`, `plan`. Begin with [`check`], which has the list of checks; `session.rs` is the
//! conversation that each of them has, and `trials.rs` has the tables.

mod board;
mod finding;
mod games;
mod handshake;
mod options;
mod report;
mod rules;
mod session;
mod trials;

pub use finding::{CheckRun, Finding, FindingKind, Findings, RuleRow};
pub use options::CheckOptions;
pub use report::{json, latest, markdown, text};
#[doc(hidden)]
pub use rules::positions;

use crate::engine::{EngineSpec, Stop, Supervisor};
use handshake::exits;
use kroo::game::Variant;
use session::{CheckResult, CheckSession};
use std::sync::Arc;

/// A check's name, and the check itself.
type Check = (&'static str, fn(&mut CheckSession<'_>) -> CheckResult);

/// The checks that do not depend on the rule set, after the handshake.
const CHECKS: [Check; 11] = [
    ("options", handshake::options),
    ("new games", handshake::new_games),
    ("limits", |session| trials::timed(session, &trials::LIMITS)),
    ("clocks", |session| trials::timed(session, &trials::CLOCKS)),
    ("scores", board::scores),
    ("stop", trials::stop),
    ("isready while searching", |session| trials::at_start(session, &trials::READY)),
    ("ponder", trials::ponder),
    ("malformed input", trials::malformed),
    ("illegal input", trials::illegal),
    ("silence when idle", trials::idle),
];

/// The check of positions set up for rules, for rule sets that have some.
const RULES: &str = "rules";

/// The checks for each rule set.
const OF_RULES: [Check; 3] =
    [(RULES, rules::rules), ("legality", games::legality), ("finished games", games::finished)];

/// The checks of how an engine exits.
const EXITS: [Check; 4] = [
    ("quit", |session| exits(session, true, false)),
    ("quit while searching", |session| exits(session, true, true)),
    ("end of input", |session| exits(session, false, false)),
    ("end of input while searching", |session| exits(session, false, true)),
];

/// The names of all checks but the handshake, which is always carried out.
pub fn names() -> impl Iterator<Item = &'static str> {
    CHECKS.into_iter().chain(OF_RULES).chain(EXITS).map(|(name, _)| name)
}

/// Checks an engine. `tell` is called after each check.
pub fn check(
    options: &CheckOptions,
    spec: &EngineSpec,
    supervisor: &Arc<Supervisor>,
    stop: &Stop,
    tell: &mut dyn FnMut(&Findings),
) -> Findings {
    let mut findings = Findings::default();
    let mut carry_out = |name: &str,
                         variant: Option<Variant>,
                         findings: &mut Findings,
                         check: fn(&mut CheckSession<'_>) -> CheckResult| {
        let session = CheckSession::start(name, (options, spec), variant, supervisor, stop, findings);
        let done = session.is_ok_and(|mut session| {
            // Whatever ends a check early has been noted as a finding.
            let _ = check(&mut session);
            true
        });
        let faults = findings.faults().filter(|finding| finding.check == name).count();
        findings.checks.push(CheckRun { name: name.to_owned(), done: done && !stop.is_set(), faults });
        tell(findings);
    };
    let is_wanted =
        |check: &Check| options.only.is_empty() || options.only.iter().any(|name| name == check.0);
    carry_out("handshake", None, &mut findings, handshake::handshake);
    if findings.name.is_some() {
        for (name, check) in CHECKS.into_iter().filter(is_wanted) {
            carry_out(name, None, &mut findings, check);
        }
        let mut variants = findings.variants.clone();
        variants.extend(findings.variant.filter(|chosen| !variants.contains(chosen)));
        for variant in variants {
            let is_for = |check: &Check| check.0 != RULES || positions().any(|row| row.variant == variant);
            for (name, check) in OF_RULES.into_iter().filter(is_wanted).filter(is_for) {
                carry_out(&format!("{name}, {variant}"), Some(variant), &mut findings, check);
            }
        }
    }
    let started = !findings.findings.iter().any(|finding| finding.kind == FindingKind::NotStarted);
    // What cannot be started once is reported once.
    for (name, check) in EXITS.into_iter().filter(is_wanted).filter(|_| started) {
        carry_out(name, None, &mut findings, check);
    }
    findings
}
