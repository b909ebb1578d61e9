//! Help texts: lines of at most 80 columns, and a short form with the options that most matches need.

use clap::builder::StyledStr;
use clap::{Arg, Command};
use std::fmt::Write;

/// The most columns of a line.
pub const COLUMNS: usize = 80;
/// The column of an option's text in the long form.
const INDENT: usize = 10;
/// The fewest columns for a text in the short form.
const NARROWEST: usize = 36;

/// The options of a match that the short form has, with what it says of them.
const SHORT: [(&str, &str); 11] = [
    ("engine", "Words that describe an engine"),
    ("each", "Words for all engines"),
    ("variant", "The rule set [default: awari]"),
    ("rounds", "Rounds of two games, with sides swapped [default: 4]"),
    ("sprt", "Stop when a sequential test is decided"),
    ("openings", "Take openings from a file"),
    ("concurrency", "Games at the same time [default: 1]"),
    ("games-out", "Append the games to a file (.ogn)"),
    ("html", "Write a report for a browser"),
    ("journal", "Save each game at once, to be resumed"),
    ("resume", "Resume the match of the journal"),
];
/// The help of `--engine` in `referee tune`.
const TUNED_ENGINE: &str = "The engine, described by words [default: the `kroo` in the referee's folder]";

/// Breaks the lines of the help of `referee` and of its commands.
pub(super) fn fitted(command: Command) -> Command {
    let command =
        command.mut_subcommand("tune", |command| command.mut_arg("engine", |arg| arg.help(TUNED_ENGINE)));
    broken(command.mut_args(|arg| fitted_arg(arg, 0))).mut_subcommands(|command| {
        let column = command.get_arguments().map(width).max().unwrap_or_default();
        broken(command).mut_args(|arg| fitted_arg(arg, column))
    })
}

/// The grammar whose help fits on a screen: a few options, and the names of the commands.
pub(super) fn in_brief(command: Command, examples: &str) -> Command {
    let mut names: Vec<&str> = command.get_subcommands().map(Command::get_name).collect();
    names.sort_unstable();
    let rest = format!(
        "Commands: {}. `referee help COMMAND` explains one. `referee --help` has all options and words.",
        names.join(", ")
    );
    let after = format!("{examples}\n\n{}", filled(&rest, COLUMNS));
    let brief = |arg: Arg| match SHORT.iter().find(|(name, _)| arg.get_long() == Some(name)) {
        Some((_, help)) if arg.get_action().takes_values() => {
            arg.help(*help).hide_default_value(true).help_heading(None::<&str>)
        }
        Some((_, help)) => arg.help(*help).help_heading(None::<&str>),
        None => arg.hide_short_help(true),
    };
    command
        .mut_args(brief)
        .mut_subcommands(|command| command.hide(true))
        .disable_help_subcommand(true)
        .after_help(after)
}

/// The texts around the options of a command.
fn broken(command: Command) -> Command {
    let text = |text: Option<&StyledStr>| text.map(|text| filled_text(&text.to_string()));
    let (after, after_long) = (text(command.get_after_help()), text(command.get_after_long_help()));
    let command = match after {
        Some(after) => command.after_help(after),
        None => command,
    };
    match after_long {
        Some(after) => command.after_long_help(after),
        None => command,
    }
    // Whole lines are given, so clap moves no text below its option.
    .term_width(0)
}

fn fitted_arg(arg: Arg, column: usize) -> Arg {
    let Some(help) = arg.get_help().map(ToString::to_string) else { return arg };
    let room = COLUMNS.saturating_sub(column).max(NARROWEST);
    let long = arg.get_long_help().map_or_else(|| help.clone(), ToString::to_string);
    let paragraphs: Vec<String> =
        long.split("\n\n").map(|paragraph| filled(paragraph, COLUMNS - INDENT)).collect();
    arg.long_help(paragraphs.join("\n\n")).help(filled(&help, room))
}

/// The columns that the short form takes for the name and the value of an option, at most.
fn width(arg: &Arg) -> usize {
    let values: usize = arg.get_value_names().unwrap_or_default().iter().map(|name| name.len() + 6).sum();
    12 + arg.get_long().unwrap_or_default().len() + values
}

/// A text wrapped at a number of columns.
fn filled(text: &str, columns: usize) -> String {
    let (mut filled, mut used) = (String::new(), 0);
    for word in text.split_whitespace() {
        let length = word.chars().count();
        if used > 0 && used + 1 + length > columns {
            filled.push('\n');
            used = 0;
        }
        if used > 0 {
            filled.push(' ');
            used += 1;
        }
        filled.push_str(word);
        used += length;
    }
    filled
}

/// Paragraphs and tables of words. A row begins with two blanks; its text follows after two more, or in the lines below, which begin
/// with more blanks.
pub fn filled_text(text: &str) -> String {
    let mut blocks: Vec<Block> = Vec::new();
    for line in text.lines() {
        let blanks = line.len() - line.trim_start().len();
        let words = line.trim();
        match blocks.last_mut() {
            _ if words.is_empty() => blocks.push(Block::Blank),
            Some(Block::Row { column, text, .. }) if blanks > 4 => {
                *column = (*column).max(blanks);
                text.push(' ');
                text.push_str(words);
            }
            Some(Block::Paragraph(text)) if blanks == 0 && !text.ends_with(':') => {
                text.push(' ');
                text.push_str(words);
            }
            _ if blanks == 0 => blocks.push(Block::Paragraph(words.to_owned())),
            _ => {
                let (key, text) = words.split_once("  ").unwrap_or((words, ""));
                let column = if text.is_empty() { 0 } else { line.len() - text.trim_start().len() };
                blocks.push(Block::Row { key: key.to_owned(), column, text: text.trim().to_owned() });
            }
        }
    }
    let lines: Vec<String> = blocks.iter().map(Block::text).collect();
    lines.join("\n")
}

enum Block {
    Blank,
    Paragraph(String),
    Row { key: String, column: usize, text: String },
}

impl Block {
    fn text(&self) -> String {
        match self {
            Block::Blank => String::new(),
            Block::Paragraph(text) => filled(text, COLUMNS),
            Block::Row { key, text, .. } if text.is_empty() => format!("  {key}"),
            Block::Row { key, column, text } => {
                let lines = filled(text, COLUMNS - column);
                let mut row = format!("  {key}");
                for (place, line) in lines.lines().enumerate() {
                    if place > 0 || row.len() + 1 >= *column {
                        let _ = write!(row, "\n{:column$}{line}", "");
                    } else {
                        row = format!("{row:column$}{line}");
                    }
                }
                row
            }
        }
    }
}
