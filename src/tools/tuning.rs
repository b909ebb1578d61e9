//! `kroo datagen` and `kroo tune`.

use crate::protocol::Settings;
use crate::tuning::{DatagenPlan, Header, TrainPlan, TunePlan};
use clap::{Arg, ArgMatches, value_parser};
use std::path::PathBuf;

/// The word that makes training data.
pub(super) const DATAGEN: &str = "datagen";
/// The word that makes weights of it.
pub(super) const TUNE: &str = "tune";

/// A number or a path that has a default or must be given.
fn given<T: Clone + Send + Sync + 'static>(matches: &ArgMatches, name: &str) -> T {
    matches.get_one::<T>(name).expect("it has a default or is required").clone()
}

pub(super) fn datagen(matches: &ArgMatches, settings: &Settings) -> DatagenPlan {
    let (nodes, seed) = (given(matches, "nodes"), given(matches, "seed"));
    DatagenPlan {
        header: Header { variant: settings.variant, nodes, seed },
        positions: given(matches, "positions"),
        threads: given::<u64>(matches, "threads") as usize,
        out: given(matches, "out"),
        eval_file: settings.eval_file.clone(),
    }
}

pub(super) fn tune(matches: &ArgMatches, settings: &Settings) -> TunePlan {
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

pub(super) fn datagen_usage() -> clap::Command {
    clap::Command::new(DATAGEN)
        .about("Makes training data for `tune`: games of the engine against itself, of the rule set that --variant names")
        .arg(number("positions", "1000000", "Ends with the game that brings the file to so many positions"))
        .arg(number("nodes", "2000", "Nodes a search"))
        .arg(number("seed", "1", "Where the random numbers begin; the same numbers give the same file"))
        .arg(number("threads", "1", "Threads that play; they do not change the file"))
        .arg(Arg::new("out").long("out").value_name("FILE").required(true).value_parser(value_parser!(PathBuf))
            .help("The file; what a run that was cut off has left in it is kept"))
}

pub(super) fn tune_usage() -> clap::Command {
    let path = || value_parser!(PathBuf);
    let real = |name: &'static str, default: &'static str, help: &'static str| {
        Arg::new(name)
            .long(name)
            .value_name("X")
            .default_value(default)
            .help(help)
            .value_parser(value_parser!(f32))
    };
    clap::Command::new(TUNE)
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
