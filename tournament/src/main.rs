//! The referee: arguments in, a match played, results out.

use anyhow::Context;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use signal_hook::consts::{SIGCONT, SIGHUP, SIGINT, SIGTERM, SIGXFSZ};
use signal_hook::flag;
use signal_hook::iterator::Signals;
use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};
use std::{env, fs, process, thread};
use tournament::arguments::{Action, MatchOptions, parse};
use tournament::check::{self, CheckOptions};
use tournament::engine::{Stop, Supervisor, stand_guard};
use tournament::journal::{Journal, JournalHeader};
use tournament::merge::{MergeOptions, MergedJournals};
use tournament::opening_set::{OpeningSetError, OpeningSetOptions, balance};
use tournament::output::{GameFileMode, Outputs};
use tournament::run::{OpenJournal, run};
use tournament::statistics::{SprtDecision, SprtStatus};
use tournament::stats::{self, StatsOptions};

/// An error in the arguments, or with a file.
const FAILED: u8 = 1;
/// An engine that was checked has faults.
const FAULTS: u8 = 2;
/// The test has taken H0.
const REJECTED: u8 = 10;
/// All games were played, and the test has not been decided.
const INCONCLUSIVE: u8 = 11;
/// The status of a process that a signal has ended is this and the signal's number.
const SIGNALLED: i32 = 128;

fn main() -> ExitCode {
    match referee() {
        Ok(code) => code,
        Err(error) => {
            // If standard error is closed there is nobody to tell.
            let _ = writeln!(io::stderr(), "referee: {error:#}");
            ExitCode::from(FAILED)
        }
    }
}

fn referee() -> anyhow::Result<ExitCode> {
    match parse(env::args_os())? {
        Action::Play(order) => play(*order),
        Action::Check(order) => check_engine(&order),
        Action::Balance(order) => make_openings(&order),
        Action::Stats(order) => stats(&order),
        Action::Merge(order) => merge(&order),
        Action::Guard(mark) => {
            // It outlives whatever ends the referee.
            let _ignored = Signals::new([SIGINT, SIGTERM, SIGHUP])?;
            stand_guard(&mark, io::stdin().lock());
            Ok(ExitCode::SUCCESS)
        }
        Action::Show(text) => {
            io::stdout().write_all(text.as_bytes())?;
            Ok(ExitCode::SUCCESS)
        }
    }
}

fn check_engine(order: &CheckOptions) -> anyhow::Result<ExitCode> {
    raise_limits();
    let (stop, signal) = stop_on_signal()?;
    let program = env::current_exe().context("cannot find the referee's own program")?;
    let supervisor = Arc::new(Supervisor::start(&program).context("cannot start the supervisor")?);
    let mut told = Ok(());
    let findings = check::check(order, &supervisor, &stop, &mut |findings| {
        let line = check::latest(findings);
        let write =
            || if order.json { writeln!(io::stderr(), "{line}") } else { writeln!(io::stdout(), "{line}") };
        told = std::mem::replace(&mut told, Ok(())).and_then(|()| write());
    });
    drop(supervisor);
    told?;
    let text = if order.json { check::json(order, &findings) + "\n" } else { check::text(&findings) };
    io::stdout().write_all(text.as_bytes())?;
    Ok(match signal.load(Ordering::SeqCst) {
        0 if findings.passed() => ExitCode::SUCCESS,
        0 => ExitCode::from(FAULTS),
        signal => ExitCode::from((SIGNALLED + signal) as u8),
    })
}

fn make_openings(order: &OpeningSetOptions) -> anyhow::Result<ExitCode> {
    let (stop, signal) = stop_on_signal()?;
    match balance(order, &|| stop.is_set()) {
        Err(error @ OpeningSetError::Interrupted { .. }) => {
            writeln!(io::stderr(), "referee: {error}")?;
            Ok(ExitCode::from((SIGNALLED + signal.load(Ordering::SeqCst)) as u8))
        }
        made => Ok(made.map(|()| ExitCode::SUCCESS)?),
    }
}

fn stats(order: &StatsOptions) -> anyhow::Result<ExitCode> {
    let counts = stats::count(&order.results)?;
    let trial = order.sprt.as_ref().map(|sprt| counts.trial(sprt)).transpose()?;
    let test = order.sprt.as_ref().zip(trial.as_ref());
    let text = if order.json { stats::json(&counts, test) + "\n" } else { stats::text(&counts, test) };
    io::stdout().write_all(text.as_bytes())?;
    Ok(status_of(trial))
}

