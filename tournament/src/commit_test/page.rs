//! The page of all tests: a table that can be searched, with a place of its own for each test and the way to its report. Names
//! and messages in it are other people's, and are texts there, never anything else.

#![expect(unused_parens, reason = "in a template of horrorshow, an expression in a loop needs them")]

use super::record::{TestRecord, Verdict};
use super::row::{figure, games, llr};
use crate::output::percent_encoded;
use horrorshow::html;
use kroo::files::folder_of;
use kroo::ogn::date;
use kroo::printable;
use std::path::Path;
use std::time::{Duration, UNIX_EPOCH};

/// The title.
pub(super) const TITLE: &str = "Tests of changes";
/// Its style and its script.
pub(super) const STYLE: &str = include_str!("page.css");
pub(super) const SCRIPT: &str = include_str!("page.js");

/// The columns.
const COLUMNS: [&str; 9] =
    ["Ended", "What", "Rule set", "Limit", "Games", "Elo (95 %)", "nElo (95 %)", "LLR", "Verdict"];

/// What the page shows: the tests of a history, the last one first. The page is to stand at a path.
pub(super) fn body(records: &[TestRecord], history: &Path, path: &Path) -> String {
    let mut variants: Vec<&str> = records.iter().map(|record| record.variant.as_str()).collect();
    variants.sort_unstable();
    variants.dedup();
    let verdicts = Verdict::ALL.map(Verdict::name);
    html! {
        h1 : TITLE;
        p(class = "about", id = "shown") : format_args!("{} tests", records.len());
        div(class = "filters") {
            label { : "Rule set "; select(id = "variant") {
                option(value = "") : "all";
                @ for name in (variants.iter()) { option(value = name) : name; }
            } }
            label { : "Verdict "; select(id = "verdict") {
                option(value = "") : "all";
                @ for name in (verdicts.iter()) { option(value = name) : name; }
            } }
            label(class = "words") { : "Words "; input(id = "words", type = "search"); }
        }
        section(class = "card") {
            table(id = "tests") {
                tr {
                    @ for (column, title) in (COLUMNS.iter().enumerate()) {
                        th(class? = (column == 1).then_some("name")) : title;
                    }
                }
                @ for record in (records.iter().rev()) {
                    tr(id = format_args!("t-{}", record.id), data-variant = &record.variant, data-verdict = record.verdict.name()) {
                        td(data-column = COLUMNS[0]) { a(href = format_args!("#t-{}", record.id)) : day(record.ended); }
                        td(class = "name what", data-column = COLUMNS[1]) {
                            : printable::line(&record.name).as_ref();
                            small : commits(record);
                            small : format_args!("{}; {}", record.build, record.openings);
                            small { @ if let Some(report) = (report(record, history, path)) {
                                a(href = report) : "report";
                            } }
                        }
                        @ for (column, cell) in (cells(record).iter().enumerate()) {
                            td(data-column = COLUMNS[column + 2]) : cell;
                        }
                        td(data-column = COLUMNS[8], class = format_args!("verdict {}", record.verdict.name())) {
                            : record.verdict.name();
                            small : record.problem.as_deref().unwrap_or_default();
                            small : record.faults.join(", ");
                        }
                    }
                }
            }
        }
    }
    .to_string()
}

/// The columns with figures.
fn cells(record: &TestRecord) -> [String; 6] {
    let test = record.sprt.as_ref().map(|_| llr(record)).unwrap_or_default();
    let test = test.split(": ").next().unwrap_or_default().to_owned();
    [
        record.variant.clone(),
        record.limits.clone(),
        games(record),
        figure(record.elo),
        figure(record.nelo),
        test,
    ]
}

/// The commits, with what their messages say and their signatures.
fn commits(record: &TestRecord) -> String {
    let bench = |bench: Option<u64>| bench.map(|nodes| format!(", bench {nodes}")).unwrap_or_default();
    let [base, head] = [&record.base, &record.head];
    let text = format!(
        "{}: {} ({}{}) against {} ({}{})",
        record.repository,
        head.short,
        head.subject,
        bench(head.bench),
        base.short,
        base.subject,
        bench(base.bench)
    );
    printable::line(&text).into_owned()
}

/// The day on which a test ended.
fn day(seconds: u64) -> String {
    // A time that the system cannot express is nobody's.
    date(UNIX_EPOCH.checked_add(Duration::from_secs(seconds.min(1 << 40))).unwrap_or(UNIX_EPOCH))
}

/// The way to the report of a test, if there is one, from a page at a path.
fn report(record: &TestRecord, history: &Path, path: &Path) -> Option<String> {
    let report = history.join(&record.id).join("report.html");
    if !report.is_file() {
        return None;
    }
    let folder = std::path::absolute(folder_of(path)).ok()?;
    if folder == history {
        return Some(format!("{}/report.html", record.id));
    }
    Some(format!("file://{}", percent_encoded(report.as_os_str())))
}
