//! The commands, and their options.

use super::arguments::{MatchArguments, MatchOptions, StatsOptions, TuneArguments};
use super::words::WORDS;
use crate::check::{self, CheckOptions};
use crate::output::{AuditOptions, MergeOptions};
use crate::queue::{StatusOptions, WorkerOptions};
use clap::builder::PossibleValuesParser;
use clap::{Arg, Command, CommandFactory, Parser, Subcommand};
use kroo::cli::usage::VERSION;

const USAGE: &str = "referee --engine cmd=PATH [WORD...] --engine cmd=PATH [WORD...] [OPTIONS]\n       \
     referee COMMAND ... (`referee help COMMAND` explains it)";

/// The most columns of a line of help.
pub const COLUMNS: usize = 80;
/// The help of `--engine` in `referee tune`.
const TUNED_ENGINE: &str = "The engine, described by words [default: the `kroo` in the referee's folder]";

/// The end of the help, in both forms.
const EXAMPLES: &str = "\
Examples:
  referee --engine cmd=./new --engine cmd=./old --each st=0.1 --rounds 100
  referee --engine cmd=./new --engine cmd=./old --each tc=8+0.08 \\
          --sprt elo0=0 elo1=5 --journal test.journal
  referee stats games.ogn";

/// The options of a match in the short form, with their help.
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

/// Play matches between engines of mancala games.
#[derive(Debug, Parser)]
#[command(
    name = "referee",
    version = VERSION,
    about = "Play matches between engines of mancala games.",
    override_usage = USAGE,
    after_long_help = format!("{WORDS}\n\n{EXAMPLES}"),
    args_conflicts_with_subcommands = true,
    subcommand_value_name = "COMMAND"
)]
pub(super) struct CommandLine {
    #[command(subcommand)]
    pub command: Option<Commands>,
    #[command(flatten)]
    pub arguments: MatchArguments,
}

#[derive(Debug, Subcommand)]
pub(super) enum Commands {
    #[command(flatten)]
    Other(Action),
    /// Tune parameters of an engine by games against itself (SPSA)
    Tune(Box<TuneArguments>),
}

/// The command of the command line.
#[derive(Debug, Subcommand)]
pub enum Action {
    /// Check whether an engine follows the protocol
    Check(Box<CheckOptions>),
    /// Join the journals of the parts of a tournament into one result
    Merge(MergeOptions),
    /// List the games, score and faults of each worker of a queue
    Audit(AuditOptions),
    /// Show Elo, LOS and SPRT of results, without playing
    Stats(StatsOptions),
    /// Show games, rate, LLR and workers of a queue
    Status(StatusOptions),
    /// Play games for `referee --queue URL`
    Worker(Box<WorkerOptions>),
    /// Play a match, or tune an engine by one.
    #[command(skip)]
    Play(Box<MatchOptions>),
    /// Be the cleanup process of another referee with this mark.
    #[command(skip)]
    CleanUp(String),
    /// Be the shim of an engine of another referee.
    #[command(skip)]
    Shim,
    /// Print a text: help, or the version.
    #[command(skip)]
    Print(String),
}

/// The grammar of the command line.
pub fn command() -> Command {
    // Which checks there are is known where they are carried out, which needs the options.
    let names = |arg: Arg| arg.value_parser(PossibleValuesParser::new(check::names()));
    CommandLine::command()
        .max_term_width(COLUMNS)
        .mut_subcommand("check", |check| check.mut_arg("only", names))
        .mut_subcommand("tune", |tune| tune.mut_arg("engine", |engine| engine.help(TUNED_ENGINE)))
}

/// The grammar with help for one screen: a few options, and the names of the commands.
pub(super) fn in_brief() -> Command {
    let command = command();
    let mut names: Vec<&str> = command.get_subcommands().map(Command::get_name).collect();
    names.sort_unstable();
    let after = format!(
        "{EXAMPLES}\n\nCommands: {}. `referee help COMMAND` explains one. `referee --help` has all options and words.",
        names.join(", ")
    );
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
