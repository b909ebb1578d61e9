//! The arguments of `referee check`.

use super::contestants::ContestantError;
use super::engine::EngineWords;
use super::error::ArgumentError;
use super::syntax::{flag_arg, number, number_arg, text, variant, variant_arg};
use crate::check::CheckOptions;
use clap::{Arg, ArgMatches, Command};
use kroo::game::MOVE_LIMIT;
use kroo::protocol::Dialect;
use std::time::Duration;

/// The command's name.
pub(super) const NAME: &str = "check";

const AFTER: &str = "\
WORD is args=TEXT, dir=PATH, option.NAME=TEXT, startup=SECONDS or stderr=FILE, as after --engine (see referee --help).

Exit status: 0 if there is no fault; 2 if there are faults; 1 after an error in the arguments or with the machine;
128 + N if signal N has stopped the check.";

/// The grammar.
pub(super) fn command() -> Command {
    Command::new(NAME)
        .about("Check whether an engine follows the protocol")
        .after_help(AFTER)
        .arg(Arg::new("engine").value_name("ENGINE").required(true).help("The program"))
        .arg(Arg::new("words").value_name("WORD").num_args(0..).help("Words that describe it (see below)"))
        .arg(variant_arg("The rule set of an engine without the option UCI_Variant"))
        .arg(number_arg("games", 1..=10_000, "2", "Random games for each rule set"))
        .arg(number_arg("max-moves", 1..=10_000, MOVE_LIMIT.to_string(), "Moves of each random game"))
        .arg(number_arg("seed", 0..=u64::MAX, "1", "The random seed of these games"))
        .arg(
            number_arg("margin", 0..=60_000, "50", "How late an answer may be, in milliseconds")
                .value_name("MS"),
        )
        .arg(
            number_arg(
                "answer-timeout",
                1..=600_000,
                "2000",
                "How long an answer may take if there is no time limit, in milliseconds",
            )
            .value_name("MS"),
        )
        .arg(flag_arg("ugi", "Speak UGI, not UCI, and check the answers to `query`"))
        .arg(flag_arg("json", "Print the report as JSON"))
}

/// What the arguments mean.
pub(super) fn options(matches: &ArgMatches) -> Result<CheckOptions, ArgumentError> {
    let words: Vec<String> = matches.get_many("words").into_iter().flatten().cloned().collect();
    let keys = ["args", "dir", "option.NAME", "startup", "stderr"];
    let protocol = if matches.get_flag("ugi") { Dialect::Ugi } else { Dialect::Uci };
    let contestant = EngineWords::parse_some(NAME, &words, &keys)
        .and_then(|words| {
            words.in_protocol(protocol).with_command(text(matches, "engine")).contestant(Duration::ZERO)
        })
        .map_err(ContestantError::Word)?;
    let milliseconds = |name| Duration::from_millis(number(matches, name));
    Ok(CheckOptions {
        spec: contestant.engine,
        variant: variant(matches)?,
        games: number(matches, "games") as u32,
        max_moves: number(matches, "max-moves") as usize,
        seed: number(matches, "seed"),
        margin: milliseconds("margin"),
        answer_timeout: milliseconds("answer-timeout"),
        json: matches.get_flag("json"),
    })
}
