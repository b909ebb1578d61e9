//! The coordinator: the driver of a match that workers play. It writes batches, takes results, and leaves the rest to the
//! collector, which commits the games in the order of the schedule.
//!
//! It keeps a window of batches ahead of the workers. What lies on the broker is compared with what should lie there now and
//! then, and after every lost connection: a batch that is in neither stream is written again. So it does not matter what a
//! coordinator before this one, or the broker, has forgotten, and a batch that is there twice is dropped game by game.

mod arrivals;
mod window;

use super::bench::Bench;
use super::broker::{Broker, LOCKED as LOCK, ReadUpTo};
use super::error::QueueError;
use super::job::Job;
use super::machine::unique_name;
use super::offer::Offer;
use super::options::QueueOptions;
use super::roster::Roster;
use super::status::CoordinatorProgress;
use crate::plan::MatchPlan;
use crate::results::Score;
use crate::run::{CommitOrder, Contest, Driver, MatchObserver, QueueSnapshot, Readiness, WorkerEvent};
use crate::schedule::ScheduledGame;
use crossbeam_channel::Sender;
use std::collections::{BTreeMap, VecDeque};
use std::thread;
use std::time::{Duration, Instant};

/// The time between two signs of life, and two looks at the workers.
const LOOK_EVERY: Duration = Duration::from_secs(1);
/// How long is waited for results at once; and if there is nothing to wait for but the collector.
const WAIT: [Duration; 2] = [Duration::from_millis(100), Duration::from_millis(2)];
/// The shortest and the longest pause before it is looked again whether a result has come; it grows while none comes.
const POLL: [Duration; 2] = [Duration::from_millis(2), Duration::from_millis(32)];
/// The pause before a lost broker is asked again.
const PAUSE: Duration = Duration::from_millis(500);
/// The shortest time between two reports of progress.
const TELL_EVERY: Duration = Duration::from_millis(100);
/// How long after the last report of an engine that does not work another worker may come.
const BROKEN_AFTER: Duration = Duration::from_secs(10);

/// The driver of a match that workers behind a queue play.
pub struct Coordinator {
    broker: Broker,
    options: QueueOptions,
    /// A checksum of the openings.
    openings: u32,
    /// Its name among those who may lock the queue.
    me: String,
    job: Option<Job>,
    /// The executables on the queue.
    offer: Offer,
    /// Games that have been handed out, and have no result yet.
    open: BTreeMap<u64, ScheduledGame>,
    /// How far results and notes have been read.
    read: ReadUpTo,
    /// The pause before it is looked again.
    pause: Duration,
    /// Results that the journal does not have yet, with their users, and the last game of each.
    uncommitted: VecDeque<((String, String), u64)>,
    roster: Roster,
    looked: Option<Instant>,
    /// When it began, and how many games there were then.
    began: Option<(Instant, u64)>,
    compared: Option<Instant>,
    /// No more games are handed out.
    ended: bool,
    /// When the last worker said that an engine does not work there, and what it said.
    broken: Option<(Instant, String)>,
    /// Why the broker is waited for.
    lost: Option<String>,
    /// Whether the broker has answered this coordinator before.
    reached: bool,
    /// The games that were told last, and when.
    told: (u64, Option<Instant>),
}

impl Coordinator {
    /// A coordinator of the queue that the options name; the broker is not asked yet.
    ///
    /// # Errors
    /// If the address is none.
    pub fn new(options: QueueOptions, openings: u32) -> Result<Coordinator, QueueError> {
        let me = unique_name();
        Ok(Coordinator {
            broker: Broker::new(&options.address)?,
            offer: Offer::new(&options, &me),
            options,
            openings,
            me,
            job: None,
            open: BTreeMap::new(),
            read: ReadUpTo::default(),
            pause: POLL[0],
            uncommitted: VecDeque::new(),
            roster: Roster::new(),
            looked: None,
            began: None,
            compared: None,
            ended: false,
            broken: None,
            lost: None,
            reached: false,
            told: (0, None),
        })
    }

