//! The report, as text and as JSON.

use super::finding::{CheckRun, Finding, FindingKind, Findings, RuleRow};
use crate::engine::EngineSpec;
use kroo::printable::counted;
use serde::Serialize;

/// The line of the last check, to be shown while the next one runs.
pub fn latest(findings: &Findings) -> String {
    let Some(check) = findings.checks.last() else { return String::new() };
    format!("  {:32}{}", check.name, result(check))
}

/// All findings, as text. The checks themselves have been listed before, with [`latest`].
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
            for line in &finding.transcript {
                text.push_str(&format!("    {:9.3} {} {}\n", line.time, line.from.mark(), line.line));
            }
        }
    }
    if !findings.rules.is_empty() {
        let right = findings.rules.iter().filter(|row| row.is_right()).count();
        text.push_str(&format!("\nRules: {right} of {} positions right\n", findings.rules.len()));
    }
    let faults = counted(findings.faults().count() as u64, "fault");
    let skipped = findings.checks.iter().filter(|check| !check.done).count();
    let checks = counted(findings.checks.len() as u64, "check");
    text.push_str(&format!("\nResult: {faults} in {checks}"));
    text.push_str(&if skipped > 0 { format!(", {skipped} not carried out\n") } else { "\n".to_owned() });
    text
}

/// A kind's name in the JSON report.
fn name(kind: FindingKind) -> String {
    serde_json::to_value(kind).ok().and_then(|value| value.as_str().map(str::to_owned)).unwrap_or_default()
}

/// The checks and the positions set up for rules, as tables in Markdown.
pub fn markdown(findings: &Findings) -> String {
    let engine = findings.name.as_deref().unwrap_or("no name");
    let mut text = format!("Engine: {engine}\n\n| check | result |\n|---|---|\n");
    for check in &findings.checks {
        text.push_str(&format!("| {} | {} |\n", check.name, result(check)));
    }
    if !findings.rules.is_empty() {
        text.push_str("\n| rule set | rule | position | expected | found |\n|---|---|---|---|---|\n");
    }
    for row in &findings.rules {
        let RuleRow { variant, rule, position, expected, found } = row;
        let found = if found.is_empty() { "no answer" } else { found };
        let sign = if row.is_right() { "" } else { " ✗" };
        text.push_str(&format!("| {variant} | {rule} | `{position}` | {expected} | {found}{sign} |\n"));
    }
    text
}

fn result(check: &CheckRun) -> String {
    match check.faults as u64 {
        _ if !check.done => "not carried out".to_owned(),
        0 => "ok".to_owned(),
        faults => counted(faults, "fault"),
    }
}

#[derive(Serialize)]
struct ReportJson<'a> {
    command: String,
    engine: Option<&'a str>,
    variants: Vec<&'static str>,
    passed: bool,
    checks: &'a [CheckRun],
    rules: &'a [RuleRow],
    faults: Vec<&'a Finding>,
    remarks: Vec<&'a Finding>,
}

/// All findings, as JSON.
pub fn json(spec: &EngineSpec, findings: &Findings) -> String {
    let remarks = findings.findings.iter().filter(|finding| finding.remark);
    let report = ReportJson {
        command: spec.command.display().to_string(),
        engine: findings.name.as_deref(),
        variants: findings.variants.iter().map(|variant| variant.name()).collect(),
        passed: findings.passed(),
        checks: &findings.checks,
        rules: &findings.rules,
        faults: findings.faults().collect(),
        remarks: remarks.collect(),
    };
    serde_json::to_string_pretty(&report).expect("numbers and texts can be written")
}
