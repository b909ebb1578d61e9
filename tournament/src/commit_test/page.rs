//! The page of all tests: the cells of their rows, the last test first, each with the way to its report. Names and messages may
//! come from anywhere, and are texts there.

#![expect(unused_parens, reason = "in a template of horrorshow, an expression in a loop needs them")]

use super::record::TestRecord;
use super::row::{COLUMNS, cells};
use crate::output::percent_encoded;
use horrorshow::html;
use kroo::files::folder_of;
use kroo::ogn::date;
use kroo::printable;
use std::path::Path;
use std::time::{Duration, UNIX_EPOCH};

/// The title of the page.
pub(super) const TITLE: &str = "Tests of changes";

/// The table of a page at a path.
pub(super) fn table(records: &[TestRecord], history: &Path, path: &Path) -> String {
    html! {
        table(id = "tests") {
            tr {
                th : "ended";
                @ for title in (COLUMNS.iter()) { th(class = "name") : title; }
            }
            @ for record in (records.iter().rev()) {
                tr(id = format_args!("t-{}", record.subject.id)) {
                    td {
                        : day(record.ended);
                        @ if let Some(report) = (report(record, history, path)) {
                            : " ";
                            a(href = report) : "report";
                        }
                    }
                    @ for cell in (cells(record).iter()) { td(class = "name") : printable::line(cell).as_ref(); }
                }
            }
        }
    }
    .to_string()
}

/// The day on which a test ended.
fn day(seconds: u64) -> String {
    date(UNIX_EPOCH.checked_add(Duration::from_secs(seconds.min(1 << 40))).unwrap_or(UNIX_EPOCH))
}

/// The way to the report of a test, if there is one, from a page at a path.
fn report(record: &TestRecord, history: &Path, path: &Path) -> Option<String> {
    let report = history.join(&record.subject.id).join("report.html");
    if !report.is_file() {
        return None;
    }
    let folder = std::path::absolute(folder_of(path)).ok()?;
    if folder == history {
        return Some(format!("{}/report.html", record.subject.id));
    }
    Some(format!("file://{}", percent_encoded(report.as_os_str())))
}
