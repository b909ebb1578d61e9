//! Small parts of the command line's grammar, for clap.

use super::error::ArgumentError;
use clap::builder::{RangedU64ValueParser, StyledStr};
use clap::{Arg, ArgAction, ArgMatches, value_parser};
use kroo::game::{Variant, names};
use std::ops::RangeInclusive;
use std::path::PathBuf;

/// An option with words.
pub(super) fn words_arg(name: &'static str, help: &'static str) -> Arg {
    Arg::new(name).long(name).value_name("WORD").num_args(1..).action(ArgAction::Append).help(help)
}

/// An option with a text.
pub(super) fn text_arg(name: &'static str, value: &'static str, help: impl Into<StyledStr>) -> Arg {
    Arg::new(name).long(name).value_name(value).help(help)
}

/// An option with a file or a folder.
pub(super) fn path_arg(name: &'static str, value: &'static str, help: &'static str) -> Arg {
    text_arg(name, value, help).value_parser(value_parser!(PathBuf))
}

/// An option with a number and a default.
pub(super) fn number_arg(
    name: &'static str,
    range: RangeInclusive<u64>,
    default: impl Into<clap::builder::OsStr>,
    help: &'static str,
) -> Arg {
    let parser: RangedU64ValueParser = value_parser!(u64).range(range);
    text_arg(name, "N", help).value_parser(parser).default_value(default.into())
}

/// An option without a value.
pub(super) fn flag_arg(name: &'static str, help: &'static str) -> Arg {
    Arg::new(name).long(name).action(ArgAction::SetTrue).help(help)
}

/// The option of the rule set.
pub(super) fn variant_arg(help: &str) -> Arg {
    text_arg("variant", "NAME", format!("{help}: {}", names().join(", "))).default_value("awari")
}

/// The text of an option.
pub(super) fn text<'a>(matches: &'a ArgMatches, name: &str) -> Option<&'a str> {
    matches.get_one::<String>(name).map(String::as_str)
}

/// The number of an option that has a default.
pub(super) fn number(matches: &ArgMatches, name: &str) -> u64 {
    matches.get_one(name).copied().unwrap_or_default()
}

/// The rule set.
pub(super) fn variant(matches: &ArgMatches) -> Result<Variant, ArgumentError> {
    text(matches, "variant").unwrap_or("awari").parse().map_err(ArgumentError::Variant)
}