    /// Leaves the queue. If the match is over, its workers are told so, and it is removed; otherwise they go on with what
    /// lies there, until a coordinator goes on with the match.
    ///
    /// # Errors
    /// If the broker is not there.
    pub fn close(mut self, plan: &MatchPlan, score: &Score, over: bool) -> Result<(), QueueError> {
        if over && self.job.is_none() {
            self.find_unended(plan)?;
        }
        if let Some(job) = self.job.as_ref() {
            // Those who look see the end.
            self.broker.tell_progress(&self.told(score, plan).text())?;
            if over {
                self.broker.end(&job.number)?;
            }
        }
        self.broker.unlock(&self.me)
    }

    /// A match that needs no more games may still lie in the queue: its coordinator was ended after the last one.
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

    fn begin(&mut self, contest: &Contest<'_>, observer: &mut dyn MatchObserver) -> Result<(), QueueError> {
        let Some(bench) = Bench::measure(&|| contest.stop.is_set()) else { return Ok(()) };
        let job = Job::new(contest.plan, self.openings, &self.options, bench)?;
        let began = Instant::now();
        while let Some(holder) = self.broker.lock(&self.me, LOCK)? {
            self.reached = true;
            if began.elapsed() > LOCK + LOOK_EVERY || contest.stop.is_set() {
                return Err(QueueError::taken(&self.options.address, &holder));
            }
            thread::sleep(PAUSE);
        }
        self.reached = true;
        match self.broker.state()? {
            Some(state) if state.job == job.number => {}
            other => {
                if other.is_some_and(|state| state.running) {
                    observer.warning(&format!(
                        "{}: another match was not finished there; its journal can go on with it in another queue",
                        self.options.address
                    ));
                }
                self.broker.clear()?;
            }
        }
        self.roster.begin(&mut self.broker)?;
        self.offer.begin(&mut self.broker, &job, &|| contest.stop.is_set())?;
        self.broker.publish(&job.number, &job.text())?;
        self.job = Some(job);
        Ok(())
    }

    /// One look at everything. Says whether the match is over.
    fn step(&mut self, contest: &Contest<'_>, events: &Sender<WorkerEvent>) -> Result<bool, QueueError> {
        if self.looked.is_none_or(|looked| looked.elapsed() >= LOOK_EVERY) {
            self.look_around(contest, events)?;
        }
        if self.compared.is_none_or(|compared| compared.elapsed() >= self.options.lease.max(LOOK_EVERY)) {
            self.compare(contest, events)?;
        }
        self.refill(contest)?;
        if self.ended && self.open.is_empty() && self.uncommitted.is_empty() {
            return Ok(true);
        }
        let (wait, since) = (WAIT[usize::from(self.open.is_empty())], Instant::now());
        loop {
            if self.take_news(contest, events, false)? {
                self.pause = POLL[0];
                break;
            }
            if since.elapsed() >= wait {
                break;
            }
            thread::sleep(self.pause.min(wait));
            self.pause = (2 * self.pause).min(POLL[1]);
        }
        self.forget_committed(contest)?;
        let (told, when) = self.told;
        if contest.progress.score().games != told && when.is_none_or(|when| when.elapsed() >= TELL_EVERY) {
            self.tell_progress(contest)?;
        }
        if let Some(problem) = self.is_broken(contest) {
            let _ = events.send(WorkerEvent::Broken(problem));
            contest.stop.set();
            return Ok(true);
        }
        Ok(false)
    }

    /// Why the match cannot be played: an engine does not work on the workers that came, and no other worker has come since.
    fn is_broken(&mut self, contest: &Contest<'_>) -> Option<String> {
        if self.roster.slots > 0 || contest.progress.score().games > self.began.map_or(0, |(_, games)| games)
        {
            self.broken = None;
        }
        let (since, problem) = self.broken.as_ref()?;
        (since.elapsed() >= BROKEN_AFTER).then(|| format!("no worker can play: {problem}"))
    }

    /// Takes results out of a broker that has no memory for anything else.
    fn drain(&mut self, contest: &Contest<'_>, events: &Sender<WorkerEvent>) -> Result<(), QueueError> {
        self.take_news(contest, events, false)?;
        self.forget_committed(contest)
    }

