//! The arguments of `referee status`.

use super::error::ArgumentError;
use super::match_options::{address, insecure_arg};
use super::syntax::{flag_arg, text};
use crate::queue::StatusOptions;
use clap::{Arg, ArgMatches, Command};

/// The command's name.
pub(super) const NAME: &str = "status";

const AFTER: &str = "\
URL is that of `referee --queue URL` and `referee worker URL`.

A worker is `there` if it has given a sign of life within the lease, else `silent`: its games are played by others.

Exit status: 0, or 1 after an error.";

/// The grammar.
pub(super) fn command() -> Command {
    Command::new(NAME)
        .about("Show games, rate, LLR and workers of a queue")
        .after_help(AFTER)
        .arg(Arg::new("url").value_name("URL").required(true).help("Where the queue is"))
        .arg(insecure_arg())
        .arg(flag_arg("json", "Print it as JSON"))
}

/// What the arguments mean.
pub(super) fn options(matches: &ArgMatches) -> Result<StatusOptions, ArgumentError> {
    Ok(StatusOptions {
        address: address(text(matches, "url").unwrap_or_default(), matches.get_flag("insecure"))?,
        json: matches.get_flag("json"),
    })
}
