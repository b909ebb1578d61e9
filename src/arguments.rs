//! The command line. Every option of the protocol is a flag too, from the same table.

use crate::protocol::options::{OPTIONS, OptionError, OptionSpec, Settings, SpecKind};
use crate::protocol::{COMMANDS, Command, ParseError};
use crate::tools::Tool;
use clap::{Arg, ArgAction, ArgMatches};
use std::ffi::OsString;

/// What the command line asks for.
#[derive(Debug)]
pub struct Arguments {
    /// The settings to start with.
    pub settings: Settings,
    /// What to do.
    pub action: Action,
}

/// What the program should do.
#[derive(Debug)]
pub enum Action {
    /// Hold a conversation over standard input and output.
    Converse,
    /// Carry out one command of the protocol.
    Command(Command),
    /// Run a subcommand.
    Tool(Tool),
}

/// An error in the command line, or the help that it asked for.
#[derive(Debug, thiserror::Error)]
pub enum ArgumentError {
    /// It does not match the usage, or it asks for help or the version.
    #[error(transparent)]
    Usage(#[from] clap::Error),
    /// A flag has a value that its option does not take.
    #[error("{0}")]
    Option(#[from] OptionError),
    /// The words after the flags are not a command.
    #[error("`{line}`: {error}{}", suggestion(line))]
    Command {
        /// The words.
        line: String,
        /// Why not.
        error: ParseError,
    },
}

/// Parses the command line, beginning with the name of the program.
///
/// # Errors
/// If it is not valid, or if it asks for help or the version, which is a [`clap::Error`] too.
pub fn read(arguments: impl IntoIterator<Item = OsString>) -> Result<Arguments, ArgumentError> {
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    if let [path, help, name] = &arguments[..]
        && help == "help"
        && Tool::usages().iter().any(|usage| name == usage.get_name())
    {
        return read([path.clone(), name.clone(), "--help".into()]);
    }
    let matches = program().try_get_matches_from(arguments)?;
    let mut settings = Settings::default();
    for spec in flags() {
        let flag = spec.flag();
        if let Some(value) = matches.get_one::<String>(&flag) {
            spec.set(&mut settings, Some(value))?;
        }
    }
    let action = match Tool::read(&matches, &settings)? {
        Some(tool) => Action::Tool(tool),
        None => command(&matches)?.map_or(Action::Converse, Action::Command),
    };
    Ok(Arguments { settings, action })
}

/// The words after the flags, parsed as a line of the protocol.
fn command(matches: &ArgMatches) -> Result<Option<Command>, ArgumentError> {
    let words: Vec<&String> = matches.get_many("command").into_iter().flatten().collect();
    let line = words.into_iter().map(String::as_str).collect::<Vec<_>>().join(" ");
    Command::parse(&line).map_err(|error| ArgumentError::Command { line, error })
}

/// The command of the shell or of the protocol that somebody may have meant.
fn suggestion(line: &str) -> String {
    let word = line.split_whitespace().next().unwrap_or_default().to_lowercase();
    let tools = Tool::usages();
    let commands = COMMANDS.iter().filter_map(|(usage, _)| usage.split_whitespace().next());
    let names = tools.iter().map(clap::Command::get_name).chain(commands);
    let close = names.map(|name| (strsim::damerau_levenshtein(&word, name), name));
    let limit = (word.chars().count() / 3).max(1);
    match close.min().filter(|&(distance, _)| (1..=limit).contains(&distance)) {
        Some((_, name)) => format!("; did you mean `kroo {name}`?"),
        None => {
            "; `kroo --help` lists the commands of the shell, `kroo help` those of the protocol".to_owned()
        }
    }
}

/// The options that have a value.
fn flags() -> impl Iterator<Item = &'static OptionSpec> {
    OPTIONS.iter().filter(|spec| !matches!(spec.kind, SpecKind::Button))
}

/// The grammar of the command line.
#[must_use]
pub fn program() -> clap::Command {
    let flags = flags().map(|spec| {
        Arg::new(spec.flag())
            .long(spec.flag())
            .value_name(spec.allowed())
            .action(ArgAction::Set)
            .allow_hyphen_values(true)
            .help(spec.doc)
    });
    let command = Arg::new("command")
        .num_args(0..)
        .value_name("COMMAND")
        .help("A command to carry out instead of a conversation, such as `perft 10`, `bench` or `help`");
    let usages: Vec<&str> = COMMANDS.iter().map(|(usage, _)| *usage).collect();
    clap::Command::new("kroo")
        .version(env!("CARGO_PKG_VERSION"))
        .about("An engine for mancala games. Without a command it speaks the line protocol (see protocol.md) on standard input and \
             output.")
        .after_help(format!("Commands of the protocol:\n  {}", usages.join("\n  ")))
        .disable_help_subcommand(true)
        .args(flags)
        .arg(command)
        .subcommands(Tool::usages())
}
