//! The coordinator of a match that workers play. It writes batches, takes results, and leaves the rest to the ledger.
//!
//! It keeps a window of batches ahead of the workers. Once a lease, and after every lost connection, it compares the batches on
//! the broker with the open games, and writes again those that no worker has and none will get. So an earlier coordinator, the
//! broker or its administrator may have lost, removed or acknowledged anything; games of a batch that is there twice are
//! dropped.

mod arrivals;
mod window;

use super::broker::{Broker, LOCKED as LOCK, ReadUpTo};
use super::error::QueueError;
use super::fetch;
use super::job::{Job, json};
use super::machine::unique_name;
use super::options::QueueOptions;
use super::status::{CoordinatorProgress, Roster};
use crate::ledger::results::Score;
use crate::plan::MatchPlan;
use crate::run::{Bench, Context, QueueSnapshot, WorkerEvent};
use crate::schedule::ScheduledGame;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};
use std::{mem, thread};

/// The time between two signs of life, and two looks at the workers.
const LOOK_EVERY: Duration = Duration::from_secs(1);
/// The longest wait for results, and the wait while only the collector has work.
const WAIT: [Duration; 2] = [Duration::from_millis(100), Duration::from_millis(2)];
/// The pause between two attempts to reach a lost broker.
const PAUSE: Duration = Duration::from_millis(500);
/// The shortest time between two reports of progress.
const TELL_EVERY: Duration = Duration::from_millis(100);
/// How long to wait for another worker after the last report of an engine that does not work.
const BROKEN_AFTER: Duration = Duration::from_secs(10);

/// The driver of a match that workers behind a queue play.
pub struct Coordinator {
    broker: Broker,
    options: QueueOptions,
    /// A checksum of the openings.
    openings: u32,
    /// Its name as the holder of the queue's lock.
    me: String,
    job: Option<Job>,
    /// Whether executables are on the queue.
    offers: bool,
    /// Games that have been handed out, and have no result yet.
    open: BTreeMap<u64, ScheduledGame>,
    /// How far results and notes have been read.
    read: ReadUpTo,
    /// Results that the journal does not have yet, and the last game of each.
    uncommitted: Vec<(String, u64)>,
    roster: Roster,
    looked: Option<Instant>,
    /// When it began, and how many games there were then.
    began: Option<(Instant, u64)>,
    compared: Option<Instant>,
    /// No more games are handed out.
    ended: bool,
    /// The last report of a worker that an engine does not work there, and its time.
    broken: Option<(Instant, String)>,
    /// Whether the broker cannot be reached.
    lost: bool,
    /// Whether the broker has answered this coordinator before.
    reached: bool,
    /// The games of the last report of progress, and its time.
    reported: (u64, Option<Instant>),
}

impl Coordinator {
    /// A coordinator of the queue that the options name. It does not connect yet.
    pub fn new(options: QueueOptions, openings: u32) -> Result<Coordinator, QueueError> {
        let me = unique_name();
        Ok(Coordinator {
            broker: Broker::new(&options.address)?,
            offers: options.offer_engines,
            options,
            openings,
            me,
            job: None,
            open: BTreeMap::new(),
            read: ReadUpTo::default(),
            uncommitted: Vec::new(),
            roster: Roster::new(),
            looked: None,
            began: None,
            compared: None,
            ended: false,
            broken: None,
            lost: false,
            reached: false,
            reported: (0, None),
        })
    }

    /// Leaves the queue. A match that is over is removed, and its workers end; otherwise they play the batches that are there
    /// until a coordinator resumes the match.
    pub fn close(mut self, plan: &MatchPlan, score: &Score, over: bool) -> Result<(), QueueError> {
        if over && self.job.is_none() {
            self.find_unended(plan)?;
        }
        if let Some(job) = self.job.as_ref() {
            // `referee status` shows the end.
            self.broker.tell_progress(&json(&self.report(score, plan)))?;
            if over {
                self.broker.end(&job.number)?;
            }
        }
        self.broker.unlock(&self.me)
    }

    /// Finds a match that needs no more games, and is still in the queue because its coordinator was killed after the last one.
    fn find_unended(&mut self, plan: &MatchPlan) -> Result<(), QueueError> {
        if self.broker.lock(&self.me, LOCK)?.is_some()
            || !self.broker.state()?.is_some_and(|state| state.running)
        {
            return Ok(());
        }
        let job = self.broker.job()?.and_then(|job| Job::parse(&self.options.address, &job).ok());
        self.job = job.filter(|job| job.is_of(plan, self.openings));
        Ok(())
    }

    fn begin(&mut self, context: &Context<'_>) -> Result<(), QueueError> {
        let Some(bench) = Bench::measure(&|| context.stop.is_set()) else { return Ok(()) };
        let job = Job::new(context.plan, self.openings, &self.options, bench)?;
        let began = Instant::now();
        while let Some(holder) = self.broker.lock(&self.me, LOCK)? {
            self.reached = true;
            if began.elapsed() > LOCK + LOOK_EVERY || context.stop.is_set() {
                return Err(QueueError::taken(&self.options.address, &holder));
            }
            thread::sleep(PAUSE);
        }
        self.reached = true;
        match self.broker.state()? {
            Some(state) if state.job == job.number => {}
            other => {
                if other.is_some_and(|state| state.running) {
                    context.note(format!(
                        "{}: another match was not finished there; its journal can go on with it in another queue",
                        self.options.address
                    ));
                }
                self.broker.clear()?;
            }
        }
        if self.offers {
            fetch::put(&mut self.broker, (&self.options.address, &self.me), &job, context.stop)?;
        }
        self.broker.publish(&job.number, &job.text())?;
        self.job = Some(job);
        Ok(())
    }

