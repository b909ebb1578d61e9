//! `kroo datagen` and `kroo tune`.

use super::flags::with_flags;
use super::flags::{NODES, number, real, threads};
use crate::endgames::MAX_SEEDS;
use crate::protocol::Settings;
use crate::tuning::{DataHeader, DatagenPlan, TrainPlan, TunePlan};
use clap::{Arg, ArgMatches, value_parser};
use std::path::PathBuf;

/// The name of the subcommand that makes training data.
pub(super) const DATAGEN: &str = "datagen";
/// The name of the subcommand that trains weights.
pub(super) const TUNE: &str = "tune";

/// The most positions of a file: `tune` numbers them with 32 bits.
const MOST_POSITIONS: u64 = u32::MAX as u64;
/// The smallest learning rate.
const LEAST_RATE: f32 = 1e-6;

/// An argument with a default, or a required one.
fn value_of<T: Clone + Send + Sync + 'static>(matches: &ArgMatches, name: &str) -> T {
    matches.get_one::<T>(name).expect("it has a default or is required").clone()
}

pub(super) fn datagen(matches: &ArgMatches, settings: &Settings) -> DatagenPlan {
    let (nodes, seed) = (value_of(matches, "nodes"), value_of(matches, "seed"));
    let endgame_seeds = matches.get_one("endgame-seeds").copied().unwrap_or(0);
    DatagenPlan {
        header: DataHeader { variant: settings.variant, nodes, seed, endgame_seeds },
        endgames: matches.get_one("endgame").cloned().unwrap_or_default(),
        positions: value_of(matches, "positions"),
        threads: value_of(matches, "threads"),
        out: value_of(matches, "out"),
        eval_file: settings.eval_file.clone(),
    }
}

pub(super) fn tune(matches: &ArgMatches, settings: &Settings) -> TunePlan {
    TunePlan {
        variant: settings.variant,
        data: matches.get_many("data").into_iter().flatten().cloned().collect(),
        out: value_of(matches, "out"),
        train: TrainPlan {
            epochs: value_of(matches, "epochs"),
            batch: value_of::<u64>(matches, "batch") as usize,
            rate: value_of(matches, "rate"),
            result_share: value_of(matches, "result-share"),
            seed: value_of(matches, "seed"),
            threads: value_of(matches, "threads"),
        },
    }
}

pub(super) fn datagen_usage() -> clap::Command {
    with_flags(clap::Command::new(DATAGEN), |name| ["variant", "evalfile"].contains(&name))
        .about("Make training data for `tune` from games against itself")
        .arg(
            number("positions", 1..=MOST_POSITIONS)
                .default_value("1000000")
                .help("Stop after the game that brings the file to this many positions"),
        )
        .arg(number("nodes", NODES).default_value("2000").help("Node limit of each search"))
        .arg(
            number("seed", 0..=u64::MAX)
                .default_value("1")
                .help("Random seed; the same seed gives the same file"),
        )
        .arg(threads().default_value("1").help("Number of threads; the file does not depend on it"))
        .arg(
            Arg::new("endgame")
                .long("endgame")
                .value_name("DIR")
                .requires("endgame-seeds")
                .value_parser(value_parser!(PathBuf))
                .help("Folder of endgame files: positions with few seeds get the results in the files"),
        )
        .arg(
            Arg::new("endgame-seeds")
                .long("endgame-seeds")
                .value_name("N")
                .requires("endgame")
                .value_parser(value_parser!(u8).range(1..=i64::from(MAX_SEEDS)))
                .help("Use the files up to N seeds"),
        )
        .arg(
            Arg::new("out")
                .long("out")
                .value_name("FILE")
                .required(true)
                .value_parser(value_parser!(PathBuf))
                .help("File to write; continues the file of an interrupted run, and refuses any other"),
        )
}

pub(super) fn tune_usage() -> clap::Command {
    let path = || value_parser!(PathBuf);
    with_flags(clap::Command::new(TUNE), |name| name == "variant")
        .about("Train evaluation weights from training data")
        .arg(
            Arg::new("data")
                .required(true)
                .num_args(1..)
                .value_name("DATA")
                .value_parser(path())
                .help("Files made by `kroo datagen`"),
        )
        .arg(
            Arg::new("out")
                .long("out")
                .value_name("FILE")
                .required(true)
                .value_parser(path())
                .help("File of weights to write, for the option EvalFile; FILE.partial until it is complete; resumes an interrupted training"),
        )
        .arg(number("epochs", 1..=10_000).default_value("30").help("Number of passes over the data"))
        .arg(number("batch", 1..=MOST_POSITIONS).default_value("1024").help("Positions in a batch"))
        .arg(real("rate", LEAST_RATE..=1.0).default_value("0.003").help("Learning rate at the start"))
        .arg(real("result-share", 0.0..=1.0).default_value("0.3").help(
            "Weight of the game's result in the training target, from 0 to 1; the rest is the search's score",
        ))
        .arg(
            number("seed", 0..=u64::MAX)
                .default_value("1")
                .help("Random seed; the same data and seed give the same file"),
        )
        .arg(threads().default_value("1").help(
            "Number of threads; those beyond eight are idle; the file does not depend on it",
        ))
}
