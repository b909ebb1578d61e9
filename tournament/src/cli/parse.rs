//! From the words of the command line to what they ask for.

use super::command_line::{Action, CommandLine, Commands, command, in_brief};
use super::recorded;
use crate::engine::{CLEANUP_FLAG, SHIM_FLAG};
use crate::failure::Failure;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{ArgMatches, Command, FromArgMatches};
use kroo::cli::usage::explained;
use kroo::protocol::nearest;
use std::ffi::OsString;

/// Reads the command line; its first word is the program's name.
pub fn parse(arguments: impl IntoIterator<Item = OsString>) -> Result<Action, Failure> {
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    if let [_, flag, mark] = arguments.as_slice()
        && flag == CLEANUP_FLAG
    {
        return Ok(Action::CleanUp(mark.to_string_lossy().into_owned()));
    }
    if let [_, flag] = arguments.as_slice()
        && flag == SHIM_FLAG
    {
        return Ok(Action::Shim);
    }
    let read = command().try_get_matches_from(&arguments).or_else(|error| match error.kind() {
        ErrorKind::DisplayHelp if wants_brief_help(&arguments) => in_brief().try_get_matches_from(&arguments),
        _ => Err(error),
    });
    match read {
        Ok(matches) => action(&matches),
        Err(error) if matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) => {
            Ok(Action::Print(error.to_string()))
        }
        Err(error) => Err(Failure::new(unknown_command(&error).unwrap_or_else(|| explained(&error)))),
    }
}

/// The message about a word that is no command.
fn unknown_command(error: &clap::Error) -> Option<String> {
    let (ErrorKind::InvalidSubcommand, Some(ContextValue::String(word))) =
        (error.kind(), error.get(ContextKind::InvalidSubcommand))
    else {
        return None;
    };
    let command = command();
    let mut names: Vec<&str> = command.get_subcommands().map(Command::get_name).collect();
    names.sort_unstable();
    let hint = match nearest(word, names.iter().copied()) {
        Some(name) => format!("did you mean `referee {name}`?"),
        None => format!("the commands are {}; `referee --help` has the options of a match", names.join(", ")),
    };
    Some(format!("`{word}`: no such command; {hint}"))
}

/// Whether the short form of the help is asked for. A command has its own help, in one form only.
fn wants_brief_help(arguments: &[OsString]) -> bool {
    let command = command();
    arguments.iter().any(|word| word == "-h")
        && !arguments.iter().any(|word| command.find_subcommand(word).is_some())
}

/// The request of a well-formed command line: a command or a match. All words are parsed before anything starts.
pub(super) fn action(matches: &ArgMatches) -> Result<Action, Failure> {
    let read = CommandLine::from_arg_matches(matches);
    let CommandLine { command, arguments } = read.map_err(|error| Failure::new(explained(&error)))?;
    let mut action = match command {
        Some(Commands::Tune(arguments)) => Action::Play(Box::new(arguments.options()?)),
        Some(Commands::Other(action)) => action,
        None => Action::Play(Box::new(arguments.options()?)),
    };
    match &mut action {
        Action::Play(options) => options.given = recorded::options(matches),
        Action::Worker(options) => options.queue.address.check(options.queue.insecure)?,
        Action::Status(options) => options.queue.address.check(options.queue.insecure)?,
        _ => {}
    }
    Ok(action)
}
