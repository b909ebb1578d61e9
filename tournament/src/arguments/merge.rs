//! The words of `referee merge`.

use crate::merge::MergeOptions;
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use std::path::PathBuf;

/// The command's name.
pub(super) const NAME: &str = "merge";

const AFTER: &str = "\
The journals are those of `referee --shard K/N --journal FILE`, one of each part; or a single one of a whole tournament,
whose results are then shown once more. Exit status: 0, or 1 for an error, which parts or games that are missing or
double are.";

/// The grammar.
pub(super) fn command() -> Command {
    let file = |name: &'static str, help: &'static str| {
        Arg::new(name).long(name).value_name("FILE").value_parser(value_parser!(PathBuf)).help(help)
    };
    Command::new(NAME)
        .about("Joins the journals of a tournament's parts into the one result")
        .after_help(AFTER)
        .arg(
            Arg::new("journals")
                .value_name("JOURNAL")
                .num_args(1..)
                .required(true)
                .value_parser(value_parser!(PathBuf))
                .help("The journals, in any order"),
        )
        .arg(
            Arg::new("partial")
                .long("partial")
                .action(ArgAction::SetTrue)
                .help("Show what there is, though parts or games are missing"),
        )
        .arg(file("games-out", "Write the games to this file (.ogn), in their order"))
        .arg(file("json", "Write everything to this file as JSON"))
        .arg(file("html", "Write a report for people to this file, a page for a browser"))
}

/// What the words mean.
pub(super) fn order(matches: &ArgMatches) -> MergeOptions {
    let path = |name| matches.get_one::<PathBuf>(name).cloned();
    MergeOptions {
        journals: matches.get_many("journals").into_iter().flatten().cloned().collect(),
        partial: matches.get_flag("partial"),
        games_out: path("games-out"),
        json: path("json"),
        html: path("html"),
    }
}
