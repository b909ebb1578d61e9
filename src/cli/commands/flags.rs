//! The protocol's options as flags; a subcommand has those that it uses. The range of a number belongs to its flag: no command
//! gets a number that it cannot use.

use crate::game::{Variant, all_names, names};
use crate::protocol::options::{OPTIONS, OptionError, OptionSpec, Settings, SpecKind};
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use std::ops::RangeInclusive;

/// The name of [`game_argument`].
const GAME: &str = "game";

/// The flag of the option that chooses the game.
const VARIANT: &str = "variant";

/// The options with a value.
pub fn flags() -> impl Iterator<Item = &'static OptionSpec> {
    OPTIONS.iter().filter(|spec| !matches!(spec.kind, SpecKind::Button))
}

pub fn flag(spec: &OptionSpec) -> Arg {
    Arg::new(spec.flag())
        .long(spec.flag())
        .value_name(placeholder(spec))
        .action(ArgAction::Set)
        .allow_hyphen_values(true)
        .help(help(spec))
        .help_heading("Options of the protocol")
}

/// The flag of a rule set, for subcommands without the option `Variant`.
pub(super) fn variant_argument() -> Arg {
    Arg::new(VARIANT)
        .long(VARIANT)
        .value_name("NAME")
        .value_parser(PossibleValuesParser::new(names()))
        .help("Rule set [default: awari]")
}

/// The game as a word without a flag, another form of `--variant`. Other flags may change its rules.
pub(super) fn game_argument() -> Arg {
    let game = Arg::new(GAME).value_name("GAME").value_parser(game_names()).ignore_case(true);
    game.conflicts_with(VARIANT).help("The game; without it, that of the flags")
}

/// A subcommand with the flags that `is_used` picks.
pub(super) fn with_flags(command: Command, is_used: impl Fn(&str) -> bool) -> Command {
    command.args(flags().filter(|spec| is_used(&spec.flag())).map(flag))
}

/// A flag with a value that its option does not allow.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct FlagError(String);

impl FlagError {
    /// The fault of a flag: the game has been chosen, and no line of the protocol can change that.
    fn of(flag: &str, error: &OptionError) -> FlagError {
        FlagError(match error {
            OptionError::NoSuchRule { variant, .. } => {
                let have = Variant::ALL.iter().filter(|other| other.has_options());
                let have: Vec<&str> = have.map(|other| other.name()).collect();
                format!("{variant} has no option --{flag}; {} has", have.join(", "))
            }
            OptionError::Seeds { found, variant, .. } => {
                format!(
                    "--{flag}: {variant} is played with {} seeds a pit, not {found}",
                    variant.seeds_text()
                )
            }
            other => other.to_string(),
        })
    }
}

/// The settings from flags, except those for which a subcommand has a flag of another form.
pub fn settings(matches: &ArgMatches) -> Result<Settings, FlagError> {
    let mut settings = Settings::default();
    let mut named = Vec::new();
    let given = |name: &str| {
        let value = matches.try_get_one::<String>(name).ok().flatten();
        value.filter(|_| matches.value_source(name) == Some(ValueSource::CommandLine))
    };
    for spec in flags() {
        let flag = spec.flag();
        let game = if flag == VARIANT { given(GAME) } else { None };
        if let Some(value) = given(&flag).or(game) {
            spec.set(&mut settings, Some(value)).map_err(|error| FlagError::of(&flag, &error))?;
            named.push(flag);
        }
    }
    // A strength that is named is meant to be played, unless another flag says that it is not.
    settings.limit_strength |=
        named.iter().any(|flag| flag == "elo") && !named.iter().any(|flag| flag == "limitstrength");
    Ok(settings)
}

/// The names of all games, of which the help lists only some.
pub(super) fn game_names() -> PossibleValuesParser {
    let listed = names();
    let hidden = all_names().into_iter().filter(|name| !listed.contains(name));
    let hidden: Vec<PossibleValue> = hidden.map(|name| PossibleValue::new(name).hide(true)).collect();
    PossibleValuesParser::new(listed.into_iter().map(PossibleValue::new).chain(hidden))
}

/// The placeholder of a flag's value in the help.
fn placeholder(spec: &OptionSpec) -> String {
    match spec.kind {
        SpecKind::Spin { .. } => "N".to_owned(),
        SpecKind::Check { .. } => "true|false".to_owned(),
        SpecKind::Combo { .. } => "NAME".to_owned(),
        SpecKind::Text { what, .. } => if what.contains("folder") { "DIR" } else { "FILE" }.to_owned(),
        SpecKind::Button => String::new(),
    }
}

/// A flag's help: its effect, values and default.
fn help(spec: &OptionSpec) -> String {
    let doc = spec.doc.trim_end_matches('.');
    match spec.kind {
        SpecKind::Spin { default, min, max, .. } => format!("{doc} [{min} to {max}; default: {default}]"),
        SpecKind::Check { default, .. } => format!("{doc} [default: {default}]"),
        SpecKind::Combo { default, vars, .. } => {
            format!("{doc} [{}; default: {default}]", vars().join(", "))
        }
        SpecKind::Text { .. } | SpecKind::Button => doc.to_owned(),
    }
}

const MOST_THREADS: u64 = 1024;
pub(super) const NODES: RangeInclusive<u64> = 1..=1_000_000_000_000;

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
