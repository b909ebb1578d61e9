//! A record as a row of a table.

use super::record::{Figure, TestRecord};
use kroo::printable;

/// The titles of a row, in the order of the columns of tests/bench/experiments.csv from the second on.
pub(super) const COLUMNS: [&str; 8] =
    ["technique", "variants", "limit", "games", "Elo ± error, or nodes", "LLR", "kept?", "commit"];

/// The header of a table; JSON has none.
pub(super) fn head(json: bool) -> String {
    match json {
        true => String::new(),
        false => format!("| {} |\n|{}\n", COLUMNS.join(" | "), "---|".repeat(COLUMNS.len())),
    }
}

/// A row of a table of Markdown, or the line of the history.
pub(super) fn row(record: &TestRecord, json: bool) -> String {
    if json { serde_json::to_string(record).unwrap_or_default() + "\n" } else { markdown(record) }
}

/// The cells of a row.
pub(super) fn cells(record: &TestRecord) -> [String; COLUMNS.len()] {
    [
        record.subject.name.clone(),
        record.variant.clone(),
        record.limits.clone(),
        games(record),
        strength(record),
        llr(record),
        String::new(),
        format!("{}..{}", record.subject.base.short, record.subject.head.short),
    ]
}

fn markdown(record: &TestRecord) -> String {
    let cells = cells(record).map(|cell| {
        let cell = printable::line(&cell).replace('\\', "\\\\").replace('|', "\\|");
        if cell.is_empty() { "| ".to_owned() } else { format!("| {cell} ").replace('<', "&lt;") }
    });
    cells.concat() + "|\n"
}

/// The games, and the pairs by their points.
fn games(record: &TestRecord) -> String {
    let TestRecord { games, wins, draws, losses, pairs: [a, b, c, d, e], .. } = record;
    format!("{games} (W {wins}, D {draws}, L {losses}; pairs {a}, {b}, {c}, {d}, {e})")
}

/// Elo, normalised Elo, and the signatures.
fn strength(record: &TestRecord) -> String {
    let mut parts = vec![figure(record.elo)];
    if record.nelo.value.is_some() {
        parts.push(format!("nElo {}", figure(record.nelo)));
    }
    match [record.subject.base.bench, record.subject.head.bench] {
        [Some(base), Some(head)] if base == head => parts.push(format!("bench {base} in both")),
        [Some(base), Some(head)] => parts.push(format!("bench {base} → {head}")),
        _ => {}
    }
    parts.join("; ")
}

/// A figure with its interval, or what is known of it.
fn figure(figure: Figure) -> String {
    let shown = |value: f64| format!("{:+.1}", value + 0.0).replace("-0.0", "0.0").replace('-', "−");
    match figure {
        Figure { value: Some(value), error: Some(error), .. } => format!("{} ± {error:.1}", shown(value)),
        Figure { low: Some(low), high: Some(high), .. } => format!("{} to {}", shown(low), shown(high)),
        Figure { low: Some(low), .. } => format!("over {}", shown(low)),
        Figure { high: Some(high), .. } => format!("below {}", shown(high)),
        _ => "n/a".to_owned(),
    }
}

/// The state of the test, and its verdict.
fn llr(record: &TestRecord) -> String {
    let verdict = record.verdict.name();
    let faults = record.faults.iter().map(|fault| format!(", {fault}")).collect::<String>();
    let Some(sprt) = &record.sprt else { return format!("{verdict}{faults}") };
    let bound = if sprt.llr < 0.0 { sprt.lower } else { sprt.upper };
    let numbers =
        format!("{:.2} of {bound:.2} ({} {}, {})", sprt.llr, sprt.unit, sprt.test.elo0, sprt.test.elo1);
    format!("{}: {verdict}{faults}", numbers.replace('-', "−"))
}
