//! The commands, and their options.

use super::arguments::{MatchArguments, MatchOptions, StatsOptions, TuneArguments};
use super::help::fitted;
use super::words::WORDS;
use crate::check::{self, CheckOptions};
use crate::output::{AuditOptions, MergeOptions};
use crate::queue::{StatusOptions, WorkerOptions};
use clap::builder::PossibleValuesParser;
use clap::{Arg, Command, CommandFactory, Parser, Subcommand};
use kroo::cli::usage::VERSION;

const USAGE: &str = "referee --engine cmd=PATH [WORD...] --engine cmd=PATH [WORD...] [OPTIONS]\n       \
     referee COMMAND ... (`referee help COMMAND` explains it)";

/// The end of the help, in both forms.
pub(super) const EXAMPLES: &str = "\
Examples:
  referee --engine cmd=./new --engine cmd=./old --each st=0.1 --rounds 100
  referee --engine cmd=./new --engine cmd=./old --each tc=8+0.08 \\
          --sprt elo0=0 elo1=5 --journal test.journal
  referee stats games.ogn";

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
    /// Be the cleanup process of another referee, whose engines have this mark.
    #[command(skip)]
    CleanUp(String),
    /// Be the shim of an engine of another referee.
    #[command(skip)]
    Shim,
    /// Print a text: help, or the version.
    #[command(skip)]
    Print(String),
}

/// The grammar of the command line, with its help.
pub fn command() -> Command {
    fitted(grammar())
}

/// The grammar of the command line. Its help has long lines: fitting it takes longer than everything else before a match.
pub(super) fn grammar() -> Command {
    // Which checks there are is known where they are carried out, which needs the options.
    let names = |arg: Arg| arg.value_parser(PossibleValuesParser::new(check::names()));
    let with_names = |check: Command| check.mut_arg("only", names);
    CommandLine::command().mut_subcommand("check", with_names)
}
