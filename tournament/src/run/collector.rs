//! Playing a plan: finished games go to the ledger.

use super::engine_pool::Identities;
use super::live::{Latest, LiveBoards, LiveWorkers};
use super::worker::WorkerEvent;
use crate::engine::Stop;
use crate::failure::Failure;
use crate::ledger::record::{GameRecord, Journal, JournalReader};
use crate::ledger::results::{Score, Summary};
use crate::ledger::{Ledger, MatchObserver, Scheduler};
use crate::plan::MatchPlan;
use crate::schedule::Openings;
use crossbeam_channel::{Receiver, Sender, bounded};
use std::mem;
use std::sync::Arc;
use std::thread;

/// Events that may wait for the collector: enough for all workers, too few to fill the memory.
const MAX_EVENTS: usize = 256;

/// A journal to write to, and a reader of the games that it holds already.
pub type OpenJournal = (Journal, Option<JournalReader>);

/// The state that all who play a match share.
pub struct Context<'a> {
    pub plan: &'a MatchPlan,
    /// Hands out the games.
    pub scheduler: &'a Scheduler,
    /// The engines by their `id name`.
    pub identities: &'a Identities,
    /// Ends it early.
    pub stop: &'a Stop,
    /// The score of the games that count.
    pub progress: &'a Latest<Score>,
    /// Where the boards and the workers are shown.
    pub shown: &'a Shown,
    /// Where all that happens goes.
    pub(super) events: Sender<WorkerEvent>,
}

impl Context<'_> {
    /// Tells what has happened.
    pub fn tell(&self, event: WorkerEvent) {
        // The collector listens until all who play are gone.
        let _ = self.events.send(event);
    }

    /// Tells something that a user should know.
    pub fn note(&self, text: impl Into<String>) {
        self.tell(WorkerEvent::Note(text.into()));
    }
}

/// Where a match shows what happens between the ends of games.
#[derive(Clone, Debug, Default)]
pub struct Shown {
    /// The boards of the games in progress, if they are shown.
    pub boards: Option<Arc<LiveBoards>>,
    /// The workers of a queue, if they are shown.
    pub workers: Option<Arc<LiveWorkers>>,
}

/// Plays the rest of a plan: to its end, until its SPRT is decided, or until it is stopped. `play` is called if a game is left:
/// it takes games from the scheduler, and sends events until all have ended. Returns the results.
pub fn run(
    plan: &MatchPlan,
    openings: Openings,
    journal: Option<OpenJournal>,
    stop: &Stop,
    shown: &Shown,
    observer: &mut dyn MatchObserver,
    play: impl FnOnce(&Context<'_>) + Send,
) -> Result<Summary, Failure> {
    let (scheduler, progress) = (Scheduler::new(plan, openings), Latest::default());
    let identities = Identities::new(plan.contestants.len());
    let mut ledger = Ledger::new(plan, &scheduler);
    if let Some((journal, reader)) = journal {
        ledger.open(journal, reader, observer)?;
    }
    let tally = ledger.preview();
    let known = (0..).zip(&tally.id_names).filter_map(|(engine, name)| Some((engine, name.as_ref()?)));
    known.for_each(|(engine, name)| identities.learn(engine, name));
    progress.set(Score::of(&tally, plan));
    drop(tally);
    if ledger.is_over() || ledger.is_complete() || stop.is_set() {
        return Ok(ledger.close(observer));
    }
    let (events, arriving) = bounded(MAX_EVENTS);
    let (scheduler, identities, progress) = (&scheduler, &identities, &progress);
    let context = Context { plan, scheduler, identities, stop, progress, shown, events };
    let mut collector = Collector { ledger, plan, scheduler, stop, progress, observer, failed: false };
    thread::scope(|scope| match thread::Builder::new().spawn_scoped(scope, move || play(&context)) {
        Ok(_) => collector.listen(&arriving),
        Err(error) => collector.fail(&format!("the system starts no thread: {error}")),
    });
    Ok(collector.ledger.close(collector.observer))
}

/// Takes events, and puts finished games into the ledger.
struct Collector<'a> {
    ledger: Ledger<'a>,
    plan: &'a MatchPlan,
    scheduler: &'a Scheduler,
    stop: &'a Stop,
    progress: &'a Latest<Score>,
    observer: &'a mut dyn MatchObserver,
    failed: bool,
}

impl Collector<'_> {
    /// Handles events until all who play are gone. Games that arrive together are synced together.
    fn listen(&mut self, events: &Receiver<WorkerEvent>) {
        while let Ok(first) = events.recv() {
            let mut finished = Vec::new();
            for event in std::iter::once(first).chain(events.try_iter()) {
                match event {
                    WorkerEvent::Finished(record) => finished.push(*record),
                    WorkerEvent::Broken(text) => {
                        // Games finished before count.
                        self.commit(mem::take(&mut finished));
                        self.ledger.break_match(text, self.observer);
                        self.end();
                    }
                    WorkerEvent::Failed(text) => self.fail(&text),
                    WorkerEvent::Note(text) => self.observer.warning(&text),
                    WorkerEvent::Warning(engine, text) => self.ledger.warn(engine, &text, self.observer),
                }
            }
            self.commit(finished);
        }
    }

    fn commit(&mut self, finished: Vec<GameRecord>) {
        if finished.is_empty() {
            return;
        }
        if let Err(error) = self.ledger.commit(finished, self.observer) {
            self.fail(&format!("{error}; no more games are played"));
            self.end();
        }
        if self.ledger.is_over() {
            self.end();
        }
        if self.progress.is_read() {
            self.progress.set(Score::of(&self.ledger.preview(), self.plan));
        }
    }

    /// Lets no more games begin.
    fn end(&self) {
        self.stop.set();
        self.scheduler.wake_all();
    }

    fn fail(&mut self, text: &str) {
        // Many workers may report the same failure.
        if !mem::replace(&mut self.failed, true) {
            self.observer.failure(text);
        }
    }
}
