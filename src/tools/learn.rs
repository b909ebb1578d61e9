//! `kroo learn info`, `kroo learn compact` and `kroo learn trial`.

use super::say;
use super::trial::{Trial, trial};
use crate::game::Variant;
use crate::learn::{Summary, compact, summary};
use clap::{Arg, ArgMatches, Command, value_parser};
use std::path::PathBuf;

/// The word that calls it.
pub(super) const NAME: &str = "learn";

/// What to do with a file of lessons.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LearnCommand {
    /// Say what it holds.
    Info(PathBuf),
    /// Make it shorter.
    Compact(PathBuf),
    /// Show in a match that learning helps.
    Trial(Trial),
}

/// What the command line says of it.
pub(super) fn usage() -> Command {
    let file = || Arg::new("file").value_name("FILE").required(true).value_parser(value_parser!(PathBuf));
    let number = |name: &'static str, value: &'static str, most: i64| {
        let parser = value_parser!(i64).range(1..=most);
        Arg::new(name).long(name).value_name("N").default_value(value).value_parser(parser)
    };
    let trial = Command::new("trial")
        .about(
            "Plays a learner against a stronger opponent that never changes, and draws how its score rises",
        )
        .arg(number("rounds", "40", 100_000).help("How often each opening is played from either side"))
        .arg(number("openings", "10", 10_000).help("Openings: the start, and others of random moves"))
        .arg(number("plies", "6", 100).help("Random moves of an opening"))
        .arg(number("depth", "3", 60).help("Plies that the learner looks ahead"))
        .arg(number("against", "7", 60).help("Plies that its opponent looks ahead"))
        .arg(number("seed", "1", i64::MAX).help("Where the random moves begin"))
        .arg(
            Arg::new("out")
                .long("out")
                .value_name("NAME")
                .required(true)
                .value_parser(value_parser!(PathBuf))
                .help("Writes NAME.csv, a line a game, NAME.svg, and NAME.learn, which is begun anew"),
        );
    Command::new(NAME)
        .about("Looks after files of lessons, as LearnFile names them")
        .subcommand_required(true)
        .disable_help_subcommand(true)
        .subcommands([
            Command::new("info").about("Says what a file holds").arg(file()),
            Command::new("compact")
                .about("Leaves one line of equal ones; engines may go on using the file")
                .arg(file()),
            trial,
        ])
}

/// What the words after `learn` ask for.
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
                say(&format!("{}: {lines} lines", path.display()))?;
                say(&format!("classic1978 keeps {south} games as South and {north} as North"))?;
                for (variant, games) in kroo {
                    say(&format!("kroo remembers {games} games of {variant}"))?;
                }
                match torn {
                    Some(_) => say("the last line was cut off and is left out"),
                    None => Ok(()),
                }
            }
            LearnCommand::Compact(path) => {
                let (before, after) = compact(path)?;
                say(&format!("{}: {after} lines of {before}", path.display()))
            }
            LearnCommand::Trial(plan) => trial(plan),
        }
    }
}
