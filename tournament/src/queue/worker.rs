//! A worker: it waits for a match on a queue, plays batches of it, and leaves when the match is over.

use super::broker::{Broker, JobState};
use super::clerk::{Clerk, OpenBatch, PAUSE, WorkerSwitches, WorkerTotals};
use super::contained::{PrivateFolder, contain};
use super::error::QueueError;
use super::executables::find_executables;
use super::fetch::Fetcher;
use super::job::Job;
use super::machine::unique_name;
use super::options::WorkerOptions;
use crate::engine::{Stop, Supervisor, locked};
use crate::game::open_endgames;
use crate::ledger::record::{GameRecord, WorkerInfo};
use crate::plan::{Contestant, joined_names};
use crate::run::{Bench, GameThreads, Identities, TrialFailure, WorkerEvent, WorkerLink, WorkerStatus};
use crate::schedule::ScheduledGame;
use crossbeam_channel::bounded;
use kroo::printable::counted;
use std::cell::RefCell;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Instant;

/// Plays for a queue until its match is over. `report` gets the messages for the user.
pub fn work(
    options: &WorkerOptions,
    supervisor: &Arc<Supervisor>,
    switches: WorkerSwitches<'_>,
    report: &(dyn Fn(&str) + Sync),
) -> Result<WorkerTotals, QueueError> {
    let mut broker = Broker::new(&options.queue.address)?;
    let Some(mut job) = wait_for_job(&mut broker, options, switches, report)? else {
        return Ok(WorkerTotals::default());
    };
    let worker = unique_name();
    let Some(bench) = Bench::measure(&|| switches.stop.is_set()) else { return Ok(WorkerTotals::default()) };
    let folder = PrivateFolder::new(options)?;
    let fetcher = options.fetch.is_some().then(|| Fetcher {
        options,
        broker: &mut broker,
        job: job.number.clone(),
        fetched: 0,
        switches,
        supervisor,
        report,
    });
    let notes = match fit(&mut job, bench, options, fetcher, folder.as_ref()) {
        Ok(Some(notes)) => notes,
        Ok(None) => return Ok(WorkerTotals::default()),
        Err(error) => {
            let _ = broker.note(&worker, &error.to_string(), &[]);
            return Err(error);
        }
    };
    for note in notes.iter().map(|note| kroo::printable::line(note)) {
        report(&format!("warning: {note}"));
        let _ = broker.note(&worker, &note, &[]);
    }
    let time_factor = if job.scale_clocks { scale_clocks(&mut job, bench) } else { 1.0 };
    let status = WorkerStatus::here(options.concurrency, bench);
    let WorkerStatus { host, processor, cores, .. } = status.clone();
    let info =
        Arc::new(WorkerInfo { worker: worker.clone(), host, processor, cores, nps: bench.nps, time_factor });
    report(&format!(
        "worker {worker} plays {} in {}",
        joined_names(&job.plan.all_names(), " vs "),
        options.queue.address
    ));
    let clerk = Clerk {
        options,
        job: &job,
        worker,
        info,
        switches,
        report,
        taking: Mutex::new(Broker::new(&options.queue.address)?),
        telling: Mutex::new(broker),
        status,
        totals: Mutex::default(),
        held: Mutex::default(),
        idle: AtomicBool::new(false),
        looked: Mutex::new(Instant::now()),
        over: AtomicBool::new(false),
        failed: Mutex::new(None),
        warned: Mutex::default(),
    };
    play(&clerk, supervisor)
}

