//! Options of the protocol before a subcommand.

use super::commands::{Tool, flags};
use crate::printable::agreeing;
use clap::Command;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use std::ffi::OsString;

/// Moves options of the protocol from before a subcommand to after its name, because only there clap accepts them. Other
/// command lines are unchanged.
pub(super) fn placed(arguments: Vec<OsString>) -> Vec<OsString> {
    let Some(Placing { mut path, options, rest }) = placing(&arguments) else { return arguments };
    path.insert(0, arguments[0].clone());
    [path, options, rest].concat()
}

/// A command line in three parts, without the name of the program.
struct Placing {
    path: Vec<OsString>,
    /// The options before and between the names.
    options: Vec<OsString>,
    rest: Vec<OsString>,
}

fn placing(arguments: &[OsString]) -> Option<Placing> {
    let (mut path, mut options) = (Vec::new(), Vec::new());
    let tools = Tool::usages();
    let mut names: Vec<&Command> = tools.iter().collect();
    let mut at = 1;
    loop {
        while let Some(length) = option_at(&arguments[at.min(arguments.len())..]) {
            options.extend_from_slice(&arguments[at..at + length]);
            at += length;
        }
        let word = arguments.get(at)?;
        let command = names.into_iter().find(|command| is_called(command, word))?;
        path.push(word.clone());
        at += 1;
        if !command.has_subcommands() {
            return Some(Placing { path, options, rest: arguments[at..].to_vec() });
        }
        names = command.get_subcommands().collect();
    }
}

fn is_called(command: &Command, word: &OsString) -> bool {
    std::iter::once(command.get_name()).chain(command.get_all_aliases()).any(|name| word == name)
}

/// The number of words of a leading option of the protocol.
fn option_at(words: &[OsString]) -> Option<usize> {
    let word = words.first()?.to_str()?.strip_prefix("--")?;
    let (name, length) = word.split_once('=').map_or((word, 2), |(name, _)| (name, 1));
    (is_flag(name) && length <= words.len()).then_some(length)
}

fn is_flag(name: &str) -> bool {
    flags().any(|spec| spec.flag() == name)
}

/// Adds the commands that have an unknown option to clap's error.
pub(super) fn explained(error: clap::Error, arguments: &[OsString]) -> clap::Error {
    let Some(ContextValue::String(option)) = error.get(ContextKind::InvalidArg) else { return error };
    let name = option.trim_start_matches('-');
    let known = leaves();
    let having: Vec<&str> =
        known.iter().filter(|(_, command)| has(command, name)).map(|(path, _)| path.as_str()).collect();
    if error.kind() != ErrorKind::UnknownArgument || having.is_empty() {
        return error;
    }
    let path = placing(arguments).map(|placing| placing.path.join(" ".as_ref()));
    let message = match path.as_ref().and_then(|path| path.to_str()) {
        Some(path) if is_flag(name) => {
            format!(
                "`kroo {path}` does not use {option}; {} {}",
                commands(&having),
                agreeing(having.len() as u64, "does", "do")
            )
        }
        Some(_) => return error,
        None => format!("{option} is an option of {}: type it after the command", commands(&having)),
    };
    clap::Error::raw(ErrorKind::UnknownArgument, format!("{message}\n"))
}

/// A list of commands in backquotes: `kroo play`, `kroo web` and `kroo analyse`.
fn commands(paths: &[&str]) -> String {
    let quoted: Vec<String> = paths.iter().map(|path| format!("`kroo {path}`")).collect();
    match &quoted[..] {
        [first @ .., before, last] => [first, &[format!("{before} and {last}")]].concat().join(", "),
        one => one.concat(),
    }
}

fn has(command: &Command, name: &str) -> bool {
    command.get_arguments().any(|argument| argument.get_long() == Some(name))
}

/// The subcommands without subcommands, with their full names.
fn leaves() -> Vec<(String, Command)> {
    let mut open: Vec<(String, Command)> =
        Tool::usages().into_iter().rev().map(|tool| (tool.get_name().to_owned(), tool)).collect();
    let mut found = Vec::new();
    while let Some((path, command)) = open.pop() {
        if command.has_subcommands() {
            let inner: Vec<Command> = command.get_subcommands().cloned().collect();
            open.extend(inner.into_iter().rev().map(|inner| (format!("{path} {}", inner.get_name()), inner)));
        } else {
            found.push((path, command));
        }
    }
    found
}
