//! The command line of `kroo learn info`, `kroo learn compact` and `kroo learn trial`.

use super::flags::with_flags;
use super::output::say;
use super::trial::{Trial, trial};
use crate::game::Variant;
use crate::learn::{Summary, compact, summary};
use crate::printable::counted;
use clap::{Arg, ArgMatches, Command, value_parser};
use std::path::PathBuf;

/// The name of the subcommand.
pub(super) const NAME: &str = "learn";

/// A subcommand of `kroo learn` with its arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LearnCommand {
    /// Summarise a file of lessons.
    Info(PathBuf),
    /// Merge equal lessons in a file.
    Compact(PathBuf),
    /// Play a match that shows the effect of learning.
    Trial(Trial),
}

/// The subcommand with its flags.
pub(super) fn usage() -> Command {
    let file = || {
        let file = Arg::new("file").value_name("FILE").help("The lessons");
        file.required(true).value_parser(value_parser!(PathBuf))
    };
    let number = |name: &'static str, value: &'static str, most: i64| {
        let parser = value_parser!(i64).range(1..=most);
        Arg::new(name).long(name).value_name("N").default_value(value).value_parser(parser)
    };
    let trial = with_flags(Command::new("trial"), |name| name == "variant")
        .about(
            "Play a match of a learner against a stronger opponent that never changes, and draw the learner's score",
        )
        .arg(number("rounds", "40", 100_000).help("Number of games of each opening from either side"))
        .arg(number("openings", "10", 10_000).help("Number of openings: the start position, and others made of random moves"))
        .arg(number("plies", "6", 100).help("Number of random moves in an opening"))
        .arg(number("depth", "3", 60).help("Search depth of the learner, in plies"))
        .arg(number("against", "7", 60).help("Search depth of its opponent, in plies"))
        .arg(number("seed", "1", i64::MAX).help("Random seed for the openings"))
        .arg(
            Arg::new("out")
                .long("out")
                .value_name("NAME")
                .required(true)
                .value_parser(value_parser!(PathBuf))
                .help("Write NAME.csv (a line for each game), NAME.svg (a plot) and NAME.learn (overwritten if it exists)"),
        );
    Command::new(NAME)
        .about("Summarise and compact files of lessons, and measure learning")
        .subcommand_required(true)
        .disable_help_subcommand(true)
        .subcommands([
            Command::new("info").about("Summarise a file of lessons").arg(file()),
            Command::new("compact")
                .about("Merge equal lessons into one line; running engines may go on using the file")
                .arg(file()),
            trial,
        ])
}

/// Reads the arguments of `kroo learn`.
pub(super) fn read(matches: &ArgMatches, variant: Variant) -> LearnCommand {
    let (name, matches) = matches.subcommand().expect("one is required");
    let path = |id| matches.get_one::<PathBuf>(id).cloned().expect("it is required");
    let number = |id| *matches.get_one::<i64>(id).expect("it has a default");
    match name {
        "info" => LearnCommand::Info(path("file")),
        "compact" => LearnCommand::Compact(path("file")),
        _ => LearnCommand::Trial(Trial {
            variant,
            rounds: number("rounds") as usize,
            openings: number("openings") as usize,
            plies: number("plies") as usize,
            depth: number("depth") as u8,
            against: number("against") as u8,
            seed: number("seed") as u64,
            out: path("out"),
        }),
    }
}

impl LearnCommand {
    pub(super) fn run(&self) -> Result<(), Box<dyn std::error::Error>> {
        match self {
            LearnCommand::Info(path) => {
                let Summary { lines, classic: [south, north], kroo, torn } = summary(path)?;
                say(&format!("{}: {}", path.display(), counted(lines as u64, "line")))?;
                say(&format!(
                    "classic1978 remembers {} as South and {north} as North",
                    counted(south, "game")
                ))?;
                for (variant, games) in kroo {
                    say(&format!("kroo remembers {} of {variant}", counted(games, "game")))?;
                }
                match torn {
                    Some(_) => say("the last line was cut off by a crash and does not count"),
                    None => Ok(()),
                }
            }
            LearnCommand::Compact(path) => {
                let (before, after) = compact(path)?;
                let [before, after] = [before, after].map(|lines| counted(lines as u64, "line"));
                say(&format!("{}: {before} before, {after} now", path.display()))
            }
            LearnCommand::Trial(plan) => trial(plan),
        }
    }
}
