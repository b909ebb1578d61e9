//! What a command line asks for.

use super::error::ArgumentError;
use super::match_options::MatchOptions;
use super::{
    accuracy, audit, check, history, match_options, match_syntax, merge, opening_set, recorded, stats,
    status, test, tune, worker,
};
use crate::accuracy::AccuracyOptions;
use crate::audit::AuditOptions;
use crate::check::CheckOptions;
use crate::commit_test::{HistoryOptions, TestOptions};
use crate::engine::{CLEANUP_FLAG, SHIM_FLAG};
use crate::file_results::StatsOptions;
use crate::merge::MergeOptions;
use crate::opening_set::OpeningSetOptions;
use crate::queue::{StatusOptions, WorkerOptions};
use clap::ArgMatches;
use clap::error::ErrorKind;
use kroo::usage::explained;
use std::ffi::OsString;

/// What the command line asks for.
#[derive(Debug)]
pub enum Action {
    /// Play a match, or tune an engine by one.
    Play(Box<MatchOptions>),
    /// Check whether an engine follows the protocol.
    Check(Box<CheckOptions>),
    /// Measure how often moves are right.
    MeasureAccuracy(Box<AccuracyOptions>),
    /// Make a set of openings.
    MakeOpenings(OpeningSetOptions),
    /// Show what results say about strength.
    Stats(StatsOptions),
    /// Join the journals of the parts of a tournament.
    Merge(MergeOptions),
    /// Show who has played what.
    Audit(AuditOptions),
    /// Play for a queue.
    Work(WorkerOptions),
    /// Show what is going on in a queue.
    Status(StatusOptions),
    /// Test a change of an engine.
    Test(Box<TestOptions>),
    /// Show the tests that were made.
    History(HistoryOptions),
    /// Be the cleanup process of another referee, whose engines have this mark.
    CleanUp(String),
    /// Be the shim of an engine of another referee.
    Shim,
    /// Print a text: help, or the version.
    Print(String),
}

/// Reads the command line, whose first word is the program's name.
///
/// # Errors
/// What is wrong with it.
pub fn parse(arguments: impl IntoIterator<Item = OsString>) -> Result<Action, ArgumentError> {
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
    match match_syntax::command().try_get_matches_from(arguments) {
        Ok(matches) => action(&matches),
        Err(error) if matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) => {
            Ok(Action::Print(error.to_string()))
        }
        Err(error) => Err(ArgumentError::Syntax(explained(&error))),
    }
}

/// What a well-formed command line asks for: one of the commands, or else a match.
fn action(matches: &ArgMatches) -> Result<Action, ArgumentError> {
    match matches.subcommand() {
        Some((accuracy::NAME, matches)) => Ok(Action::MeasureAccuracy(Box::new(accuracy::options(matches)?))),
        Some((opening_set::NAME, matches)) => Ok(Action::MakeOpenings(opening_set::options(matches)?)),
        Some((check::NAME, matches)) => Ok(Action::Check(Box::new(check::options(matches)?))),
        Some((merge::NAME, matches)) => Ok(Action::Merge(merge::options(matches))),
        Some((audit::NAME, matches)) => Ok(Action::Audit(audit::options(matches))),
        Some((worker::NAME, matches)) => Ok(Action::Work(worker::options(matches)?)),
        Some((status::NAME, matches)) => Ok(Action::Status(status::options(matches)?)),
        Some((tune::NAME, matches)) => {
            let words = recorded::words(Some(tune::NAME), matches);
            Ok(Action::Play(Box::new(MatchOptions { words, ..tune::options(matches)? })))
        }
        Some((test::NAME, matches)) => Ok(Action::Test(Box::new(tested(matches)?))),
        Some((history::NAME, matches)) => Ok(Action::History(history::options(matches)?)),
        Some((stats::NAME, matches)) => Ok(Action::Stats(stats::options(matches)?)),
        _ => {
            let words = recorded::words(None, matches);
            Ok(Action::Play(Box::new(MatchOptions { words, ..match_options::options(matches)? })))
        }
    }
}

/// The options of a test, whose matches are understood before anything is built.
fn tested(matches: &ArgMatches) -> Result<TestOptions, ArgumentError> {
    let options = test::options(matches, match_syntax::test_args())?;
    for trial in options.trials() {
        let trial = match_syntax::command().try_get_matches_from(trial);
        match_options::options(&trial.map_err(|error| ArgumentError::Syntax(explained(&error)))?)?;
    }
    Ok(options)
}
