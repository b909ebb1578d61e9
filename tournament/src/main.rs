//! The referee: arguments in, a match played, results out.

use anyhow::{Context, bail};
use kroo::files::why;
use kroo::printable;
use kroo::web::Place;
use kroo_referee::accuracy::{self, AccuracyOptions};
use kroo_referee::arguments::{Action, MatchOptions, Resumption, parse};
use kroo_referee::audit::{self, AuditOptions};
use kroo_referee::author::{MatchError, PlayedMatch, TestError, TestOptions, run_test, show_history};
use kroo_referee::check::{self, CheckOptions};
use kroo_referee::engine::{
    ConversationLog, Stop, Supervisor, be_shim, clean_up_after, run_to_end, try_sandbox,
};
use kroo_referee::exit;
use kroo_referee::journal::{Journal, JournalHeader, JournalReader, RecordedCommand, foreign_game};
use kroo_referee::merge::{MergeOptions, MergedJournals};
use kroo_referee::opening_set::{OpeningSetError, OpeningSetOptions, make_opening_set};
use kroo_referee::output::{GameFileMode, Outputs};
use kroo_referee::plan::MatchPlan;
#[cfg(feature = "queue")]
use kroo_referee::queue::{Coordinator, OnSignal, WorkerSwitches, WorkerTotals, contents_of};
use kroo_referee::queue::{
    PASSWORD_VARIABLE, QueueError, QueueOptions, StatusOptions, WorkerOptions, was_given_password,
};
use kroo_referee::results::Tally;
#[cfg(feature = "queue")]
use kroo_referee::run::ProgressCounts;
use kroo_referee::run::{LocalDriver, MatchObserver, OpenJournal, run};
use kroo_referee::schedule::Openings;
use kroo_referee::signals::{SIGNALLED, on_first_signal, stop_on_signal};
use kroo_referee::stats::{self, StatsOptions};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGXFSZ};
use signal_hook::flag;
use signal_hook::iterator::Signals;
use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use std::{env, fs};

/// A bench that takes longer is ended.
const BENCH_LIMIT: Duration = Duration::from_secs(600);

fn main() -> ExitCode {
    match hide_password().and_then(|()| referee()) {
        Ok(code) => code,
        Err(error) => {
            // If standard error is closed there is nobody to tell.
            let _ = writeln!(io::stderr(), "referee: {}", printable::lines(&format!("{error:#}")));
            ExitCode::from(exit::FAILED)
        }
    }
}

/// Before anything else is started or read.
#[cfg(target_os = "linux")]
fn hide_password() -> anyhow::Result<()> {
    kroo_referee::queue::hide_password().map_err(anyhow::Error::msg)
}

#[cfg(not(target_os = "linux"))]
fn hide_password() -> anyhow::Result<()> {
    Ok(())
}

fn referee() -> anyhow::Result<ExitCode> {
    match parse(whole_command(env::args_os().collect())?)? {
        Action::Play(options) => {
            let (stop, signal) = stop_on_signal()?;
            Ok(ExitCode::from(play(*options, None, &stop, &signal)?.status))
        }
        Action::Test(options) => test(&options),
        Action::History(options) => Ok(show_history(&options).map(|()| ExitCode::SUCCESS)?),
        Action::Check(options) => check_engine(*options),
        Action::MeasureAccuracy(options) => measure_accuracy(*options),
        Action::MakeOpenings(options) => make_openings(&options),
        Action::Stats(options) => stats(&options),
        Action::Merge(options) => merge(&options),
        Action::Audit(options) => audit(&options),
        Action::Work(options) => work(&options),
        Action::Status(options) => status(&options),
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
            io::stdout().write_all(text.as_bytes())?;
            Ok(ExitCode::SUCCESS)
        }
    }
}

