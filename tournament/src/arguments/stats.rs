//! The arguments of `referee stats`.

use super::error::StatsError;
use super::syntax::{flag_arg, words_arg};
use crate::file_results::{ResultSource, StatsOptions};
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use std::path::PathBuf;

/// The command's name.
pub(super) const NAME: &str = "stats";

const AFTER: &str = "\
The counts are those of the first engine; of a game file, of the engine that is South in its first game. Files must be
given before --sprt, whose words are those of a match (see referee --help).

Exit status: 0; with --sprt 0 if H1 is accepted, 10 if it is rejected (H0 accepted), 11 if the test is undecided, 12 if it has
no verdict because an engine has lost all its games by faults; 1 after an error.";

/// The most games of each kind. Their sums are exact in floating point, too.
const MAX_COUNT: u64 = 1_000_000_000_000;

/// The grammar.
pub(super) fn command() -> Command {
    let counts = |name: &'static str, values: &[&'static str], help: &'static str| {
        let parser = value_parser!(u64);
        let argument = Arg::new(name).long(name).num_args(values.len()).value_names(values.to_vec());
        argument.help(help).value_parser(parser)
    };
    Command::new(NAME)
        .about("Show Elo, LOS and SPRT of results, without playing")
        .after_help(AFTER)
        .arg(
            counts("wdl", &["WINS", "LOSSES", "DRAWS"], "The number of games of each kind")
                .conflicts_with_all(["ptnml", "games"]),
        )
        .arg(
            counts(
                "ptnml",
                &["LL", "LD", "DD", "WD", "WW"],
                "The number of pairs of games that brought 0, ½, 1, 1½ and 2 points",
            )
            .conflicts_with("games"),
        )
        .arg(
            Arg::new("games")
                .value_name("GAMES")
                .num_args(0..)
                .value_parser(value_parser!(PathBuf))
                .help("Game files (.ogn)"),
        )
        .arg(words_arg("sprt", "Show what this test says about the results").action(ArgAction::Set))
        .arg(flag_arg("json", "Print the numbers as JSON"))
}

/// What the arguments mean.
pub(super) fn options(matches: &ArgMatches) -> Result<StatsOptions, StatsError> {
    let sprt = matches.get_many::<String>("sprt").map(super::sprt::sprt).transpose()?;
    let results = match (counts::<3>(matches, "wdl")?, counts::<5>(matches, "ptnml")?) {
        (Some([wins, losses, draws]), _) => ResultSource::Games([losses, draws, wins]),
        (None, Some(pairs)) => ResultSource::Pairs(pairs),
        (None, None) => match matches.get_many::<PathBuf>("games") {
            Some(files) => ResultSource::Files(files.cloned().collect()),
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
    if counts.iter().any(|&count| count > MAX_COUNT) {
        return Err(StatsError::TooMany { option, most: MAX_COUNT });
    }
    Ok(Some(counts))
}
