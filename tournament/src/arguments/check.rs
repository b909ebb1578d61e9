//! The words of `referee check`.

use super::engine_words::{EngineWords, WordError};
use super::{ArgumentError, number, syntax, text};
use crate::check::CheckOptions;
use clap::{Arg, ArgAction, ArgMatches, Command};
use kroo::game::Variant;
use std::time::Duration;

/// The command's name.
pub(super) const NAME: &str = "check";
const FLAG: &str = "check";

const AFTER: &str = "\
WORD is args=TEXT, dir=PATH, option.NAME=TEXT, startup=SECONDS or stderr=FILE, as after --engine (see referee --help).
Exit status: 0 no fault; 2 faults; 1 an error in the arguments or with the machine; 128 + N stopped by signal N.";

/// The grammar.
pub(super) fn command() -> Command {
    Command::new(NAME)
        .about("Checks whether an engine keeps the protocol, and says all that is wrong with it")
        .after_help(AFTER)
        .arg(Arg::new("engine").value_name("ENGINE").required(true).help("The program"))
        .arg(Arg::new("words").value_name("WORD").num_args(0..).help("Words that describe it (see below)"))
        .arg(
            syntax::text("variant", "NAME", "The rule set of an engine that offers no choice (UCI_Variant)")
                .default_value("awari"),
        )
        .arg(number_of("games", 1..=10_000, "2", "N", "Random games a rule set"))
        .arg(number_of("max-moves", 1..=10_000, "250", "N", "Moves of a random game that are looked at"))
        .arg(number_of("seed", 0..=u64::MAX, "1", "N", "Where the random moves begin"))
        .arg(number_of("margin", 0..=60_000, "50", "MS", "How late an answer may be, in milliseconds"))
        .arg(number_of(
            "patience",
            1..=600_000,
            "2000",
            "MS",
            "How long an answer may take that needs no time, in milliseconds",
        ))
        .arg(Arg::new("json").long("json").action(ArgAction::SetTrue).help("Print the report as JSON"))
}

fn number_of(
    name: &'static str,
    range: std::ops::RangeInclusive<u64>,
    default: &'static str,
    value: &'static str,
    help: &'static str,
) -> Arg {
    syntax::number(name, range, default, help).value_name(value)
}

/// What the words mean.
pub(super) fn order(matches: &ArgMatches) -> Result<CheckOptions, ArgumentError> {
    let variant: Variant =
        text(matches, "variant").unwrap_or("awari").parse().map_err(ArgumentError::Variant)?;
    let mut words = vec![format!("cmd={}", text(matches, "engine").unwrap_or_default())];
    words.extend(matches.get_many::<String>("words").into_iter().flatten().cloned());
    let allowed = ["cmd", "args", "dir", "startup", "stderr"];
    for word in &words {
        let key = word.split('=').next().unwrap_or_default();
        if !allowed.contains(&key) && !key.starts_with("option.") {
            let problem = format!("`{word}`: the words are args, dir, option.NAME, startup and stderr");
            return Err(super::ContestantError::Word(WordError { flag: FLAG, problem }).into());
        }
    }
    let contestant = EngineWords::parse(FLAG, &words)
        .and_then(|words| words.contestant(Duration::from_secs(1)))
        .map_err(super::ContestantError::Word)?;
    let milliseconds = |name| Duration::from_millis(number(matches, name));
    Ok(CheckOptions {
        spec: contestant.engine,
        variant,
        games: number(matches, "games") as u32,
        max_moves: number(matches, "max-moves") as usize,
        seed: number(matches, "seed"),
        margin: milliseconds("margin"),
        patience: milliseconds("patience"),
        json: matches.get_flag("json"),
    })
}