/// A command line that resumes a match, completed by what the journal records. Unless it describes the engines, it is for the folder
/// in which the match began. Any other command line as it is.
fn whole_command(arguments: Vec<OsString>) -> anyhow::Result<Vec<OsString>> {
    let Some(resumption) = Resumption::of(&arguments) else { return Ok(arguments) };
    let path = resumption.journal();
    let reader = if path.exists() { JournalReader::open(path)? } else { None };
    match reader.as_ref().map(|reader| &reader.header().command) {
        Some(Some(recorded)) => {
            let here = env::current_dir().context("cannot find the current folder")?;
            let there = Path::new(&recorded.folder);
            let elsewhere = recorded.folder != here.to_string_lossy();
            let words = resumption.over(&recorded.words, elsewhere.then_some([here.as_path(), there]))?;
            if elsewhere && !resumption.has_engines() {
                let failed = || format!("{}: the match began in {}", path.display(), recorded.folder);
                env::set_current_dir(there).with_context(failed)?;
            }
            Ok(words)
        }
        Some(None) if resumption.is_bare() => {
            bail!("{}: this journal does not record its command line: give it, too", path.display())
        }
        None if resumption.is_bare() => bail!("{}: there is no match to resume", path.display()),
        _ => Ok(arguments),
    }
}

fn check_engine(mut options: CheckOptions) -> anyhow::Result<ExitCode> {
    raise_limits();
    let (stop, signal) = stop_on_signal()?;
    options.spec.identify();
    let supervisor = start_supervisor(None)?;
    let mut printed = Ok(());
    let findings = check::check(&options, &supervisor, &stop, &mut |findings| {
        let line = check::latest(findings);
        let print =
            || if options.json { writeln!(io::stderr(), "{line}") } else { writeln!(io::stdout(), "{line}") };
        printed = std::mem::replace(&mut printed, Ok(())).and_then(|()| print());
    });
    end(&supervisor);
    printed?;
    let text = match options.json {
        true => check::json(&options, &findings) + "\n",
        // It repeats what the engine has said.
        false => printable::lines(&check::text(&findings)).into_owned(),
    };
    io::stdout().write_all(text.as_bytes())?;
    Ok(match signal.load(Ordering::SeqCst) {
        0 if findings.passed() => ExitCode::SUCCESS,
        0 => ExitCode::from(exit::FAULTS),
        signal => ExitCode::from((SIGNALLED + signal) as u8),
    })
}

fn measure_accuracy(mut options: AccuracyOptions) -> anyhow::Result<ExitCode> {
    let (stop, signal) = stop_on_signal()?;
    options.contestants.iter_mut().for_each(|one| one.engine.identify());
    let supervisor = start_supervisor(None)?;
    let measured = accuracy::measure(&options, &supervisor, &stop);
    supervisor.clear();
    end(&supervisor);
    io::stdout().write_all(accuracy::text(&options, &measured?).as_bytes())?;
    Ok(match signal.load(Ordering::SeqCst) {
        0 => ExitCode::SUCCESS,
        signal => ExitCode::from((SIGNALLED + signal) as u8),
    })
}

fn make_openings(options: &OpeningSetOptions) -> anyhow::Result<ExitCode> {
    let (stop, signal) = stop_on_signal()?;
    match make_opening_set(options, &|| stop.is_set()) {
        Err(error @ OpeningSetError::Interrupted { .. }) => {
            writeln!(io::stderr(), "referee: {error}")?;
            Ok(ExitCode::from((SIGNALLED + signal.load(Ordering::SeqCst)) as u8))
        }
        made => Ok(made.map(|()| ExitCode::SUCCESS)?),
    }
}

fn stats(options: &StatsOptions) -> anyhow::Result<ExitCode> {
    let counts = stats::count(&options.results)?;
    let status = options.sprt.as_ref().map(|sprt| counts.sprt(sprt)).transpose()?;
    let test = options.sprt.as_ref().zip(status.as_ref());
    let text = if options.json { stats::json(&counts, test) + "\n" } else { stats::text(&counts, test) };
    io::stdout().write_all(text.as_bytes())?;
    let faulty = status.is_some_and(|status| counts.faulty_verdict(&status).is_some());
    Ok(ExitCode::from(if faulty { exit::BROKEN } else { exit::of_sprt(status) }))
}

