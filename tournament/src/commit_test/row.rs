//! A record as a row of a table.

use super::options::RowForm;
use super::record::{Figure, TestRecord};
use kroo::printable;

/// The columns of tests/bench/experiments.csv without `area`.
const MARKDOWN: &str = "\
| technique | variants | limit | games | Elo ± error, or nodes | LLR | kept? | commit |
|---|---|---|---|---|---|---|---|
";
const CSV: &str = "id,ended,name,base,head,variant,limits,games,wins,draws,losses,ptnml0,ptnml1,ptnml2,ptnml3,ptnml4,\
                   elo,elo_error,nelo,nelo_error,elo0,elo1,model,llr,lower,upper,verdict,bench_base,bench_head\n";

/// What stands above the rows.
pub(super) fn head(form: RowForm) -> &'static str {
    match form {
        RowForm::Markdown => MARKDOWN,
        RowForm::Csv => CSV,
        RowForm::Json => "",
    }
}

/// A row, with its end.
pub(super) fn row(record: &TestRecord, form: RowForm) -> String {
    match form {
        RowForm::Markdown => markdown(record),
        RowForm::Csv => csv(record),
        RowForm::Json => serde_json::to_string(record).unwrap_or_default() + "\n",
    }
}

fn markdown(record: &TestRecord) -> String {
    let cells = [
        record.name.clone(),
        record.variant.clone(),
        record.limits.clone(),
        games(record),
        strength(record),
        llr(record),
        String::new(),
        format!("{}..{}", record.base.short, record.head.short),
    ];
    let cells = cells.map(|cell| {
        let cell = printable::line(&cell).replace('\\', "\\\\").replace('|', "\\|");
        if cell.is_empty() { "| ".to_owned() } else { format!("| {cell} ").replace('<', "&lt;") }
    });
    cells.concat() + "|\n"
}

/// The games, and the pairs by their points.
pub(super) fn games(record: &TestRecord) -> String {
    let TestRecord { games, wins, draws, losses, pairs: [a, b, c, d, e], .. } = record;
    format!("{games} (W {wins}, D {draws}, L {losses}; pairs {a}, {b}, {c}, {d}, {e})")
}

/// Elo, normalised Elo, and the signatures.
pub(super) fn strength(record: &TestRecord) -> String {
    let mut parts = vec![figure(record.elo)];
    if record.nelo.value.is_some() {
        parts.push(format!("nElo {}", figure(record.nelo)));
    }
    match [record.base.bench, record.head.bench] {
        [Some(base), Some(head)] if base == head => parts.push(format!("bench {base} in both")),
        [Some(base), Some(head)] => parts.push(format!("bench {base} → {head}")),
        _ => {}
    }
    parts.join("; ")
}

/// A figure with its interval, or what is known of it.
pub(super) fn figure(figure: Figure) -> String {
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
pub(super) fn llr(record: &TestRecord) -> String {
    let verdict = record.verdict.name();
    let faults = record.faults.iter().map(|fault| format!(", {fault}")).collect::<String>();
    let Some(sprt) = &record.sprt else { return format!("{verdict}{faults}") };
    let bound = if sprt.llr < 0.0 { sprt.lower } else { sprt.upper };
    let numbers = format!("{:.2} of {bound:.2} ({} {}, {})", sprt.llr, sprt.unit, sprt.elo0, sprt.elo1);
    format!("{}: {verdict}{faults}", numbers.replace('-', "−"))
}

fn csv(record: &TestRecord) -> String {
    let number = |value: Option<f64>| value.map(|value| format!("{value:.2}")).unwrap_or_default();
    let count = |value: Option<u64>| value.map(|value| value.to_string()).unwrap_or_default();
    let sprt = record.sprt.as_ref();
    let mut cells = vec![
        record.id.clone(),
        record.ended.to_string(),
        record.name.clone(),
        record.base.commit.clone(),
        record.head.commit.clone(),
        record.variant.clone(),
        record.limits.clone(),
    ];
    cells.extend([record.games, record.wins, record.draws, record.losses].map(|count| count.to_string()));
    cells.extend(record.pairs.map(|count| count.to_string()));
    cells.extend([record.elo.value, record.elo.error, record.nelo.value, record.nelo.error].map(number));
    cells.extend([sprt.map(|sprt| sprt.elo0), sprt.map(|sprt| sprt.elo1)].map(number));
    cells.push(sprt.map(|sprt| sprt.model.clone()).unwrap_or_default());
    cells.extend([sprt.map(|s| s.llr), sprt.map(|s| s.lower), sprt.map(|s| s.upper)].map(number));
    cells.push(record.verdict.name().to_owned());
    cells.extend([record.base.bench, record.head.bench].map(count));
    let quoted = |cell: String| {
        let cell = printable::line(&cell).into_owned();
        let quote = cell.contains([',', '"']);
        if quote { format!("\"{}\"", cell.replace('"', "\"\"")) } else { cell }
    };
    cells.into_iter().map(quoted).collect::<Vec<_>>().join(",") + "\n"
}
