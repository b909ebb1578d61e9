//! Flags with a number: the range belongs to the flag, so no command gets a number that it cannot use.

use clap::builder::TypedValueParser;
use clap::{Arg, value_parser};
use std::ops::RangeInclusive;

/// Maximum number of threads of a command.
const MOST_THREADS: u64 = 1024;
/// The node limits of a search.
pub(super) const NODES: RangeInclusive<u64> = 1..=1_000_000_000_000;

/// A flag with a whole number.
pub(super) fn number(name: &'static str, range: RangeInclusive<u64>) -> Arg {
    Arg::new(name).long(name).value_name("N").value_parser(value_parser!(u64).range(range))
}

/// A flag with a number of threads, a `usize`.
pub(super) fn threads() -> Arg {
    let parser = value_parser!(u64).range(1..=MOST_THREADS).map(|threads| threads as usize);
    Arg::new("threads").long("threads").value_name("N").value_parser(parser)
}

/// A flag with a number that need not be whole.
pub(super) fn real(name: &'static str, range: RangeInclusive<f32>) -> Arg {
    let parse = move |text: &str| match text.parse::<f32>() {
        Ok(number) if range.contains(&number) => Ok(number),
        _ => Err(format!("expected a number from {} to {}", range.start(), range.end())),
    };
    Arg::new(name).long(name).value_name("X").value_parser(parse)
}