fn merge(options: &MergeOptions) -> anyhow::Result<ExitCode> {
    let mut merged = MergedJournals::open(options)?;
    let plan = merged.plan().clone();
    let games = options.games_out.as_deref().map(|path| (path, GameFileMode::New));
    let mut outputs = Outputs::open(&plan, games, options.json.as_deref(), options.html.as_deref(), None)?;
    let tally = merged.replay(&mut outputs)?;
    let complete = outputs.close(&tally, merged.is_partial());
    Ok(ExitCode::from(match complete {
        true if tally.broken.is_some() => exit::BROKEN,
        true => exit::of_sprt(tally.sprt(&plan)),
        false => exit::FAILED,
    }))
}

fn audit(options: &AuditOptions) -> anyhow::Result<ExitCode> {
    io::stdout().write_all(audit::audit(options)?.as_bytes())?;
    Ok(ExitCode::SUCCESS)
}

/// Opens the journal. A match that is resumed began when the journal says.
fn open_journal(options: &mut MatchOptions) -> anyhow::Result<Option<OpenJournal>> {
    let Some(path) = &options.journal else { return Ok(None) };
    let mut header = JournalHeader::new(&options.plan, options.openings.digest());
    if options.queue.is_some() {
        header.contents = contents_of(&options.plan)?;
    }
    let folder = env::current_dir().unwrap_or_default().to_string_lossy().into_owned();
    header.command = Some(RecordedCommand { folder, words: options.words.clone() });
    if !options.resume {
        return Ok(Some((Journal::create(path, &header)?, None)));
    }
    let (journal, reader) = Journal::resume(path, &header)?;
    if let Some(reader) = &reader {
        options.plan.began = reader.header().began();
    }
    Ok(Some((journal, reader)))
}

