//! The command line. Every option of the protocol is also a flag, before or after a command, from the same table.

use super::commands::{FlagError, Tool, flag, flags, settings};
use super::placing::{self, placed};
use super::usage::{VERSION, explained};
use crate::protocol::options::Settings;
use crate::protocol::{COMMANDS, Command, ParseError, nearest};
use clap::{Arg, ArgMatches};
use std::ffi::OsString;

#[derive(Debug)]
pub struct Arguments {
    /// The settings to start with.
    pub settings: Settings,
    pub action: Action,
}

#[derive(Debug)]
pub enum Action {
    /// Speak the protocol on standard input and output.
    Converse,
    /// Run one command of the protocol.
    Command(Command),
    Tool(Tool),
}

/// An error in the command line, or requested help.
#[derive(Debug, thiserror::Error)]
pub enum ArgumentError {
    /// A help text that clap does not generate.
    #[error("{0}")]
    Help(String),
    /// A usage error, or help or version by clap.
    #[error("{}", explained(.0))]
    Usage(#[from] clap::Error),
    #[error("{0}")]
    Flag(#[from] FlagError),
    #[error("`{word}`: no such command; {}", suggestion(word))]
    Unknown { word: String },
    #[error("`{line}`: {error}")]
    Command { line: String, error: ParseError },
}

/// Parses the command line, which begins with the program's name.
pub fn read(arguments: impl IntoIterator<Item = OsString>) -> Result<Arguments, ArgumentError> {
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    if let [path, help, topic @ ..] = &arguments[..]
        && help == "help"
        && topic.first().is_none_or(|word| !word.as_encoded_bytes().starts_with(b"-"))
    {
        return read(help_on(path, topic)?);
    }
    // `kroo bench --help`: the words before the flag name the command.
    if let Some(at) = arguments.iter().position(|word| word == "--help" || word == "-h")
        && let Ok(before) = program().try_get_matches_from(&arguments[..at])
        && let Some(name) = before.get_many::<String>("command").and_then(|mut words| words.next())
    {
        protocol_help(name)?;
    }
    let arguments = placed(arguments);
    let matches =
        program().try_get_matches_from(&arguments).map_err(|error| placing::explained(error, &arguments))?;
    let settings = settings(&matches)?;
    let action = match Tool::read(&matches)? {
        Some(tool) => Action::Tool(tool),
        None => command(&matches)?.map_or(Action::Converse, Action::Command),
    };
    Ok(Arguments { settings, action })
}

/// Translates `kroo help …` to the command line with `--help`, or answers it by the error [`ArgumentError::Help`].
fn help_on(path: &OsString, topic: &[OsString]) -> Result<Vec<OsString>, ArgumentError> {
    let (first, flag) = match topic {
        [] => return Ok(vec![path.clone(), "-h".into()]),
        [first, ..] => (first.to_string_lossy(), "--help".into()),
    };
    if Tool::usages().iter().all(|usage| first != usage.get_name()) {
        if first == "protocol" {
            return Err(ArgumentError::Help(protocol()));
        }
        protocol_help(&first)?;
        return Err(ArgumentError::Unknown { word: first.into_owned() });
    }
    Ok([std::slice::from_ref(path), topic, &[flag]].concat())
}

/// The text of `kroo help protocol`.
fn protocol() -> String {
    let commands: String =
        COMMANDS.iter().map(|(usage, meaning)| format!("  {usage}\n      {meaning}\n")).collect();
    format!(
        "Without a command, Kroo reads these lines from standard input:\n\n{commands}\n\
         Moves M are letters, A-F South's and a-f North's: FfEc. A position P is fifteen\n\
         fields: the seeds in A to F and a to f, both stores, and S or N to move.\n\
         Scores are in hundredths of a seed. Errors are lines `info string error`.\n\
         protocol.md in the sources defines every line.\n"
    )
}

/// Explains a command of the protocol by the error [`ArgumentError::Help`]; another word is no error.
fn protocol_help(name: &str) -> Result<(), ArgumentError> {
    let named = |usage: &str| usage.split_whitespace().next() == Some(name);
    let commands: Vec<String> = COMMANDS
        .iter()
        .filter(|(usage, _)| named(usage))
        .map(|(usage, meaning)| format!("Usage: kroo [OPTIONS] {usage}\n  {meaning}\n"))
        .collect();
    if commands.is_empty() {
        return Ok(());
    }
    let more = format!(
        "\nThis is a command of the protocol: `kroo {name} …` carries it out and ends.\n\
         `kroo help protocol` lists all of them, `kroo --help` the options.\n"
    );
    Err(ArgumentError::Help(commands.join("\n") + &more))
}

/// Parses the words after the flags as a line of the protocol.
fn command(matches: &ArgMatches) -> Result<Option<Command>, ArgumentError> {
    let words: Vec<&String> = matches.get_many("command").into_iter().flatten().collect();
    let line = words.iter().map(|word| word.as_str()).collect::<Vec<_>>().join(" ");
    Command::parse(&line).map_err(|error| {
        let first = words.first().map_or("", |word| word.as_str());
        let is_known = COMMANDS.iter().any(|(usage, _)| usage.split_whitespace().any(|word| word == first));
        if is_known {
            ArgumentError::Command { line, error }
        } else {
            ArgumentError::Unknown { word: first.to_owned() }
        }
    })
}

/// The command that resembles an unknown word, or else the main commands.
fn suggestion(word: &str) -> String {
    let tools = Tool::usages();
    let commands = COMMANDS.iter().filter_map(|(usage, _)| usage.split_whitespace().next());
    let names = tools.iter().map(clap::Command::get_name).chain(commands);
    match nearest(word, names) {
        Some(name) => format!("did you mean `kroo {name}`?"),
        None => {
            "try `kroo play`, `kroo web`, `kroo analyse` or, for a match, `referee`; `kroo --help` lists the \
                 commands, `kroo help protocol` those of the protocol"
                .to_owned()
        }
    }
}

/// The grammar of the command line, for clap.
pub fn program() -> clap::Command {
    let command = Arg::new("command").num_args(0..).value_name("COMMAND").hide(true);
    clap::Command::new("kroo")
        .version(VERSION)
        .about("An engine for mancala games. Without a command it speaks its line protocol on standard input and output.")
        .override_usage("kroo [OPTIONS] [COMMAND [ARGUMENTS]]")
        .max_term_width(80)
        .after_help(EXAMPLES)
        .disable_help_subcommand(true)
        .args(flags().map(|spec| flag(spec).hide_short_help(true)))
        .arg(command)
        .subcommands(Tool::usages())
}

const EXAMPLES: &str = "\
Options of the protocol are flags: --variant oware --hash 64.
`kroo help COMMAND` explains a command, `kroo help protocol` lists those of
the protocol.

Examples:
  kroo play --variant oware --level beginner
  kroo rules kalah
  kroo analyse --variant oware startpos moves FfEc --lines 3
  kroo analyse game.ogn --for mover
  printf 'position startpos moves Ff\\ngo depth 12\\n' | kroo --variant kalah";
