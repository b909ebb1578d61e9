//! The commands: what each does with its options.

mod play;
#[cfg(not(feature = "queue"))]
#[path = "no_queue.rs"]
mod queue;
#[cfg(feature = "queue")]
mod queue;
mod supervision;

use super::arguments::{EngineWords, ResultSource, StatsOptions};
use super::parse::{action, parse};
use super::recorded::Resumption;
use super::signals::{SIGNALLED, stop_on_signal};
use super::{Action, exit};
use crate::check::{self, CheckOptions};
use crate::engine::{EngineSpec, be_shim, clean_up_after};
use crate::failure::Failure;
use crate::ledger::record::JournalReader;
use crate::ledger::results::{GameFiles, Summary};
use crate::output::{
    AuditOptions, GameFileMode, MergeOptions, Outputs, files_json, files_text, numbers_json, numbers_text,
};
use anyhow::{Context, bail};
use kroo::printable;
use kroo::protocol::Dialect;
use play::play;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGXFSZ};
use signal_hook::iterator::Signals;
use std::env;
use std::ffi::OsString;
use std::io;
use std::process::ExitCode;
use std::sync::atomic::Ordering;
use supervision::{end, raise_limits, start_supervisor};

/// Executes the command line of this process.
pub fn run() -> anyhow::Result<ExitCode> {
    match action_of(env::args_os().collect())? {
        Action::Play(options) => {
            let (stop, signal) = stop_on_signal()?;
            Ok(ExitCode::from(play(*options, &stop, &signal)?))
        }
        Action::Check(options) => check_engine(&options),
        Action::Stats(options) => stats(&options),
        Action::Merge(options) => merge(&options),
        Action::Audit(options) => audit(&options),
        Action::Worker(options) => queue::work(&options),
        Action::Status(options) => queue::status(&options),
        Action::CleanUp(mark) => {
            // It must outlive whatever ends the referee.
            let _ignored = Signals::new([SIGINT, SIGTERM, SIGHUP])?;
            clean_up_after(&mark, io::stdin().lock());
            Ok(ExitCode::SUCCESS)
        }
        Action::Shim => {
            let _ignored = Signals::new([SIGINT, SIGTERM, SIGHUP, SIGXFSZ])?;
            be_shim()?;
            Ok(ExitCode::SUCCESS)
        }
        Action::Print(text) => {
            print(&text, false)?;
            Ok(ExitCode::SUCCESS)
        }
    }
}

/// The action of a command line. One that resumes a match is completed from the journal; unless it describes the engines, it is
/// for the folder where the match began.
fn action_of(arguments: Vec<OsString>) -> anyhow::Result<Action> {
    let Some(resumption) = Resumption::of(&arguments) else { return Ok(parse(arguments)?) };
    let path = resumption.journal.clone();
    let reader = if path.exists() { JournalReader::open(&path)? } else { None };
    let header = reader.as_ref().map(JournalReader::header);
    match header.and_then(|header| Some((header, header.command.as_ref()?))) {
        Some((header, recorded)) => {
            let here = env::current_dir().context("cannot find the current folder")?;
            let elsewhere = recorded.folder != here.to_string_lossy();
            let has_engines = resumption.has_engines();
            let matches = resumption.over(header, recorded, elsewhere.then_some(&here))?;
            if elsewhere && !has_engines {
                let failed = || format!("{}: the match began in {}", path.display(), recorded.folder);
                env::set_current_dir(&recorded.folder).with_context(failed)?;
            }
            Ok(action(&matches)?)
        }
        None if !resumption.is_bare() => Ok(parse(arguments)?),
        None if header.is_none() => bail!("{}: there is no match to resume", path.display()),
        None => bail!("{}: this journal does not record its command line: give it, too", path.display()),
    }
}

/// The engine that a command line describes for `referee check`.
fn engine_to_check(options: &CheckOptions) -> Result<EngineSpec, Failure> {
    let keys = ["args", "dir", "option.NAME", "startup", "stderr"];
    let mut words = EngineWords::parse_some("check", &options.words, &keys, &EngineWords::default())?;
    let protocol = if options.ugi { Dialect::Ugi } else { Dialect::Uci };
    for (key, value) in [("protocol", protocol.name()), ("cmd", &options.engine)] {
        words.set(key, value).map_err(|problem| Failure::at("check", problem))?;
    }
    Ok(words.contestant()?.engine)
}

fn check_engine(options: &CheckOptions) -> anyhow::Result<ExitCode> {
    raise_limits();
    let (stop, signal) = stop_on_signal()?;
    let mut spec = engine_to_check(options)?;
    spec.open().map_err(|error| Failure::at("check", error))?;
    let supervisor = start_supervisor(None)?;
    let mut printed = Ok(());
    let findings = check::check(options, &spec, &supervisor, &stop, &mut |findings| {
        let line = check::latest(findings);
        let print = || {
            if options.json || options.markdown {
                printable::to_stderr(&line)
            } else {
                printable::to_stdout(&line)
            }
        };
        printed = std::mem::replace(&mut printed, Ok(())).and_then(|()| print());
    });
    end(&supervisor);
    printed?;
    let text = match () {
        () if options.json => check::json(&spec, &findings),
        () if options.markdown => check::markdown(&findings),
        () => check::text(&findings),
    };
    print(&text, options.json)?;
    Ok(match signal.load(Ordering::SeqCst) {
        0 if findings.passed() => ExitCode::SUCCESS,
        0 => ExitCode::from(exit::FAULTS),
        signal => ExitCode::from((SIGNALLED + signal) as u8),
    })
}

fn stats(options: &StatsOptions) -> anyhow::Result<ExitCode> {
    let sprt = options.test()?;
    let (text, status) = match options.results()? {
        ResultSource::Numbers(numbers) => {
            let status = sprt.as_ref().map(|sprt| numbers.sprt(sprt)).transpose()?;
            let test = sprt.as_ref().zip(status.as_ref());
            let text = if options.json { numbers_json(numbers, test) } else { numbers_text(numbers, test) };
            (text, exit::of_sprt(status))
        }
        ResultSource::Files(paths) => {
            let (files, tally) = GameFiles::count(&paths, sprt)?;
            let summary = Summary::new(&files, &tally, false);
            let text = if options.json { files_json(&files, &summary) } else { files_text(&files, &summary) };
            (text, exit::of_match(true, &summary))
        }
    };
    print(&text, options.json)?;
    Ok(ExitCode::from(status))
}

fn merge(options: &MergeOptions) -> anyhow::Result<ExitCode> {
    let journals = options.open()?;
    let plan = journals.plan.clone();
    let mut outputs = Outputs::open(&plan, &options.outputs, GameFileMode::New, &|_| ())?;
    let summary = journals.replay(&mut outputs)?;
    let complete = outputs.close(&summary);
    Ok(ExitCode::from(exit::of_match(complete, &summary)))
}

fn audit(options: &AuditOptions) -> anyhow::Result<ExitCode> {
    print(&crate::output::audit(options)?, options.json)?;
    Ok(ExitCode::SUCCESS)
}

/// Prints a text or a JSON document, whatever it repeats of engines and files.
fn print(text: &str, is_json: bool) -> io::Result<()> {
    let text = text.trim_end();
    printable::to_stdout(&if is_json { printable::json(text) } else { text.into() })
}
