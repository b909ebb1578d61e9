//! An audit as text and as JSON.

use super::excluded::{Audit, Excluded};
use crate::output::{SprtStatusJson, verdict};
use crate::plan::MatchPlan;
use crate::played_by::{remarks, rows};
use crate::results::Tally;
use kroo::printable;
use kroo::printable::{agreeing, counted};
use serde::Serialize;
use std::fmt::Write;

/// An audit as text.
#[must_use]
pub fn text(audit: &Audit) -> String {
    let mut text = String::new();
    rows(&mut text, audit.by, &audit.lines.iter().collect::<Vec<_>>());
    remarks(&mut text, audit.by, &audit.lines);
    for Excluded { name, named, games } in &audit.excluded {
        let why = if *named { "as asked" } else { "an outlier" };
        let (count, are) = (counted(*games, "game"), agreeing(*games, "is", "are"));
        let _ = writeln!(text, "Audit: {}: {count} {are} left out ({why})", printable::name(name));
    }
    if audit.excluded.is_empty() {
        text.push_str("Audit: no game is left out\n");
    }
    let _ = writeln!(text, "All games: {}", verdict(&audit.all, &audit.plan));
    if let Some(rest) = &audit.rest {
        let _ = writeln!(text, "Without these: {}", verdict(rest, &audit.plan));
    }
    text
}

#[derive(Serialize)]
struct AuditJson<'a> {
    engines: Vec<&'a str>,
    by: &'static str,
    groups: Vec<GroupJson<'a>>,
    excluded: Vec<ExcludedJson<'a>>,
    all: VerdictJson,
    rest: Option<VerdictJson>,
}

/// `null` is what was not tested.
#[derive(Serialize)]
struct GroupJson<'a> {
    name: &'a str,
    workers: usize,
    games: u64,
    points: f64,
    ptnml: [u64; 5],
    faults: u64,
    chi_square: Option<f64>,
    degrees: Option<u32>,
    p: Option<f64>,
    faults_p: Option<f64>,
    outlier: bool,
}

#[derive(Serialize)]
struct ExcludedJson<'a> {
    name: &'a str,
    games: u64,
    /// `asked` or `outlier`.
    why: &'static str,
}

#[derive(Serialize)]
struct VerdictJson {
    games: u64,
    points: Vec<f64>,
    sprt: Option<SprtStatusJson>,
}

impl VerdictJson {
    fn new(tally: &Tally, plan: &MatchPlan) -> VerdictJson {
        let sprt =
            plan.sprt.as_ref().zip(tally.sprt(plan)).map(|(sprt, status)| SprtStatusJson::new(sprt, &status));
        let points = tally.engines().iter().map(|totals| totals.points()).collect();
        VerdictJson { games: tally.games(), points, sprt }
    }
}

/// An audit as JSON: one object, on one line.
#[must_use]
pub fn json(audit: &Audit) -> String {
    let groups = audit.lines.iter().map(|line| GroupJson {
        name: &line.name,
        workers: line.workers,
        games: line.games,
        points: line.points,
        ptnml: line.pairs,
        faults: line.faults,
        chi_square: line.chi_square.map(|found| found.value),
        degrees: line.chi_square.map(|found| found.degrees),
        p: line.probability,
        faults_p: line.fault_probability,
        outlier: line.is_outlier(),
    });
    let excluded = audit.excluded.iter().map(|one| ExcludedJson {
        name: &one.name,
        games: one.games,
        why: if one.named { "asked" } else { "outlier" },
    });
    let document = AuditJson {
        engines: audit.plan.all_names(),
        by: audit.by.name(),
        groups: groups.collect(),
        excluded: excluded.collect(),
        all: VerdictJson::new(&audit.all, &audit.plan),
        rest: audit.rest.as_ref().map(|rest| VerdictJson::new(rest, &audit.plan)),
    };
    serde_json::to_string(&document).expect("numbers and texts can be written")
}