    /// One turn of the loop. Returns whether the match is over.
    fn step(&mut self, context: &Context<'_>) -> Result<bool, QueueError> {
        if self.looked.is_none_or(|looked| looked.elapsed() >= LOOK_EVERY) {
            self.look_around(context)?;
        }
        if self.compared.is_none_or(|compared| compared.elapsed() >= self.options.lease.max(LOOK_EVERY)) {
            self.compare(context)?;
        }
        self.refill(context)?;
        if self.ended && self.open.is_empty() && self.uncommitted.is_empty() {
            return Ok(true);
        }
        self.collect(context, WAIT[usize::from(self.open.is_empty())])?;
        let (told, when) = self.reported;
        if context.progress.get().games != told && when.is_none_or(|when| when.elapsed() >= TELL_EVERY) {
            self.tell_progress(context)?;
        }
        if let Some(problem) = self.is_broken(context) {
            context.tell(WorkerEvent::Broken(problem));
            context.stop.set();
            return Ok(true);
        }
        Ok(false)
    }

    /// Why the match cannot be played: an engine does not work on the workers that came, and no other worker has come since.
    fn is_broken(&mut self, context: &Context<'_>) -> Option<String> {
        if self.roster.slots > 0 || context.progress.get().games > self.began.map_or(0, |(_, games)| games) {
            self.broken = None;
        }
        let (since, problem) = self.broken.as_ref()?;
        (since.elapsed() >= BROKEN_AFTER).then(|| format!("no worker can play: {problem}"))
    }

    /// Takes results that come within a time, and removes those that the journal has.
    fn collect(&mut self, context: &Context<'_>, wait: Duration) -> Result<(), QueueError> {
        self.take_news(context, false, wait)?;
        self.forget_committed(context)
    }

    /// Renews the lock, and lists the workers.
    fn look_around(&mut self, context: &Context<'_>) -> Result<(), QueueError> {
        if let Some(holder) = self.broker.lock(&self.me, LOCK)? {
            return Err(QueueError::taken(&self.options.address, &holder));
        }
        let QueueOptions { address, lease, .. } = &self.options;
        if let Some(note) = self.roster.look(&mut self.broker, address, *lease)? {
            context.note(note);
        }
        self.tell_progress(context)?;
        if let Some(seen) = &context.shown.workers {
            let (all, in_play) = self.broker.loads()?;
            let workers = self.roster.workers.clone();
            seen.set(Some(QueueSnapshot {
                workers,
                batches: [all.saturating_sub(in_play), in_play],
                games_per_minute: self.rate(context),
            }));
        }
        self.looked = Some(Instant::now());
        Ok(())
    }

    /// Games per minute that this coordinator has committed.
    fn rate(&self, context: &Context<'_>) -> Option<u64> {
        let (began, before) = self.began?;
        let games = context.progress.get().games.saturating_sub(before) as f64;
        let seconds = began.elapsed().as_secs_f64();
        (seconds >= 1.0).then(|| (games * 60.0 / seconds).round() as u64)
    }

    fn tell_progress(&mut self, context: &Context<'_>) -> Result<(), QueueError> {
        let score = context.progress.get();
        self.began.get_or_insert((Instant::now(), score.games));
        self.reported = (score.games, Some(Instant::now()));
        self.broker.tell_progress(&json(&self.report(&score, context.plan)))
    }

    /// The progress of the match, and the time since this coordinator began.
    fn report(&self, score: &Score, plan: &MatchPlan) -> CoordinatorProgress {
        let (began, before) = self.began.unwrap_or((Instant::now(), score.games));
        let since = [began.elapsed().as_secs(), score.games.saturating_sub(before)];
        CoordinatorProgress::new(score, plan.games(), since)
    }

    /// Waits for a broker that is not there.
    fn wait_for_broker(&mut self, context: &Context<'_>, lost: &QueueError) {
        if !mem::replace(&mut self.lost, true) {
            context.note(format!("{lost}; retrying"));
        }
        while !context.stop.is_set() {
            thread::sleep(PAUSE);
            match self.broker.state() {
                Err(error) if error.is_passing() => {}
                _ => break,
            }
        }
        if self.job.is_some() {
            // It may answer and still be out of memory.
            let _ = self.collect(context, Duration::ZERO);
        }
        (self.looked, self.compared) = (None, None);
    }

    /// Has workers play until no game is left or the match is stopped, and sends events.
    pub fn play(&mut self, context: &Context<'_>) {
        context.scheduler.allow_any_distance();
        while !context.stop.is_set() {
            let is_over =
                if self.job.is_none() { self.begin(context).map(|()| false) } else { self.step(context) };
            match is_over {
                Ok(true) => break,
                Ok(false) if mem::take(&mut self.lost) => {
                    context.note(format!("{}: the broker is back", self.options.address));
                }
                Ok(false) => {}
                // A broker that has answered before will come back.
                Err(error) if self.reached && error.is_passing() => self.wait_for_broker(context, &error),
                Err(error) => {
                    context.tell(WorkerEvent::Failed(error.to_string()));
                    context.stop.set();
                }
            }
        }
    }
}
