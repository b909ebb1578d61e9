//! The coordinator: the driver of a match that workers play. It writes batches, takes results, and leaves the rest to the
//! collector, which commits the games in the order of the schedule.
//!
//! It keeps a window of batches ahead of the workers. What lies on the broker is compared with what should lie there now and
//! then, and after every lost connection: a batch that is in neither stream is written again. So it does not matter what a
//! coordinator before this one, or the broker, has forgotten, and a batch that is there twice is dropped game by game.

use super::batch::{Batch, MAX_BATCH};
use super::bench::Bench;
use super::broker::{Broker, LOCKED as LOCK, News, ReadUpTo};
use super::connection::StreamEntry;
use super::error::{MessageError, QueueError};
use super::job::Job;
use super::machine::{WorkerId, unique_name};
use super::offer::Offer;
use super::options::QueueOptions;
use super::results::{assert_fits, games_of, longest_result};
use super::roster::Roster;
use super::status::CoordinatorProgress;
use crate::plan::MatchPlan;
use crate::run::{
    CommitOrder, Contest, Driver, MatchObserver, ProgressCounts, QueueSnapshot, Readiness, WorkerEvent,
};
use crate::schedule::{NextGame, ScheduledGame};
use crossbeam_channel::Sender;
use kroo::printable;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::thread;
use std::time::{Duration, Instant};

