//! An audit as text and as JSON.

use super::count::{AuditCounts, AuditLine};
use super::excluded::{Audit, Excluded};
use super::options::GroupBy;
use crate::output::{SprtStatusJson, verdict};
use crate::plan::MatchPlan;
use crate::tally::Tally;
use kroo::printable;
use serde::Serialize;
use std::fmt::Write;

/// The most groups of a table at the end of a match.
const MAX_LINES: usize = 40;

/// Who has played what, for the end of a match; nothing if it was only one.
#[must_use]
pub fn table(counts: &AuditCounts) -> String {
    if !counts.has_several() {
        return String::new();
    }
    let lines = counts.lines();
    let mut text = String::from("\n");
    let shown: Vec<&AuditLine> = if lines.len() > MAX_LINES {
        let _ = writeln!(text, "Played on {} machines. Outliers:", lines.len());
        lines.iter().filter(|line| line.is_outlier()).collect()
    } else {
        lines.iter().collect()
    };
    if !shown.is_empty() {
        rows(&mut text, counts.by(), &shown);
    }
    remarks(&mut text, counts.by(), &lines);
    if lines.iter().any(AuditLine::is_outlier) {
        text.push_str(
            "All games count. `referee audit JOURNAL --exclude-outliers` shows the verdict without them.\n",
        );
    }
    text
}

/// An audit as text.
#[must_use]
pub fn text(audit: &Audit) -> String {
    let mut text = String::new();
    rows(&mut text, audit.by, &audit.lines.iter().collect::<Vec<_>>());
    remarks(&mut text, audit.by, &audit.lines);
    for Excluded { name, named, games } in &audit.excluded {
        let why = if *named { "as asked" } else { "an outlier" };
        let _ = writeln!(text, "Audit: {}: {games} games are left out ({why})", printable::name(name));
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

fn rows(text: &mut String, by: GroupBy, lines: &[&AuditLine]) {
    let names: Vec<_> = lines.iter().map(|line| printable::name(&line.name)).collect();
    let title = match by {
        GroupBy::Machine => "Machine",
        GroupBy::Worker => "Worker",
        GroupBy::Processor => "Processor",
    };
    let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0).max(title.len());
    let pairs: Vec<String> = lines.iter().map(|line| format!("{:?}", line.pairs)).collect();
    let wide = pairs.iter().map(String::len).max().unwrap_or(0).max("Ptnml(0-2)".len());
    let _ = writeln!(
        text,
        "{title:width$}  Workers   Games   Score  {:wide$}  Chi-square       p  Faults       p",
        "Ptnml(0-2)"
    );
    for ((line, name), pairs) in lines.iter().zip(&names).zip(&pairs) {
        let share = if line.games == 0 { 0.0 } else { 100.0 * line.points / line.games as f64 };
        let chi_square = line
            .chi_square
            .map_or("too few".to_owned(), |found| format!("{:.2} ({})", found.value, found.degrees));
        let (p, of_faults) = (shown(line.probability), shown(line.fault_probability));
        let _ = writeln!(
            text,
            "{name:width$}  {:7} {:7} {share:6.2}%  {pairs:wide$}  {chi_square:>10} {p:>7} {:7} {of_faults:>7}",
            line.workers, line.games, line.faults
        );
    }
    text.push_str(
        "Score: of the first engine of each pairing. p: the probability of such a difference from the others (but for worse outliers)\n\
         by chance, with respect to how many were tested (Holm). In parentheses: the degrees of freedom\n",
    );
}

fn remarks(text: &mut String, by: GroupBy, lines: &[AuditLine]) {
    for line in lines {
        let name = printable::name(&line.name);
        if line.differs() {
            let _ = writeln!(
                text,
                "Audit: {name}: its results differ from those of the others (p {})",
                shown(line.probability)
            );
        }
        if line.has_faults() {
            let _ = writeln!(
                text,
                "Audit: {name}: engines fail there more often than elsewhere: {} of {} games (p {})",
                line.faults,
                line.games,
                shown(line.fault_probability)
            );
        }
    }
    if lines.len() == 2 && lines.iter().any(AuditLine::differs) {
        let _ =
            writeln!(text, "Audit: of two it cannot be told which one is wrong: a third {} would", by.name());
    }
}

fn shown(probability: Option<f64>) -> String {
    match probability {
        None => String::new(),
        Some(probability) if probability < 0.0001 => format!("{probability:.0e}"),
        Some(probability) => format!("{probability:.4}"),
    }
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
