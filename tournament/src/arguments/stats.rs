//! The words of `referee stats`.

use super::engine_words::WordError;
use super::syntax;
use crate::stats::{Results, StatsOptions};
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use std::path::PathBuf;

/// The command's name.
pub(super) const NAME: &str = "stats";

const AFTER: &str = "\
Exit status: 0; with --sprt 0 if H1 is accepted, 10 if it is rejected (H0 taken), 11 if it is not decided; 1 for an
error. Counts are the first engine's: of a file, those of the engine that is South in its first game. Files go before
--sprt, whose words are those of a match (see referee --help).";

/// What is wrong with the command.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StatsError {
    /// There is nothing to count.
    #[error("stats: no results: give --wdl W L D, --ptnml LL LD DD WD WW, or game files")]
    NoResults,
    /// More games than can be counted.
    #[error("stats: {option}: more than {most} games")]
    TooMany {
        /// The option.
        option: &'static str,
        /// How many there may be.
        most: u64,
    },
    /// The test.
    #[error("stats: {0}")]
    Sprt(#[from] WordError),
}

/// Games of each kind that are believed: sums of them are exact in floating point, too.
const MOST: u64 = 1_000_000_000_000;

/// The grammar.
pub(super) fn command() -> Command {
    let counts = |name: &'static str, count: usize, values: &[&'static str], help: &'static str| {
        Arg::new(name).long(name).num_args(count).value_names(values.to_vec()).help(help)
    };
    Command::new(NAME)
        .about("Says what results show of strength, without playing")
        .after_help(AFTER)
        .arg(
            counts("wdl", 3, &["WINS", "LOSSES", "DRAWS"], "Games")
                .value_parser(value_parser!(u64))
                .conflicts_with_all(["ptnml", "games"]),
        )
        .arg(
            counts(
                "ptnml",
                5,
                &["LL", "LD", "DD", "WD", "WW"],
                "Pairs of games by their points: 0, ½, 1, 1½, 2",
            )
            .value_parser(value_parser!(u64))
            .conflicts_with("games"),
        )
        .arg(
            Arg::new("games")
                .value_name("GAMES")
                .num_args(0..)
                .value_parser(value_parser!(PathBuf))
                .help("Game files (.ogn)"),
        )
        .arg(syntax::words("sprt", "A test of the results").action(ArgAction::Set))
        .arg(
            Arg::new("json")
                .long("json")
                .action(ArgAction::SetTrue)
                .help("Print numbers for programs, as JSON"),
        )
}

/// What the words mean.
pub(super) fn order(matches: &ArgMatches) -> Result<StatsOptions, StatsError> {
    let sprt = matches.get_many::<String>("sprt").map(super::sprt::sprt).transpose()?;
    let results = match (counts::<3>(matches, "wdl")?, counts::<5>(matches, "ptnml")?) {
        (Some([wins, losses, draws]), _) => Results::Games([losses, draws, wins]),
        (None, Some(pairs)) => Results::Pairs(pairs),
        (None, None) => match matches.get_many::<PathBuf>("games") {
            Some(files) => Results::Files(files.cloned().collect()),
            None => return Err(StatsError::NoResults),
        },
    };
    Ok(StatsOptions { results, sprt, json: matches.get_flag("json") })
}

/// The counts after an option, if it is given.
fn counts<const N: usize>(
    matches: &ArgMatches,
    option: &'static str,
) -> Result<Option<[u64; N]>, StatsError> {
    let Some(given) = matches.get_many::<u64>(option) else { return Ok(None) };
    let mut counts = [0; N];
    counts.iter_mut().zip(given).for_each(|(count, &given)| *count = given);
    match counts {
        counts if counts.iter().any(|&count| count > MOST) => Err(StatsError::TooMany { option, most: MOST }),
        counts => Ok(Some(counts)),
    }
}
