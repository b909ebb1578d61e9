//! The report, for people and for programs.

use super::{CheckOptions, CheckRecord, Finding, FindingKind, Findings};
use crate::engine::TranscriptLine;
use serde::Serialize;

/// A check in one line.
#[must_use]
pub(super) fn line(findings: &Findings, check: &CheckRecord) -> String {
    let of = findings.faults().filter(|finding| finding.check == check.name).count();
    let result = match of {
        _ if !check.done => "not carried out".to_owned(),
        0 => "ok".to_owned(),
        1 => "1 fault".to_owned(),
        faults => format!("{faults} faults"),
    };
    format!("  {:32}{result}", check.name)
}

/// The last check's line, for whoever waits.
#[must_use]
pub fn latest(findings: &Findings) -> String {
    findings.checks.last().map(|check| line(findings, check)).unwrap_or_default()
}

/// Everything that was found, for people; the checks themselves have been listed before.
#[must_use]
pub fn text(findings: &Findings) -> String {
    let mut text = String::new();
    for (remark, word) in [(false, "Fault"), (true, "Remark")] {
        let found = findings.findings.iter().filter(|finding| finding.remark == remark);
        for (number, finding) in (1..).zip(found) {
            text.push_str(&format!("\n{word} {number}: {} ({})", name(finding.kind), finding.check));
            if finding.times > 1 {
                text.push_str(&format!(", {} times", finding.times));
            }
            text.push_str(&format!("\n  {}\n", finding.problem));
            for spoken in &finding.transcript {
                let sign = if spoken.by_engine { '<' } else { '>' };
                text.push_str(&format!("    {:9.3} {sign} {}\n", spoken.at.as_secs_f64(), spoken.text));
            }
        }
    }
    let faults = findings.faults().count();
    let missed = findings.checks.iter().filter(|check| !check.done).count();
    let checks = findings.checks.len();
    text.push_str(&format!(
        "\nResult: {faults} fault{} in {checks} checks",
        if faults == 1 { "" } else { "s" }
    ));
    text.push_str(&if missed > 0 { format!(", {missed} not carried out\n") } else { "\n".to_owned() });
    text
}

/// A kind's name, as in the report for programs.
fn name(kind: FindingKind) -> String {
    serde_json::to_value(kind).ok().and_then(|value| value.as_str().map(str::to_owned)).unwrap_or_default()
}

#[derive(Serialize)]
struct ReportJson<'a> {
    command: String,
    engine: Option<&'a str>,
    variants: Vec<&'static str>,
    passed: bool,
    checks: Vec<CheckJson<'a>>,
    faults: Vec<FindingJson<'a>>,
    remarks: Vec<FindingJson<'a>>,
}

#[derive(Serialize)]
struct CheckJson<'a> {
    name: &'a str,
    done: bool,
    faults: usize,
}

#[derive(Serialize)]
struct FindingJson<'a> {
    check: &'a str,
    kind: FindingKind,
    problem: &'a str,
    times: u32,
    transcript: Vec<SpokenJson<'a>>,
}

#[derive(Serialize)]
struct SpokenJson<'a> {
    time: f64,
    from: &'static str,
    line: &'a str,
}

impl<'a> FindingJson<'a> {
    fn new(finding: &'a Finding) -> FindingJson<'a> {
        let spoken = |spoken: &'a TranscriptLine| SpokenJson {
            time: spoken.at.as_secs_f64(),
            from: if spoken.by_engine { "engine" } else { "referee" },
            line: &spoken.text,
        };
        FindingJson {
            check: &finding.check,
            kind: finding.kind,
            problem: &finding.problem,
            times: finding.times,
            transcript: finding.transcript.iter().map(spoken).collect(),
        }
    }
}

/// Everything that was found, for programs.
#[must_use]
pub fn json(order: &CheckOptions, findings: &Findings) -> String {
    let of = |check: &CheckRecord| findings.faults().filter(|finding| finding.check == check.name).count();
    let remarks = findings.findings.iter().filter(|finding| finding.remark);
    let report = ReportJson {
        command: order.spec.command.display().to_string(),
        engine: findings.name.as_deref(),
        variants: findings.variants.iter().map(|variant| variant.name()).collect(),
        passed: findings.passed(),
        checks: findings
            .checks
            .iter()
            .map(|check| CheckJson { name: &check.name, done: check.done, faults: of(check) })
            .collect(),
        faults: findings.faults().map(FindingJson::new).collect(),
        remarks: remarks.map(FindingJson::new).collect(),
    };
    serde_json::to_string_pretty(&report).expect("numbers and texts can be written")
}