/// Waits until a match is there; `None` after a stop.
fn wait_for_job(
    broker: &mut Broker,
    options: &WorkerOptions,
    switches: WorkerSwitches<'_>,
    report: &dyn Fn(&str),
) -> Result<Option<Job>, QueueError> {
    let (began, mut told) = (Instant::now(), false);
    loop {
        if switches.is_leaving() {
            return Ok(None);
        }
        let found = broker.state().and_then(|state| match state {
            Some(JobState { running: true, .. }) => broker.job(),
            _ => Ok(None),
        });
        let what = match found {
            Ok(Some(job)) => return Job::parse(&options.queue.address, &job).map(Some),
            Ok(None) => "there is no match on the queue".to_owned(),
            Err(error) if error.is_passing() => error.to_string(),
            Err(error) => return Err(error),
        };
        if began.elapsed() >= options.wait {
            return Err(QueueError::waited(options, &what));
        }
        if !told {
            report(&format!("waiting: {what}"));
            told = true;
        }
        thread::sleep(PAUSE);
    }
}

/// Adapts the job to this machine: finds its executables by their content, and opens its endgame files. Returns a message for the
/// user, or `None` if it was stopped, or the match has ended meanwhile.
fn fit(
    job: &mut Job,
    bench: Bench,
    options: &WorkerOptions,
    fetcher: Option<Fetcher<'_>>,
    folder: Option<&PrivateFolder>,
) -> Result<Option<Vec<String>>, QueueError> {
    if let Some(difference) = bench.difference(job.bench) {
        return Err(QueueError::Unfit(difference));
    }
    let Some(found) = find_executables(job, options.engines.as_deref(), fetcher)? else { return Ok(None) };
    let mut notes = Vec::new();
    let contents: Vec<_> = job.contents().cloned().collect();
    for ((contestant, path), content) in job.plan.contestants.iter_mut().zip(found).zip(contents) {
        contestant.engine.command = path;
        notes.extend(contain(&mut contestant.engine, options, folder));
        contestant.engine.open().map_err(|error| QueueError::Unfit(error.to_string()))?;
        if contestant.engine.content() != Some(&content) {
            let why = "its program cannot be opened, or was replaced after it was found";
            return Err(QueueError::Unfit(format!("{}: {why}", contestant.engine.name)));
        }
    }
    job.plan.concurrency = options.concurrency;
    let Some(seeds) = job.plan.adjudication.endgame else { return Ok(Some(notes)) };
    let missing = |why: String| {
        QueueError::Unfit(format!(
            "its games end by endgame files of {}: {why}",
            counted(seeds.into(), "seed")
        ))
    };
    let folder = options.endgame.as_ref().ok_or_else(|| missing("give --endgame FOLDER".to_owned()))?;
    match open_endgames(folder, job.plan.variant) {
        Ok(Some(found)) if found >= seeds => Ok(Some(notes)),
        Ok(found) => {
            let most = found.map_or("none".to_owned(), |found| {
                format!("those of at most {}", counted(found.into(), "seed"))
            });
            Err(missing(format!("{} has {most}", folder.display())))
        }
        Err(error) => Err(missing(error.to_string())),
    }
}

/// Multiplies all times of clocks by the ratio of the coordinator's speed to this machine's: engines then search equally far
/// everywhere. Returns the factor.
fn scale_clocks(job: &mut Job, bench: Bench) -> f64 {
    let timed = |contestant: &Contestant| contestant.limits.is_timed();
    if !job.plan.contestants.iter().any(timed) {
        return 1.0;
    }
    let range = WorkerInfo::TIME_FACTORS;
    let factor = (job.bench.nps as f64 / bench.nps as f64).clamp(*range.start(), *range.end());
    // Thousandths are exact in every text.
    let factor = (factor * 1_000.0).round() / 1_000.0;
    for limits in job.plan.contestants.iter_mut().map(|contestant| &mut contestant.limits) {
        *limits = limits.scaled(factor);
    }
    factor
}