/// The time between two signs of life, and two looks at the workers.
const LOOK_EVERY: Duration = Duration::from_secs(1);
/// How long is waited for results at once; and if there is nothing to wait for but the collector.
const WAIT: [Duration; 2] = [Duration::from_millis(100), Duration::from_millis(2)];
/// The shortest and the longest pause before it is looked again whether a result has come; it grows while none comes.
const POLL: [Duration; 2] = [Duration::from_millis(2), Duration::from_millis(32)];
/// How often at most results are read before they are compared with the batches.
const MAX_READINGS: usize = 4_096;
/// The pause before a lost broker is asked again.
const PAUSE: Duration = Duration::from_millis(500);
/// The shortest time between two reports of progress.
const TELL_EVERY: Duration = Duration::from_millis(100);
/// How long after the last report of an engine that does not work another worker may come.
const BROKEN_AFTER: Duration = Duration::from_secs(10);
/// Batches that are ready for workers besides two for each of their games.
const SPARE: u64 = 4;
/// The most games that are open, or wait for one before them.
const MAX_OPEN: u64 = 1 << 18;
/// Characters of a note that are shown.
const MAX_NOTE: usize = 500;

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
    pub fn close(mut self, plan: &MatchPlan, counts: &ProgressCounts, over: bool) -> Result<(), QueueError> {
        if over && self.job.is_none() {
            self.find_unended(plan)?;
        }
        if let Some(job) = self.job.as_ref() {
            // Those who look see the end.
            self.broker.tell_progress(&self.told(counts, plan).text())?;
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
        if contest.progress.counts().games != told && when.is_none_or(|when| when.elapsed() >= TELL_EVERY) {
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
        if self.roster.slots > 0 || contest.progress.counts().games > self.began.map_or(0, |(_, games)| games)
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

    /// Takes results and notes that have come. `catching_up`: games may have been handed out by a coordinator before this one. Says
    /// whether there were any.
    fn take_news(
        &mut self,
        contest: &Contest<'_>,
        events: &Sender<WorkerEvent>,
        catching_up: bool,
    ) -> Result<bool, QueueError> {
        let most = longest_result(contest.plan, self.job.as_ref().map_or(0, Job::most_games));
        let users = self.roster.readable();
        let News { results, notes } = self.broker.news(&users, &mut self.read, most)?;
        self.take_notes(&notes, events)?;
        self.take_results(contest, &results, events, catching_up)?;
        Ok(!results.is_empty() || !notes.is_empty())
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
        // Somebody may have brought something without a sound, or been reading here when the bell was rung.
        self.read.look_again();
        self.looked = Some(Instant::now());
        Ok(())
    }

    /// Games that were committed in a minute, since this coordinator is there.
    fn rate(&self, contest: &Contest<'_>) -> Option<u64> {
        let (began, before) = self.began?;
        let games = contest.progress.counts().games.saturating_sub(before) as f64;
        let seconds = began.elapsed().as_secs_f64();
        (seconds >= 1.0).then(|| (games * 60.0 / seconds).round() as u64)
    }

    fn tell_progress(&mut self, contest: &Contest<'_>) -> Result<(), QueueError> {
        let counts = contest.progress.counts();
        self.began.get_or_insert((Instant::now(), counts.games));
        self.told = (counts.games, Some(Instant::now()));
        self.broker.tell_progress(&self.told(&counts, contest.plan).text())
    }

    /// How far the match is, and how long this coordinator has been there.
    fn told(&self, counts: &ProgressCounts, plan: &MatchPlan) -> CoordinatorProgress {
        let (began, before) = self.began.unwrap_or((Instant::now(), counts.games));
        let since = [began.elapsed().as_secs(), counts.games.saturating_sub(before)];
        CoordinatorProgress::new(counts, plan.games(), since)
    }

    /// Compares what lies on the broker with what should lie there, and writes what is missing.
    fn compare(&mut self, contest: &Contest<'_>, events: &Sender<WorkerEvent>) -> Result<(), QueueError> {
        let Some(job) = &self.job else { return Ok(()) };
        if let Some(note) = self.offer.keep(&mut self.broker, job, &|| contest.stop.is_set())? {
            let _ = events.send(WorkerEvent::Note(note));
        }
        let running = self.broker.state()?.is_some_and(|state| state.running && state.job == job.number);
        if !running {
            // The broker has lost everything, or never had it.
            self.broker.publish(&job.number, &job.text())?;
            self.read = ReadUpTo::default();
        }
        // First the batches: one whose result comes meanwhile is found in the results then.
        let (mut written, mut after) = (BTreeSet::new(), None);
        loop {
            let batches = self.broker.batches(after.as_deref())?;
            let Some(last) = batches.last() else { break };
            after = Some(last.id.clone());
            for entry in batches {
                match batch_of(&entry) {
                    Ok(batch) => written.extend(batch.numbers()),
                    Err(problem) => {
                        let text = format!("a batch on the queue that is none is removed: {problem}");
                        let _ = events.send(WorkerEvent::Note(text));
                        self.broker.remove_batch(&entry.id)?;
                    }
                }
            }
        }
        self.hand_out_up_to(contest, written.last().copied().unwrap_or(0));
        self.read.look_again();
        for _ in 0..MAX_READINGS {
            if !self.take_news(contest, events, true)? {
                break;
            }
        }
        let missing: Vec<ScheduledGame> =
            self.open.values().filter(|game| !written.contains(&game.number)).cloned().collect();
        self.write(&missing)?;
        self.compared = Some(Instant::now());
        Ok(())
    }

    /// Takes games from the scheduler that a coordinator before this one has handed out already.
    fn hand_out_up_to(&mut self, contest: &Contest<'_>, last: u64) {
        let found = self.open.last_key_value().map_or(0, |(&number, _)| number);
        let mut next = found.max(contest.scheduler.committed());
        while next < last && (self.open.len() as u64) < MAX_OPEN {
            let NextGame::Play(scheduled) = contest.scheduler.try_next() else { return };
            next = scheduled.number;
            self.open.insert(next, scheduled);
        }
    }

    /// Keeps enough batches ready.
    fn refill(&mut self, contest: &Contest<'_>) -> Result<(), QueueError> {
        let batch = 2 * self.options.batch;
        let wanted = (2 * self.roster.slots + SPARE).saturating_mul(batch).min(MAX_OPEN);
        let furthest = contest.scheduler.committed().saturating_add((4 * wanted).clamp(1_024, MAX_OPEN));
        let mut fresh: Vec<ScheduledGame> = Vec::new();
        loop {
            // A batch is whole: only at its end may there be enough.
            let begins = fresh.last().is_none_or(|game| game.number.is_multiple_of(batch));
            let last = self.open.last_key_value().map_or(0, |(&number, _)| number);
            if begins && (self.open.len() as u64 >= wanted || last >= furthest) {
                break;
            }
            match contest.scheduler.try_next() {
                NextGame::Play(scheduled) => {
                    self.open.insert(scheduled.number, scheduled.clone());
                    fresh.push(scheduled);
                }
                NextGame::Wait => break,
                NextGame::End => {
                    self.ended = true;
                    break;
                }
            }
        }
        self.write(&fresh)
    }

    /// Writes games as batches: the pairs of a batch are always the same ones.
    fn write(&mut self, games: &[ScheduledGame]) -> Result<(), QueueError> {
        let size = self.options.batch;
        let batches = games.chunk_by(|one, other| one.pair / size == other.pair / size);
        let texts: Vec<String> = batches.map(|games| Batch::of(games).text()).collect();
        texts.chunks(64).try_for_each(|texts| self.broker.add(texts))
    }

    fn take_notes(
        &mut self,
        notes: &[(String, StreamEntry)],
        events: &Sender<WorkerEvent>,
    ) -> Result<(), QueueError> {
        for (user, entry) in notes {
            let Some(note) = entry.text("note") else { continue };
            let worker = WorkerId::new(user, entry.text("worker"));
            if entry.text("broken").is_some() {
                let problem = printable::line(note).chars().take(MAX_NOTE).collect();
                self.broken = Some((Instant::now(), problem));
            }
            let note: String = printable::line(note).chars().take(MAX_NOTE).collect();
            let _ = events.send(WorkerEvent::Note(format!("worker {worker}: {note}")));
        }
        let known: Vec<_> = notes.iter().map(|(user, entry)| (user.clone(), entry.id.clone())).collect();
        self.broker.forget_notes(&known)
    }

    /// Passes results on to the collector. A game that is not open has been played before.
    fn take_results(
        &mut self,
        contest: &Contest<'_>,
        results: &[(String, StreamEntry)],
        events: &Sender<WorkerEvent>,
        catching_up: bool,
    ) -> Result<(), QueueError> {
        let Some((most, number)) = self.job.as_ref().map(|job| (job.most_games(), job.number.clone())) else {
            return Ok(());
        };
        for (user, entry) in results {
            let worker = WorkerId::new(user, entry.text("worker"));
            if worker.own_user().is_some() && !self.roster.allows(&worker) {
                // Refused since it was read.
                continue;
            }
            let games = games_of(entry, &number, contest.plan, most);
            if let (true, Ok(games)) = (catching_up, &games) {
                let last = games.iter().map(|game| game.scheduled.number).max();
                self.hand_out_up_to(contest, last.unwrap_or(0));
            }
            let games = games.and_then(|games| {
                games
                    .iter()
                    .try_for_each(|game| assert_fits(game, &worker, &self.open, &self.roster, contest))?;
                Ok(games)
            });
            let place = (user.clone(), entry.id.clone());
            let games = match games {
                Ok(games) => games,
                Err(problem) => {
                    self.refuse(&worker, place, &problem, events)?;
                    continue;
                }
            };
            let mut last = None;
            for game in games {
                if self.open.remove(&game.scheduled.number).is_some() {
                    last = last.max(Some(game.scheduled.number));
                    let _ = events.send(WorkerEvent::Finished(Box::new(game)));
                }
            }
            // A result of which no game was open comes too late.
            self.uncommitted.push_back((place, last.unwrap_or(0)));
        }
        Ok(())
    }

    /// Refuses a result that cannot be one, and the worker that has brought it. Its games are played by others.
    fn refuse(
        &mut self,
        worker: &WorkerId,
        place: (String, String),
        problem: &MessageError,
        events: &Sender<WorkerEvent>,
    ) -> Result<(), QueueError> {
        let text = format!(
            "worker {} has brought a result that is none, and is refused: {problem}",
            worker.author()
        );
        let _ = events.send(WorkerEvent::Note(printable::line(&text).into_owned()));
        self.roster.refuse(&mut self.broker, worker, &problem.to_string())?;
        self.broker.forget_results(&[place])?;
        self.compared = None;
        Ok(())
    }

    /// Removes results that the journal has.
    fn forget_committed(&mut self, contest: &Contest<'_>) -> Result<(), QueueError> {
        let committed = contest.scheduler.committed();
        let (done, kept): (VecDeque<_>, VecDeque<_>) =
            std::mem::take(&mut self.uncommitted).into_iter().partition(|(_, last)| *last <= committed);
        self.uncommitted = kept;
        let places: Vec<(String, String)> = done.into_iter().map(|(place, _)| place).collect();
        self.broker.forget_results(&places)
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

fn batch_of(entry: &StreamEntry) -> Result<Batch, MessageError> {
    match entry.too_long {
        Some(found) => Err(MessageError::Long { found, most: MAX_BATCH }),
        None => Batch::parse(entry.field("games").ok_or(MessageError::Field("games"))?),
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
