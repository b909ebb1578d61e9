//! The arguments of `referee history`.

use super::error::ArgumentError;
use super::syntax::{flag_arg, path_arg};
use super::test::{history_arg, history_folder};
use crate::commit_test::HistoryOptions;
use clap::{ArgMatches, Command};
use std::path::PathBuf;

/// The command's name.
pub(super) const NAME: &str = "history";

const AFTER: &str = "\
A test of `referee test` has a line for each of its rule sets. Of a test that was interrupted and gone on with, the last line counts.

Exit status: 0, or 1 after an error.";

/// The grammar.
pub(super) fn command() -> Command {
    Command::new(NAME)
        .about("Show the tests that `referee test` has made, as a table or a page")
        .after_help(AFTER)
        .arg(history_arg())
        .arg(path_arg("html", "FILE", "Write a page for a web browser to this file, instead of the table"))
        .arg(flag_arg("json", "Print the tests as JSON, one in each line").conflicts_with("html"))
}

/// What the arguments mean.
pub(super) fn options(matches: &ArgMatches) -> Result<HistoryOptions, ArgumentError> {
    Ok(HistoryOptions {
        folder: history_folder(matches)?,
        html: matches.get_one::<PathBuf>("html").cloned(),
        json: matches.get_flag("json"),
    })
}
