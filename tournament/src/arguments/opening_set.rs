//! The arguments of `referee openings`.

use super::error::ArgumentError;
use super::syntax::{number, number_arg, path_arg, variant, variant_arg};
use crate::opening_set::OpeningSetOptions;
use clap::{ArgMatches, Command};
use std::path::PathBuf;

/// The command's name.
pub(super) const NAME: &str = "openings";

const AFTER: &str = "\
The same command always makes the same file. After an interruption, give the same command again: it goes on where it was.

Exit status: 0; 1 after an error; 128 + N if signal N has stopped it.";

/// The grammar.
pub(super) fn command() -> Command {
    Command::new(NAME)
        .about("Make a set of nearly level openings")
        .after_help(AFTER)
        .arg(variant_arg("The rule set"))
        .arg(number_arg("count", 1..=1_000_000, "200", "How many openings to make"))
        .arg(number_arg("plies", 1..=200, "8", "How many random moves each opening has"))
        .arg(number_arg("nodes", 1..=1_000_000_000_000, "20000", "How many nodes each search has"))
        .arg(number_arg(
            "window",
            0..=4_800,
            "100",
            "How far from level the score of an opening may be, in hundredths of a seed",
        ))
        .arg(number_arg("seed", 0..=u64::MAX, "1", "The random seed of the moves"))
        .arg(path_arg("out", "FILE", "The file to write").required(true))
}

/// What the arguments mean.
pub(super) fn options(matches: &ArgMatches) -> Result<OpeningSetOptions, ArgumentError> {
    Ok(OpeningSetOptions {
        variant: variant(matches)?,
        count: number(matches, "count") as usize,
        plies: number(matches, "plies") as u32,
        nodes: number(matches, "nodes"),
        window: number(matches, "window") as u32,
        seed: number(matches, "seed"),
        out: matches.get_one::<PathBuf>("out").cloned().unwrap_or_default(),
    })
}