/// Lets a match be watched, if somebody wants to.
fn watched(outputs: Outputs<'_>, place: Option<Place>) -> anyhow::Result<Outputs<'_>> {
    Ok(match place {
        Some(place) => outputs.watched_at(place)?,
        None => outputs,
    })
}

/// An error if a sandbox is wanted, and cannot be made here.
fn require_sandbox(wanted: bool) -> anyhow::Result<()> {
    let tried = if wanted { try_sandbox() } else { Ok(()) };
    tried.map_err(|problem| anyhow::anyhow!("there is no sandbox for engines: {problem}"))
}

/// Plays a match. If there is a file for `lines`, it gets what standard output does otherwise.
fn play(
    mut options: MatchOptions,
    lines: Option<File>,
    stop: &Stop,
    signal: &AtomicI32,
) -> anyhow::Result<PlayedMatch> {
    raise_limits();
    options.plan.contestants.iter_mut().for_each(|one| one.engine.identify());
    let sandboxed = options.plan.contestants.iter().any(|contestant| contestant.engine.confinement.sandbox);
    require_sandbox(sandboxed)?;
    // With a handler, a file that grows too large is an error like any other.
    flag::register(SIGXFSZ, Arc::new(AtomicBool::new(false)))?;
    // The matches of `referee test` are resumed by that command.
    let resumable = lines.is_none();
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
    if let (GameFileMode::Rewrite, Some(games), Some(journal)) = (mode, &options.games_out, &options.journal)
        && let Some(line) = foreign_game(games, journal)?
    {
        bail!(
            "{}: line {line}: this game is not one of the journal, and would be lost: give another name with --games-out",
            games.display()
        );
    }
    let games = options.games_out.as_deref().map(|path| (path, mode));
    let opened = Outputs::open(&options.plan, games, options.json.as_deref(), options.html.as_deref(), lines);
    let opened = opened.map_err(anyhow::Error::from).and_then(|outputs| watched(outputs, options.watch));
    let mut outputs = opened.inspect_err(|_| {
        if let (GameFileMode::New, Some(path)) = (mode, &options.journal) {
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
    let supervisor = start_supervisor(log)?;
    if let Some(warning) = supervisor.loose_limits().filter(|_| sandboxed && options.queue.is_none()) {
        outputs.warning(warning);
    }
    outputs.temporary().for_each(|file| supervisor.watch_temporary(file));
    let has_secrets = options.queue.is_some() && was_given_password();
    let tally = match options.queue.take() {
        None => {
            let mut driver = LocalDriver::new(&supervisor);
            run(&options.plan, options.openings, journal, &mut driver, stop, &mut outputs)?
        }
        Some(queue) => {
            let (plan, openings) = (&options.plan, options.openings);
            coordinate(queue, plan, openings, journal, (stop, signal), &mut outputs)?
        }
    };
    supervisor.clear();
    let interrupted = signal.load(Ordering::SeqCst) != 0;
    if let Some(journal) = options.journal.as_ref().filter(|_| interrupted && resumable) {
        let line = resume_line(journal, mode == GameFileMode::Rewrite && !has_secrets);
        let with = if has_secrets {
            format!(", with the queue's password in {PASSWORD_VARIABLE}")
        } else {
            String::new()
        };
        outputs.warning(&format!("interrupted; to resume{with}: {line}"));
    }
    let status = tally.sprt(&options.plan);
    let decided = status.is_some_and(|status| status.is_decided());
    let complete = outputs.close(&tally, stop.is_set() && !decided);
    end(&supervisor);
    let status = match signal.load(Ordering::SeqCst) {
        0 if complete && tally.broken.is_some() => exit::BROKEN,
        0 if complete => exit::of_sprt(status),
        0 => exit::FAILED,
        signal => (SIGNALLED + signal) as u8,
    };
    Ok(PlayedMatch { plan: options.plan, tally, status })
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

/// Tests a change of an engine: its matches are played as any other.
fn test(options: &TestOptions) -> anyhow::Result<ExitCode> {
    // A match sets its switch when it is decided: each has its own.
    let playing = Arc::new(Mutex::new(Stop::new()?));
    let switch = Arc::clone(&playing);
    let signal = on_first_signal(move || switch.lock().unwrap_or_else(PoisonError::into_inner).set())?;
    let next_stop = || {
        let stop = Stop::new()?;
        *playing.lock().unwrap_or_else(PoisonError::into_inner) = stop.clone();
        if signal.load(Ordering::SeqCst) != 0 {
            // It has come between two matches.
            stop.set();
        }
        Ok::<_, io::Error>(stop)
    };
    let mut bench_one = |words: Vec<OsString>, place: usize, errors: &Path| {
        let Action::Play(mut options) = parse(words)? else { return Err(MatchError::from("no match")) };
        let mut spec = options.plan.contestants.swap_remove(place).engine;
        spec.identify();
        (spec.args, spec.stderr) = (vec!["bench".to_owned()], Some(errors.to_owned()));
        require_sandbox(spec.confinement.sandbox)?;
        let (stop, supervisor) = (next_stop()?, start_supervisor(None)?);
        let printed = run_to_end(&spec, &supervisor, &stop, BENCH_LIMIT);
        supervisor.clear();
        end(&supervisor);
        Ok(printed?)
    };
    let mut play_one = |words: Vec<OsString>, lines: &Path| {
        let Action::Play(options) = parse(words)? else { return Err(MatchError::from("no match")) };
        let lines = File::options().create(true).append(true).open(lines)?;
        Ok(play(*options, Some(lines), &next_stop()?, &signal)?)
    };
    require_sandbox(options.sandbox)?;
    match run_test(options, &|| signal.load(Ordering::SeqCst) != 0, &mut bench_one, &mut play_one) {
        Err(error @ TestError::Interrupted) => {
            writeln!(io::stderr(), "referee: {error}")?;
            Ok(ExitCode::from((SIGNALLED + signal.load(Ordering::SeqCst)) as u8))
        }
        tested => Ok(ExitCode::from(tested?)),
    }
}

/// Has a match played by workers. If it was interrupted and has a journal, they go on with what lies in the queue, so that
/// it can be gone on with.
#[cfg(feature = "queue")]
fn coordinate(
    queue: QueueOptions,
    plan: &MatchPlan,
    openings: Openings,
    journal: Option<OpenJournal>,
    (stop, signal): (&Stop, &AtomicI32),
    outputs: &mut Outputs<'_>,
) -> anyhow::Result<Tally> {
    let kept = journal.is_some();
    let mut coordinator = Coordinator::new(queue, openings.digest())?;
    let tally = run(plan, openings, journal, &mut coordinator, stop, outputs)?;
    let interrupted = signal.load(Ordering::SeqCst) != 0;
    if let Err(error) = coordinator.close(plan, &ProgressCounts::of(&tally, plan), !(interrupted && kept)) {
        outputs.warning(&format!("the workers could not be told: {error}"));
    }
    Ok(tally)
}

#[cfg(not(feature = "queue"))]
fn coordinate(
    _: QueueOptions,
    _: &MatchPlan,
    _: Openings,
    _: Option<OpenJournal>,
    _: (&Stop, &AtomicI32),
    _: &mut Outputs<'_>,
) -> anyhow::Result<Tally> {
    Err(QueueError::NotBuilt.into())
}

#[cfg(feature = "queue")]
fn work(options: &WorkerOptions) -> anyhow::Result<ExitCode> {
    raise_limits();
    if options.sandbox {
        try_sandbox().map_err(|problem| {
            anyhow::anyhow!(
                "there is no sandbox for engines: {problem}; --no-sandbox runs them with all rights of this user"
            )
        })?;
    }
    // With a handler, a file that grows too large is an error like any other.
    flag::register(SIGXFSZ, Arc::new(AtomicBool::new(false)))?;
    let (stop, leave) = (Stop::new()?, Arc::new(AtomicBool::new(false)));
    let (switch, leaving, finish) = (stop.clone(), Arc::clone(&leave), options.on_signal == OnSignal::Finish);
    let signal =
        on_first_signal(move || if finish { leaving.store(true, Ordering::SeqCst) } else { switch.set() })?;
    let supervisor = start_supervisor(None)?;
    let report = |text: &str| {
        // If standard error is closed there is nobody to tell.
        let _ = writeln!(io::stderr(), "referee: {}", printable::lines(text));
    };
    if let Some(note) = supervisor.loose_limits() {
        report(note);
    }
    let worked = kroo_referee::queue::work(
        options,
        &supervisor,
        WorkerSwitches { stop: &stop, leave: &leave },
        &report,
    );
    supervisor.clear();
    end(&supervisor);
    let signal = signal.load(Ordering::SeqCst);
    match worked {
        Ok(totals) => {
            let WorkerTotals { games, late, given_back } = totals;
            writeln!(io::stdout(), "Games: {games}, batches too late: {late}, given back: {given_back}")?;
            let stopped = signal != 0 && !finish;
            Ok(if stopped { ExitCode::from((SIGNALLED + signal) as u8) } else { ExitCode::SUCCESS })
        }
        Err(error @ QueueError::Unfit(_)) => {
            report(&error.to_string());
            Ok(ExitCode::from(exit::BROKEN))
        }
        Err(error) => Err(error.into()),
    }
}

#[cfg(not(feature = "queue"))]
fn contents_of(_: &MatchPlan) -> anyhow::Result<Vec<kroo_referee::engine::ProgramContent>> {
    Err(QueueError::NotBuilt.into())
}

#[cfg(feature = "queue")]
fn status(options: &StatusOptions) -> anyhow::Result<ExitCode> {
    io::stdout().write_all(kroo_referee::queue::status(options)?.as_bytes())?;
    Ok(ExitCode::SUCCESS)
}

#[cfg(not(feature = "queue"))]
fn status(_: &StatusOptions) -> anyhow::Result<ExitCode> {
    Err(QueueError::NotBuilt.into())
}

#[cfg(not(feature = "queue"))]
fn work(_: &WorkerOptions) -> anyhow::Result<ExitCode> {
    Err(QueueError::NotBuilt.into())
}

fn start_supervisor(log: Option<ConversationLog>) -> anyhow::Result<Arc<Supervisor>> {
    let program = env::current_exe().context("cannot find the referee's own program")?;
    let supervisor = Supervisor::start(&program).context("cannot start the cleanup process")?;
    Ok(Arc::new(supervisor.with_log(log)))
}

/// Ends the supervisor, and passes its warnings on.
fn end(supervisor: &Supervisor) {
    for warning in supervisor.end() {
        // If standard error is closed there is nobody to tell.
        let _ = writeln!(io::stderr(), "referee: warning: {warning}");
    }
}

/// Raises the limit of open files: each engine needs some, and many may play at once.
fn raise_limits() {
    let Rlimit { maximum, .. } = getrlimit(Resource::Nofile);
    // If it cannot be raised, the present limit may be enough.
    let _ = setrlimit(Resource::Nofile, Rlimit { current: maximum, maximum });
}