fn merge(order: &MergeOptions) -> anyhow::Result<ExitCode> {
    let mut merged = MergedJournals::open(order)?;
    let plan = merged.plan().clone();
    let games = order.games_out.as_deref().map(|path| (path, GameFileMode::New));
    let mut outputs = Outputs::open(&plan, games, order.json.as_deref(), order.html.as_deref())?;
    let tally = merged.tell(&mut outputs)?;
    let complete = outputs.close(&tally, merged.is_partial());
    Ok(if complete { status_of(tally.trial(&plan)) } else { ExitCode::from(FAILED) })
}

/// Opens the journal; a tournament that is gone on with began when it says.
fn journal(order: &mut MatchOptions) -> anyhow::Result<Option<OpenJournal>> {
    let Some(path) = &order.journal else { return Ok(None) };
    let header = JournalHeader::new(&order.plan, order.openings.digest());
    if !order.resume {
        return Ok(Some((Journal::create(path, &header)?, None)));
    }
    let (journal, reader) = Journal::resume(path, &header)?;
    if let Some(reader) = &reader {
        order.plan.began = reader.header().began();
    }
    Ok(Some((journal, reader)))
}

fn play(mut order: MatchOptions) -> anyhow::Result<ExitCode> {
    raise_limits();
    // With a handler a file that grows too large is an error like any other.
    flag::register(SIGXFSZ, Arc::new(AtomicBool::new(false)))?;
    let (stop, signal) = stop_on_signal()?;
    let program = env::current_exe().context("cannot find the referee's own program")?;
    let kept = journal(&mut order)?;
    let filling = match &kept {
        None => GameFileMode::Append,
        Some((_, None)) => GameFileMode::New,
        Some((_, Some(_))) => GameFileMode::Again,
    };
    let games = order.games_out.as_deref().map(|path| (path, filling));
    let mut outputs = Outputs::open(&order.plan, games, order.json.as_deref(), order.html.as_deref())
        .inspect_err(|_| {
            if let (GameFileMode::New, Some(path)) = (filling, &order.journal) {
                // It holds nothing, and would be in the way of the next attempt.
                let _ = fs::remove_file(path);
            }
        })?;
    let supervisor = Arc::new(Supervisor::start(&program).context("cannot start the supervisor")?);
    outputs.temporary().for_each(|file| supervisor.watch_file(file));
    let tally = run(&order.plan, order.openings, kept, &supervisor, &stop, &mut outputs)?;
    supervisor.clear();
    let trial = tally.trial(&order.plan);
    let decided = trial.is_some_and(|trial| trial.is_decided());
    let complete = outputs.close(&tally, stop.is_set() && !decided);
    drop(supervisor);
    Ok(match signal.load(Ordering::SeqCst) {
        0 if complete => status_of(trial),
        0 => ExitCode::from(FAILED),
        signal => ExitCode::from((SIGNALLED + signal) as u8),
    })
}

/// The exit status of a match that was played to its end.
fn status_of(trial: Option<SprtStatus>) -> ExitCode {
    match trial.map(|trial| trial.verdict) {
        None | Some(SprtDecision::AcceptH1) => ExitCode::SUCCESS,
        Some(SprtDecision::AcceptH0) => ExitCode::from(REJECTED),
        Some(SprtDecision::Continue) => ExitCode::from(INCONCLUSIVE),
    }
}

/// Each engine takes some open files, and many may play at once.
fn raise_limits() {
    let Rlimit { maximum, .. } = getrlimit(Resource::Nofile);
    // If it cannot be raised, what there is may do.
    let _ = setrlimit(Resource::Nofile, Rlimit { current: maximum, maximum });
}

/// Whether a signal was ignored when the referee was started, as `nohup` has it.
fn is_ignored(signal: i32) -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or_default();
    ignored >> (signal - 1) & 1 == 1
}

/// A stop that the first signal sets, and where that signal's number will stand. The second signal ends the referee.
fn stop_on_signal() -> anyhow::Result<(Stop, Arc<AtomicI32>)> {
    let stop = Stop::new()?;
    let hangup = (!is_ignored(SIGHUP)).then_some(SIGHUP);
    let mut signals = Signals::new([SIGINT, SIGTERM, SIGCONT].into_iter().chain(hangup))?;
    let received = Arc::new(AtomicI32::new(0));
    let (number, switch) = (Arc::clone(&received), stop.clone());
    thread::spawn(move || {
        for signal in signals.forever() {
            match signal {
                SIGCONT => switch.resumed(),
                signal if number.load(Ordering::SeqCst) == 0 => {
                    number.store(signal, Ordering::SeqCst);
                    switch.set();
                }
                signal => process::exit(SIGNALLED + signal),
            }
        }
    });
    Ok((stop, received))
}
