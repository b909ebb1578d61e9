//! The history, shown.

use super::error::TestError;
use super::history::History;
use super::options::{HistoryOptions, RowForm};
use super::page::{SCRIPT, STYLE, TITLE, body};
use super::row;
use crate::output::{PlainPage, write_page};
use std::io::{self, Write};

/// Prints the history, or writes its page.
///
/// # Errors
/// If it cannot be read or written.
pub fn show_history(options: &HistoryOptions) -> Result<(), TestError> {
    let folder = options.history.path()?;
    let history = History::in_folder(&folder);
    let tests = history.read()?;
    for (line, why) in &tests.unread {
        // If standard error is closed there is nobody to tell.
        let place = history.path().display();
        let _ = writeln!(io::stderr(), "referee: warning: {place}:{line} is left out: {why}");
    }
    if let Some(path) = &options.html {
        let body = body(&tests.records, &folder, path);
        return Ok(write_page(path, &PlainPage { title: TITLE, style: STYLE, body: &body, script: SCRIPT })?);
    }
    let form = if options.json { RowForm::Json } else { RowForm::Markdown };
    let rows = tests.records.iter().map(|record| row::row(record, form));
    let text = row::head(form).to_owned() + &rows.collect::<String>();
    io::stdout().lock().write_all(text.as_bytes()).map_err(TestError::Print)
}
