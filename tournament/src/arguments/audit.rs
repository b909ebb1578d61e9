//! The arguments of `referee audit`.

use super::syntax::flag_arg;
use crate::audit::AuditOptions;
use clap::{Arg, ArgMatches, Command, value_parser};
use std::path::PathBuf;

/// The command's name.
pub(super) const NAME: &str = "audit";

const AFTER: &str = "\
The journals are those of `referee --queue URL --journal FILE`: each game
names its worker. Faults are late moves, dead engines and illegal moves.

Exit status: 0, or 1 after an error.";

/// The grammar.
pub(super) fn command() -> Command {
    Command::new(NAME)
        .about("List the games, score and faults of each worker of a queue")
        .after_help(AFTER)
        .arg(
            Arg::new("journals")
                .value_name("JOURNAL")
                .num_args(1..)
                .required(true)
                .value_parser(value_parser!(PathBuf))
                .help("The journal of a match, or those of its parts"),
        )
        .arg(flag_arg("json", "Print JSON"))
}

/// The options that the arguments mean.
pub(super) fn options(matches: &ArgMatches) -> AuditOptions {
    AuditOptions {
        journals: matches.get_many("journals").into_iter().flatten().cloned().collect(),
        json: matches.get_flag("json"),
    }
}