    /// Goes on holding the lock, and sees who is there.
    fn look_around(&mut self, contest: &Contest<'_>, events: &Sender<WorkerEvent>) -> Result<(), QueueError> {
        if let Some(holder) = self.broker.lock(&self.me, LOCK)? {
            return Err(QueueError::taken(&self.options.address, &holder));
        }
        let Some(bench) = self.job.as_ref().map(|job| job.bench) else { return Ok(()) };
        let QueueOptions { address, lease, .. } = &self.options;
        for note in self.roster.look(&mut self.broker, address, bench, *lease)? {
            let _ = events.send(WorkerEvent::Note(note));
        }
        self.tell_progress(contest)?;
        if let Some(seen) = contest.workers {
            let (all, in_play) = self.broker.loads()?;
            let workers = self.roster.workers.clone();
            seen.see(QueueSnapshot {
                workers,
                batches: [all.saturating_sub(in_play), in_play],
                games_per_minute: self.rate(contest),
            });
        }
        // A worker may have returned a result without a notification, or the notification came while results were read.
        self.read.look_again();
        self.looked = Some(Instant::now());
        Ok(())
    }

    /// Games that were committed in a minute, since this coordinator is there.
    fn rate(&self, contest: &Contest<'_>) -> Option<u64> {
        let (began, before) = self.began?;
        let games = contest.progress.score().games.saturating_sub(before) as f64;
        let seconds = began.elapsed().as_secs_f64();
        (seconds >= 1.0).then(|| (games * 60.0 / seconds).round() as u64)
    }

    fn tell_progress(&mut self, contest: &Contest<'_>) -> Result<(), QueueError> {
        let score = contest.progress.score();
        self.began.get_or_insert((Instant::now(), score.games));
        self.told = (score.games, Some(Instant::now()));
        self.broker.tell_progress(&self.told(&score, contest.plan).text())
    }

    /// How far the match is, and how long this coordinator has been there.
    fn told(&self, score: &Score, plan: &MatchPlan) -> CoordinatorProgress {
        let (began, before) = self.began.unwrap_or((Instant::now(), score.games));
        let since = [began.elapsed().as_secs(), score.games.saturating_sub(before)];
        CoordinatorProgress::new(score, plan.games(), since)
    }

    /// Waits for a broker that is not there.
    fn wait_for_broker(&mut self, contest: &Contest<'_>, lost: &QueueError, events: &Sender<WorkerEvent>) {
        if self.lost.is_none() {
            let _ = events.send(WorkerEvent::Note(format!("{lost}; retrying")));
        }
        self.lost = Some(lost.to_string());
        while !contest.stop.is_set() {
            thread::sleep(PAUSE);
            match self.broker.state() {
                Err(error) if error.is_passing() => {}
                _ => break,
            }
        }
        // It may answer questions and have no memory for messages.
        let _ = self.drain(contest, events);
        (self.looked, self.compared) = (None, None);
    }

    fn broker_is_back(&mut self, events: &Sender<WorkerEvent>) {
        if self.lost.take().is_some() {
            let _ = events.send(WorkerEvent::Note(format!("{}: the broker is back", self.options.address)));
        }
    }
}

impl Driver for Coordinator {
    fn commit_order(&self) -> CommitOrder {
        CommitOrder::AsScheduled
    }

    fn prepare(&mut self, contest: &Contest<'_>, observer: &mut dyn MatchObserver) -> Readiness {
        let mut warned = false;
        loop {
            match self.begin(contest, observer) {
                Ok(()) => return Readiness::Ready,
                // A broker that has answered before comes back.
                Err(error) if self.reached && error.is_passing() && !contest.stop.is_set() => {
                    if !std::mem::replace(&mut warned, true) {
                        observer.warning(&format!("{error}; retrying"));
                    }
                    thread::sleep(PAUSE);
                }
                Err(error) => return Readiness::Failed(error.to_string()),
            }
        }
    }

    fn play(&mut self, contest: &Contest<'_>, events: Sender<WorkerEvent>) {
        contest.scheduler.allow_any_distance();
        while !contest.stop.is_set() && self.job.is_some() {
            match self.step(contest, &events) {
                Ok(true) => break,
                Ok(false) => self.broker_is_back(&events),
                Err(error) if error.is_passing() => self.wait_for_broker(contest, &error, &events),
                Err(error) => {
                    let _ = events.send(WorkerEvent::Failed(error.to_string()));
                    contest.stop.set();
                }
            }
        }
    }
}