/// Plays with the threads of this machine until the match is over or the worker leaves.
fn play(clerk: &Clerk<'_>, supervisor: &Arc<Supervisor>) -> Result<WorkerTotals, QueueError> {
    let identities = Identities::new(clerk.job.plan.contestants.len());
    let (plan, stop) = (&clerk.job.plan, clerk.switches.stop);
    let threads = GameThreads { plan, supervisor, stop, identities: &identities, boards: None };
    let warn = |engine, text| clerk.warn(&format!("{}: {text}", plan.name(engine)));
    let ready = match threads.try_engines(&warn) {
        Ok(ready) => ready,
        Err(TrialFailure::Broken(problems)) => {
            let mut problem = problems.join("; ");
            if !clerk.options.no_sandbox {
                problem +=
                    "; in its sandbox an engine has no files but its program: --allow-file PATH adds others";
            }
            let error = QueueError::Unfit(problem);
            let _ = locked(&clerk.telling).note(&clerk.worker, &error.to_string(), &["broken", "1"]);
            return Err(error);
        }
        Err(TrialFailure::Failed(text)) => return Err(QueueError::System(text)),
        Err(_) => return Ok(WorkerTotals::default()),
    };
    thread::scope(|scope| {
        let (end, ended) = bounded(0);
        let signs = thread::Builder::new().spawn_scoped(scope, move || clerk.give_signs_of_life(&ended));
        match signs {
            Ok(_) => threads.play(clerk.options.concurrency, ready, |_| QueueLink::new(clerk)),
            Err(error) => clerk.fail(QueueError::System(format!("the system starts no thread: {error}"))),
        }
        drop(end);
    });
    // It makes no difference if it is lost.
    let _ = locked(&clerk.telling).leave(&clerk.worker);
    match locked(&clerk.failed).take() {
        Some(error) => {
            let _ = locked(&clerk.telling).note(&clerk.worker, &error.to_string(), &[]);
            Err(error)
        }
        None => Ok(*locked(&clerk.totals)),
    }
}

/// A thread's link to the queue.
struct QueueLink<'a> {
    clerk: &'a Clerk<'a>,
    batch: RefCell<Option<OpenBatch>>,
}

impl<'a> QueueLink<'a> {
    fn new(clerk: &'a Clerk<'a>) -> QueueLink<'a> {
        QueueLink { clerk, batch: RefCell::new(None) }
    }
}

impl WorkerLink for QueueLink<'_> {
    fn next_game(&self, stop: &Stop) -> Option<ScheduledGame> {
        loop {
            if stop.is_set() {
                return None;
            }
            let mut batch = self.batch.borrow_mut();
            if let Some(game) = batch.as_mut().and_then(|batch| batch.left.pop_front()) {
                return Some(game);
            }
            if self.clerk.switches.is_leaving() {
                return None;
            }
            match self.clerk.take() {
                Ok(taken) => *batch = taken,
                Err(error) if error.is_passing() => thread::sleep(PAUSE),
                Err(error) => self.clerk.fail(error),
            }
        }
    }

    fn tell(&self, event: WorkerEvent) {
        match event {
            WorkerEvent::Finished(game) => {
                let mut batch = self.batch.borrow_mut();
                let Some(open) = batch.as_mut() else { return };
                let worker = Some(Arc::clone(&self.clerk.info));
                open.finished.push(GameRecord { worker, ..*game });
                if open.left.is_empty() {
                    self.clerk.deliver(open);
                    *batch = None;
                }
            }
            WorkerEvent::Warning(engine, text) => {
                let text = format!("{}: {text}", self.clerk.job.plan.name(engine));
                if locked(&self.clerk.warned).insert(text.clone()) {
                    self.clerk.warn(&text);
                }
            }
            WorkerEvent::Note(text) => self.clerk.warn(&text),
            WorkerEvent::Failed(text) => self.clerk.fail(QueueError::System(text)),
            WorkerEvent::Broken(text) => self.clerk.fail(QueueError::Unfit(text)),
        }
    }

    fn leave(&self) {
        if let Some(batch) = self.batch.borrow_mut().take() {
            self.clerk.give_back(&batch);
        }
    }
}
