//! The command line. Every option of the protocol is a flag as well, from the same table.

use crate::protocol::options::{OPTIONS, OptionError, OptionSpec, Settings, SpecKind};
use crate::protocol::{COMMANDS, Command, ParseError};
use crate::tuning::{DatagenPlan, Header, TrainPlan, TunePlan};
use clap::{Arg, ArgAction, ArgMatches, value_parser};
use std::ffi::OsString;
use std::path::PathBuf;

/// What the command line asks for.
#[derive(Debug)]
pub struct Arguments {
    /// The settings to begin with.
    pub settings: Settings,
    /// What to do.
    pub task: Task,
}

/// What the program is to do.
#[derive(Debug)]
pub enum Task {
    /// Talk over standard input and output.
    Converse,
    /// Carry out one command of the protocol.
    Command(Command),
    /// Make training data.
    Datagen(DatagenPlan),
    /// Make weights of training data.
    Tune(TunePlan),
}

/// What is wrong with a command line, or the help that it asked for.
#[derive(Debug, thiserror::Error)]
pub enum ArgumentError {
    /// It does not fit the usage, or it asks for help or the version.
    #[error(transparent)]
    Usage(#[from] clap::Error),
    /// A flag has a value that its option does not take.
    #[error("{0}")]
    Option(#[from] OptionError),
    /// The words after the flags are no command.
    #[error("`{line}`: {error}")]
    Command {
        /// The words.
        line: String,
        /// What is wrong with them.
        error: ParseError,
    },
}

/// Reads the command line, the name of the program first.
///
/// # Errors
/// If it cannot be understood, or if it asks for help or the version: that is a [`clap::Error`] too.
pub fn read(arguments: impl IntoIterator<Item = OsString>) -> Result<Arguments, ArgumentError> {
    let matches = program().try_get_matches_from(arguments)?;
    let mut settings = Settings::default();
    for spec in flags() {
        let flag = spec.flag();
        if let Some(value) = matches.get_one::<String>(&flag) {
            spec.set(&mut settings, Some(value))?;
        }
    }
    let task = match matches.subcommand() {
        Some(("datagen", matches)) => Task::Datagen(datagen(matches, &settings)),
        Some(("tune", matches)) => Task::Tune(tune(matches, &settings)),
        _ => command(&matches)?.map_or(Task::Converse, Task::Command),
    };
    Ok(Arguments { settings, task })
}

/// A number or a path that has a default or must be given.
fn given<T: Clone + Send + Sync + 'static>(matches: &ArgMatches, name: &str) -> T {
    matches.get_one::<T>(name).expect("it has a default or is required").clone()
}

fn datagen(matches: &ArgMatches, settings: &Settings) -> DatagenPlan {
    let (nodes, seed) = (given(matches, "nodes"), given(matches, "seed"));
    DatagenPlan {
        header: Header { variant: settings.variant, nodes, seed },
        positions: given(matches, "positions"),
        threads: given::<u64>(matches, "threads") as usize,
        out: given(matches, "out"),
        eval_file: settings.eval_file.clone(),
    }
}

fn tune(matches: &ArgMatches, settings: &Settings) -> TunePlan {
    TunePlan {
        variant: settings.variant,
        data: matches.get_many("data").into_iter().flatten().cloned().collect(),
        out: given(matches, "out"),
        train: TrainPlan {
            epochs: given(matches, "epochs"),
            batch: given::<u64>(matches, "batch") as usize,
            rate: given(matches, "rate"),
            result_share: given(matches, "result-share"),
            seed: given(matches, "seed"),
        },
    }
}

fn number(name: &'static str, default: &'static str, help: &'static str) -> Arg {
    let least = u64::from(name != "seed");
    Arg::new(name)
        .long(name)
        .value_name("N")
        .default_value(default)
        .help(help)
        .value_parser(value_parser!(u64).range(least..))
}

fn datagen_usage() -> clap::Command {
    clap::Command::new("datagen")
        .about("Makes training data for `tune`: games of the engine against itself, of the rule set that --variant names")
        .arg(number("positions", "1000000", "Ends with the game that brings the file to so many positions"))
        .arg(number("nodes", "2000", "Nodes a search"))
        .arg(number("seed", "1", "Where the random numbers begin; the same numbers give the same file"))
        .arg(number("threads", "1", "Threads that play; they do not change the file"))
        .arg(Arg::new("out").long("out").value_name("FILE").required(true).value_parser(value_parser!(PathBuf))
            .help("The file; what a run that was cut off has left in it is kept"))
}

/// The words after the flags, read as a line of the protocol.
fn command(matches: &ArgMatches) -> Result<Option<Command>, ArgumentError> {
    let words: Vec<&String> = matches.get_many("command").into_iter().flatten().collect();
    let line = words.into_iter().map(String::as_str).collect::<Vec<_>>().join(" ");
    Command::parse(&line).map_err(|error| ArgumentError::Command { line, error })
}

/// Options that have a value to begin with.
fn flags() -> impl Iterator<Item = &'static OptionSpec> {
    OPTIONS.iter().filter(|spec| !matches!(spec.kind, SpecKind::Button))
}

fn program() -> clap::Command {
    let flags = flags().map(|spec| {
        Arg::new(spec.flag())
            .long(spec.flag())
            .value_name(spec.allowed())
            .action(ArgAction::Set)
            .allow_hyphen_values(true)
            .help(spec.doc)
    });
    let command = Arg::new("command")
        .num_args(0..)
        .value_name("COMMAND")
        .help("A command to carry out in place of a conversation, such as `perft 10`, `bench` or `help`");
    let usages: Vec<&str> = COMMANDS.iter().map(|(usage, _)| *usage).collect();
    clap::Command::new("kroo")
        .version(env!("CARGO_PKG_VERSION"))
        .about("An engine for mancala games. Without a command it reads protocol.md's lines from standard input.")
        .after_help(format!("Commands:\n  {}", usages.join("\n  ")))
        .args(flags)
        .arg(command)
        .subcommand(datagen_usage())
        .subcommand(tune_usage())
        .disable_help_subcommand(true)
}

fn tune_usage() -> clap::Command {
    let path = || value_parser!(PathBuf);
    let real = |name: &'static str, default: &'static str, help: &'static str| {
        Arg::new(name)
            .long(name)
            .value_name("X")
            .default_value(default)
            .help(help)
            .value_parser(value_parser!(f32))
    };
    clap::Command::new("tune")
        .about("Makes evaluation weights of training data, for the rule set that --variant names")
        .arg(
            Arg::new("data")
                .required(true)
                .num_args(1..)
                .value_name("DATA")
                .value_parser(path())
                .help("Files that `datagen` has made"),
        )
        .arg(
            Arg::new("out")
                .long("out")
                .value_name("FILE")
                .required(true)
                .value_parser(path())
                .help("The file of weights, for the option EvalFile"),
        )
        .arg(number("epochs", "30", "How often each position is looked at"))
        .arg(number("batch", "1024", "Positions between two steps"))
        .arg(real("rate", "0.003", "The length of a step at first"))
        .arg(real("result-share", "0.3", "What the end of the game counts against the search's word"))
        .arg(number(
            "seed",
            "1",
            "Where the random numbers begin; the same data and numbers give the same file",
        ))
}
