//! The arguments of `referee audit`.

use super::syntax::{flag_arg, text, text_arg};
use crate::audit::AuditOptions;
use crate::played_by::GroupBy;
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use std::path::PathBuf;

/// The command's name.
pub(super) const NAME: &str = "audit";

const AFTER: &str = "\
The journals are those of `referee --queue URL --journal FILE`, whose games say who has played them. The pairs of each machine
are compared with those of all others by a chi-square test, within each pairing of engines; its faults (late moves, dead
engines, illegal moves) by an exact test. An outlier is one whose p is below 0.01.

No game is ever left out by itself. With --exclude or --exclude-outliers whole pairs are, and the verdict is shown with
and without them.

Exit status: 0, or 1 after an error.";

/// The grammar.
pub(super) fn command() -> Command {
    Command::new(NAME)
        .about("Shows who has played what in a match through a queue, and whose results are not those of the others")
        .after_help(AFTER)
        .arg(
            Arg::new("journals")
                .value_name("JOURNAL")
                .num_args(1..)
                .required(true)
                .value_parser(value_parser!(PathBuf))
                .help("The journal of a match, or those of its parts"),
        )
        .arg(
            text_arg("by", "WHAT", "Whose games are counted together: machine, worker or processor")
                .value_parser(GroupBy::ALL.map(GroupBy::name))
                .default_value(GroupBy::Machine.name()),
        )
        .arg(
            text_arg("exclude", "NAME", "Show the verdict without the games of this machine, worker or processor; may be repeated")
                .action(ArgAction::Append),
        )
        .arg(flag_arg("exclude-outliers", "Show the verdict without the games of outliers"))
        .arg(flag_arg("json", "Print it as JSON"))
}

/// What the arguments mean.
pub(super) fn options(matches: &ArgMatches) -> AuditOptions {
    let by = GroupBy::ALL.into_iter().find(|by| text(matches, "by") == Some(by.name()));
    AuditOptions {
        journals: matches.get_many("journals").into_iter().flatten().cloned().collect(),
        by: by.unwrap_or_default(),
        exclude: matches.get_many("exclude").into_iter().flatten().cloned().collect(),
        exclude_outliers: matches.get_flag("exclude-outliers"),
        json: matches.get_flag("json"),
    }
}
