//! The command line. Every option of the protocol is a flag as well, from the same table.

use crate::protocol::options::{OPTIONS, OptionError, OptionSpec, Settings, SpecKind};
use crate::protocol::{COMMANDS, Command, ParseError};
use crate::tools::Tool;
use clap::{Arg, ArgAction, ArgMatches};
use std::ffi::OsString;

/// What the command line asks for.
#[derive(Debug)]
pub struct Arguments {
    /// The settings to begin with.
    pub settings: Settings,
    /// What to do.
    pub task: Task,
}

/// What the program is to do.
#[derive(Debug)]
pub enum Task {
    /// Talk over standard input and output.
    Converse,
    /// Carry out one command of the protocol.
    Command(Command),
    /// Make files, or read them.
    Tool(Tool),
}

/// What is wrong with a command line, or the help that it asked for.
#[derive(Debug, thiserror::Error)]
pub enum ArgumentError {
    /// It does not fit the usage, or it asks for help or the version.
    #[error(transparent)]
    Usage(#[from] clap::Error),
    /// A flag has a value that its option does not take.
    #[error("{0}")]
    Option(#[from] OptionError),
    /// The words after the flags are no command.
    #[error("`{line}`: {error}")]
    Command {
        /// The words.
        line: String,
        /// What is wrong with them.
        error: ParseError,
    },
}

/// Reads the command line, the name of the program first.
///
/// # Errors
/// If it cannot be understood, or if it asks for help or the version: that is a [`clap::Error`] too.
pub fn read(arguments: impl IntoIterator<Item = OsString>) -> Result<Arguments, ArgumentError> {
    let matches = program().try_get_matches_from(arguments)?;
    let mut settings = Settings::default();
    for spec in flags() {
        let flag = spec.flag();
        if let Some(value) = matches.get_one::<String>(&flag) {
            spec.set(&mut settings, Some(value))?;
        }
    }
    let task = match Tool::read(&matches, &settings)? {
        Some(tool) => Task::Tool(tool),
        None => command(&matches)?.map_or(Task::Converse, Task::Command),
    };
    Ok(Arguments { settings, task })
}

/// The words after the flags, read as a line of the protocol.
fn command(matches: &ArgMatches) -> Result<Option<Command>, ArgumentError> {
    let words: Vec<&String> = matches.get_many("command").into_iter().flatten().collect();
    let line = words.into_iter().map(String::as_str).collect::<Vec<_>>().join(" ");
    Command::parse(&line).map_err(|error| ArgumentError::Command { line, error })
}

/// Options that have a value to begin with.
fn flags() -> impl Iterator<Item = &'static OptionSpec> {
    OPTIONS.iter().filter(|spec| !matches!(spec.kind, SpecKind::Button))
}

fn program() -> clap::Command {
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
        .help("A command to carry out in place of a conversation, such as `perft 10`, `bench` or `help`");
    let usages: Vec<&str> = COMMANDS.iter().map(|(usage, _)| *usage).collect();
    clap::Command::new("kroo")
        .version(env!("CARGO_PKG_VERSION"))
        .about("An engine for mancala games. Without a command it reads protocol.md's lines from standard input.")
        .after_help(format!("Commands:\n  {}", usages.join("\n  ")))
        .disable_help_subcommand(true)
        .args(flags)
        .arg(command)
        .subcommands(Tool::usages())
}
