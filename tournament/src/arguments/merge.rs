//! The arguments of `referee merge`.

use super::syntax::{flag_arg, path_arg};
use crate::merge::MergeOptions;
use clap::{Arg, ArgMatches, Command, value_parser};
use std::path::PathBuf;

/// The command's name.
pub(super) const NAME: &str = "merge";

const AFTER: &str = "\
The journals come from `referee --shard K/N --journal FILE`, one for each part. A single journal of a whole tournament is
allowed, too: its results are shown again.

Exit status: 0, and with an SPRT that of the whole match: 0 if H1 was accepted, 10 if it was rejected (H0 accepted), 11 if the
test is undecided, 12 if an engine has lost all its games by faults; 1 after an error, for instance if a part or a game is
missing or is there twice.";

/// The grammar.
pub(super) fn command() -> Command {
    Command::new(NAME)
        .about("Join the journals of the parts of a tournament into one result")
        .after_help(AFTER)
        .arg(
            Arg::new("journals")
                .value_name("JOURNAL")
                .num_args(1..)
                .required(true)
                .value_parser(value_parser!(PathBuf))
                .help("The journals, in any order"),
        )
        .arg(flag_arg("partial", "Show the results so far, even if parts or games are missing"))
        .arg(path_arg("games-out", "FILE", "Write the games to this file (.ogn), in their order"))
        .arg(path_arg("json", "FILE", "Write everything to this file as JSON"))
        .arg(path_arg("html", "FILE", "Write a report to this file, a page for a web browser; the games of a large match go to the folder FILE.games"))
}

/// What the arguments mean.
pub(super) fn options(matches: &ArgMatches) -> MergeOptions {
    let path = |name| matches.get_one::<PathBuf>(name).cloned();
    MergeOptions {
        journals: matches.get_many("journals").into_iter().flatten().cloned().collect(),
        partial: matches.get_flag("partial"),
        games_out: path("games-out"),
        json: path("json"),
        html: path("html"),
    }
}
