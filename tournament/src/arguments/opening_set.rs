//! The words of `referee openings`.

use super::{ArgumentError, number, syntax, text};
use crate::opening_set::OpeningSetOptions;
use clap::{ArgMatches, Command};
use kroo::game::Variant;
use std::path::PathBuf;

/// The command's name.
pub(super) const NAME: &str = "openings";

const AFTER: &str = "\
The same command makes the same file. If it is interrupted it goes on where it was when it is given again. Exit status:
0; 1 for an error; 128 + N stopped by signal N.";

/// The grammar.
pub(super) fn command() -> Command {
    Command::new(NAME)
        .about("Makes a set of openings: positions after random moves that a search finds nearly level")
        .after_help(AFTER)
        .arg(syntax::text("variant", "NAME", "The rule set").default_value("awari"))
        .arg(syntax::number("count", 1..=1_000_000, "200", "How many openings"))
        .arg(syntax::number("plies", 1..=200, "8", "Random moves from the start"))
        .arg(syntax::number("nodes", 1..=1_000_000_000_000, "20000", "Nodes of each search"))
        .arg(syntax::number(
            "window",
            0..=4_800,
            "100",
            "How far from level a position may be, in hundredths of a seed",
        ))
        .arg(syntax::number("seed", 0..=u64::MAX, "1", "Where the random moves begin"))
        .arg(syntax::text("out", "FILE", "The file").required(true))
}

/// What the words mean.
pub(super) fn order(matches: &ArgMatches) -> Result<OpeningSetOptions, ArgumentError> {
    let variant: Variant =
        text(matches, "variant").unwrap_or("awari").parse().map_err(ArgumentError::Variant)?;
    Ok(OpeningSetOptions {
        variant,
        count: number(matches, "count") as usize,
        plies: number(matches, "plies") as u32,
        nodes: number(matches, "nodes"),
        window: number(matches, "window") as u32,
        seed: number(matches, "seed"),
        out: PathBuf::from(text(matches, "out").unwrap_or_default()),
    })
}
