//! The arguments of `referee accuracy`.

use super::contestants::measured;
use super::error::{AccuracyArgumentError, ArgumentError};
use super::syntax::{number, number_arg, path_arg, text, text_arg, variant, variant_arg, words_arg};
use crate::accuracy::AccuracyOptions;
use clap::parser::ValueSource;
use clap::{ArgAction, ArgMatches, Command};
use kroo::endgame::{MAX_SEEDS, user_folder};
use kroo::game::Variant;
use std::ops::RangeInclusive;
use std::path::PathBuf;

/// The command's name.
pub(super) const NAME: &str = "accuracy";

/// Where engines are told to look for the user's data: there is nothing, so they find no endgame files by themselves.
const NO_DATA: (&str, &str) = ("XDG_DATA_HOME", "/nonexistent");

const AFTER: &str = "\
Positions are taken from the games of --games, different ones that have two moves or more. Each engine is asked for a move in
each of them, after `ucinewgame`, and the endgame files say what the move gives away: the result of the game, or seeds. Where
files know only who wins (awari), a move gives away as many seeds as the mover would need more in its store to be as well off.
In oware the past of a position may change what the files say, so it cannot be measured.

The words after --engine and --each are those of a match (see referee --help); a limit is st=, nodes= or depth=. The engines do
not find files in the folder of the user's data: their XDG_DATA_HOME is /nonexistent unless env.XDG_DATA_HOME= says otherwise.

Example:
  referee --engine cmd=./kroo name=a --engine cmd=./kroo name=b \\
          --each nodes=5000 --rounds 400 --random-plies 8 --games-out games.ogn
  referee accuracy --games games.ogn --endgame endgames \\
          --engine cmd=./kroo st=0.1

Exit status: 0; 1 after an error in the arguments, with a file, an engine or the machine; 128 + N if signal N has stopped it,
with the table of what was measured until then.";

/// The grammar.
pub(super) fn command() -> Command {
    Command::new(NAME)
        .about("Measure how often moves give away a known result")
        .after_help(AFTER)
        .arg(words_arg(
            "engine",
            "An engine, described by words; once for each [default: the `kroo` beside the referee]",
        ))
        .arg(words_arg("each", "Words for all engines"))
        .arg(variant_arg("The rule set, if the games have several").default_value(None::<&str>))
        .arg(
            path_arg("games", "FILE", "Games to take positions from (.ogn)")
                .action(ArgAction::Append)
                .required(true),
        )
        .arg(number_arg("positions", 1..=100_000_000, "10000", "How many positions at most"))
        .arg(
            text_arg("seeds", "A-B", "How many seeds the positions have in their pits")
                .default_value("18-24"),
        )
        .arg(number_arg("seed", 0..=u64::MAX, "1", "The random seed of the choice"))
        .arg(path_arg(
            "endgame",
            "DIR",
            "The folder with the endgame files [default: where kroo builds them]",
        ))
}

/// What the arguments mean.
pub(super) fn options(matches: &ArgMatches) -> Result<AccuracyOptions, ArgumentError> {
    let given = matches.value_source("variant") == Some(ValueSource::CommandLine);
    let variant = given.then(|| variant(matches)).transpose()?;
    if variant == Some(Variant::Oware) {
        return Err(AccuracyArgumentError::Cycles.into());
    }
    let mut contestants = measured(matches)?;
    for contestant in &mut contestants {
        if contestant.limits.clock.is_some() {
            return Err(AccuracyArgumentError::Clock.into());
        }
        let variables = &mut contestant.engine.confinement.variables;
        if !variables.iter().any(|(name, _)| name == NO_DATA.0) {
            variables.push((NO_DATA.0.to_owned(), Some(NO_DATA.1.to_owned())));
        }
    }
    let given = matches.get_one::<PathBuf>("endgame").cloned();
    Ok(AccuracyOptions {
        contestants,
        variant,
        games: matches.get_many::<PathBuf>("games").into_iter().flatten().cloned().collect(),
        positions: number(matches, "positions") as usize,
        seeds: seeds(text(matches, "seeds").unwrap_or_default())?,
        seed: number(matches, "seed"),
        endgame: given.or_else(user_folder).ok_or(ArgumentError::NoFolder { option: "--endgame" })?,
    })
}

/// Reads `18-24`, or one number.
fn seeds(text: &str) -> Result<RangeInclusive<u8>, AccuracyArgumentError> {
    let (least, most) = text.split_once('-').unwrap_or((text, text));
    match (least.parse(), most.parse()) {
        (Ok(least), Ok(most)) if least <= most && most <= MAX_SEEDS => Ok(least..=most),
        _ => Err(AccuracyArgumentError::Seeds(text.to_owned())),
    }
}
