//! A match, played here or by workers.

use super::super::arguments::MatchOptions;
use super::super::exit;
use super::super::signals::{SIGNALLED, hold_results};
use super::queue::{contents_of, coordinate};
use super::supervision::{end, raise_limits, require_sandbox, start_supervisor};
use crate::engine::{ConversationLog, Stop, check_folders};
use crate::failure::Failure;
use crate::ledger::MatchObserver;
use crate::ledger::record::{Journal, JournalHeader, RecordedCommand, foreign_game};
use crate::output::{GameFileMode, Outputs};
use crate::queue::{PASSWORD_VARIABLE, was_given_password};
use crate::run::{OpenJournal, play_here, run};
use anyhow::bail;
use kroo::files::why;
use signal_hook::consts::SIGXFSZ;
use signal_hook::flag;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};
use std::{env, fs};

/// Opens the journal. A match that is resumed began when the journal says.
fn open_journal(options: &mut MatchOptions) -> anyhow::Result<Option<OpenJournal>> {
    let Some(path) = &options.files.journal else { return Ok(None) };
    if options.queue.is_some() {
        // Workers find all executables by their contents.
        contents_of(&options.plan)?;
    }
    let mut header = JournalHeader::new(&options.plan, options.openings.digest());
    let folder = env::current_dir().unwrap_or_default().to_string_lossy().into_owned();
    header.command = Some(RecordedCommand { folder, options: options.given.clone() });
    if !options.files.resume {
        return Ok(Some((Journal::create(path, &header)?, None)));
    }
    let (journal, reader) = Journal::resume(path, &header)?;
    if let Some(reader) = &reader {
        options.plan.began = reader.header().began();
    }
    Ok(Some((journal, reader)))
}

/// Opens the files of all engines, before any of them runs.
fn open_engines(options: &mut MatchOptions) -> Result<(), Failure> {
    for contestant in &mut options.plan.contestants {
        contestant.engine.open().map_err(|error| Failure::at("--engine", error))?;
    }
    let journal = options.files.journal.as_ref().map(|path| ("--journal", path));
    let log = options.log.as_ref().map(|(path, _)| ("--log", path));
    let all = options.files.outputs.given().chain(journal).chain(log);
    let outputs: Vec<_> = all.map(|(option, path)| (option, path.as_path())).collect();
    let engines: Vec<_> = options.plan.contestants.iter().map(|contestant| &contestant.engine).collect();
    check_folders(&engines, &outputs).map_err(Failure::new)
}

/// Plays a match. Returns the exit status.
pub(super) fn play(mut options: MatchOptions, stop: &Stop, signal: &AtomicI32) -> anyhow::Result<u8> {
    raise_limits();
    open_engines(&mut options)?;
    let sandboxed = options.plan.contestants.iter().any(|contestant| contestant.engine.confinement.sandbox);
    require_sandbox(sandboxed)?;
    // With a handler, a file that grows too large is an error like any other.
    flag::register(SIGXFSZ, Arc::new(AtomicBool::new(false)))?;
    let log = options.log.as_ref().map(|(path, most)| {
        ConversationLog::open(path, *most)
            .map_err(|error| anyhow::anyhow!("the log {}: {}", path.display(), why(path, &error)))
    });
    let log = log.transpose()?;
    let journal = open_journal(&mut options)?;
    let mode = match &journal {
        None => GameFileMode::Append,
        Some((_, None)) => GameFileMode::New,
        Some((_, Some(_))) => GameFileMode::Rewrite,
    };
    if let (GameFileMode::Rewrite, Some(games), Some(journal)) =
        (mode, &options.files.outputs.games_out, &options.files.journal)
        && let Some(line) = foreign_game(games, journal)?
    {
        bail!(
            "{}: line {line}: this game is not one of the journal, and would be lost: give another name with --games-out",
            games.display()
        );
    }
    let supervisor = start_supervisor(log)?;
    let know = |temporary: &Path| supervisor.watch_temporary(temporary);
    let opened = Outputs::open(&options.plan, &options.files.outputs, mode, &know);
    let opened =
        opened.map_err(anyhow::Error::from).and_then(|outputs| Ok(outputs.watched_at(options.watch)?));
    let mut outputs = opened.inspect_err(|_| {
        if let (GameFileMode::New, Some(path)) = (mode, &options.files.journal) {
            // The new journal has no games, and would only be in the way of the next attempt.
            let _ = fs::remove_file(path);
        }
    })?;
    for warning in &options.warnings {
        outputs.warning(warning);
    }
    if let Some(warning) = options.repeated_openings() {
        outputs.warning(&warning);
    }
    if let Some(warning) = supervisor.loose_limits().filter(|_| sandboxed && options.queue.is_none()) {
        outputs.warning(warning);
    }
    hold_results(true);
    let has_secrets = options.queue.is_some() && was_given_password();
    let summary = match options.queue.take() {
        None => {
            let (plan, openings, shown) = (&options.plan, options.openings, outputs.shown());
            run(plan, openings, journal, stop, &shown, &mut outputs, |context| {
                play_here(&supervisor, context);
            })?
        }
        Some(queue) => {
            let (plan, openings) = (&options.plan, options.openings);
            coordinate(queue, plan, openings, journal, (stop, signal), &mut outputs)?
        }
    };
    supervisor.clear();
    outputs.save(&summary);
    hold_results(false);
    let interrupted = signal.load(Ordering::SeqCst) != 0;
    if let Some(journal) = options.files.journal.as_ref().filter(|_| interrupted) {
        let line = resume_line(journal, mode == GameFileMode::Rewrite && !has_secrets);
        let with = if has_secrets {
            format!(", with the queue's password in {PASSWORD_VARIABLE}")
        } else {
            String::new()
        };
        outputs.warning(&format!("interrupted; to resume{with}: {line}"));
    }
    let complete = outputs.close(&summary);
    end(&supervisor);
    Ok(match signal.load(Ordering::SeqCst) {
        0 => exit::of_match(complete, &summary),
        signal => (SIGNALLED + signal) as u8,
    })
}

/// The command line that goes on with a match: that of this run if it is `whole`, since a resumed match may have options that the
/// journal does not record. One with a password is not repeated.
fn resume_line(journal: &Path, whole: bool) -> String {
    let given = env::args_os().map(|word| word.to_string_lossy().into_owned());
    let words: Vec<String> = if whole {
        given.collect()
    } else {
        let journal = journal.to_string_lossy().into_owned();
        given.take(1).chain(["--resume".to_owned(), "--journal".to_owned(), journal]).collect()
    };
    // A word with a NUL character would not have come here.
    shlex::try_join(words.iter().map(String::as_str)).unwrap_or_else(|_| words.join(" "))
}
