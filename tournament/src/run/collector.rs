//! Playing a plan: finished games go to the ledger.

use super::identities::Identities;
use super::latest::Latest;
use super::link::WorkerEvent;
use super::live_boards::LiveBoards;
use super::live_workers::LiveWorkers;
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
#[derive(Clone, Copy)]
pub struct Context<'a> {
    /// The plan.
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
}

/// Where a match shows what happens between the ends of games.
#[derive(Clone, Debug, Default)]
pub struct Shown {
    /// The boards of the games in progress, if they are shown.
    pub boards: Option<Arc<LiveBoards>>,
    /// The workers of a queue, if they are shown.
    pub workers: Option<Arc<LiveWorkers>>,
}

/// Plays what is left of a plan: to its end, until its SPRT is decided, or until it is stopped. `play` is called if a game is
/// left: it takes games from the scheduler, and sends events until all have ended. Returns the results.
///
/// # Errors
/// If the journal cannot be read. Nothing is played then.
pub fn run(
    plan: &MatchPlan,
    openings: Openings,
    journal: Option<OpenJournal>,
    stop: &Stop,
    shown: &Shown,
    observer: &mut dyn MatchObserver,
    play: impl FnOnce(&Context<'_>, &Sender<WorkerEvent>) + Send,
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
    let (sender, events) = bounded(MAX_EVENTS);
    let (scheduler, identities, progress) = (&scheduler, &identities, &progress);
    let context = Context { plan, scheduler, identities, stop, progress, shown };
    let mut collector = Collector { ledger, context, observer, failed: false };
    thread::scope(|scope| {
        match thread::Builder::new().spawn_scoped(scope, move || play(&context, &sender)) {
            Ok(_) => collector.listen(&events),
            Err(error) => collector.fail(&format!("the system starts no thread: {error}")),
        }
    });
    Ok(collector.ledger.close(collector.observer))
}

/// Takes events, and puts finished games into the ledger.
struct Collector<'a> {
    ledger: Ledger<'a>,
    context: Context<'a>,
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
                        // What was finished before counts.
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
        let Context { progress, plan, .. } = self.context;
        if progress.is_read() {
            progress.set(Score::of(&self.ledger.preview(), plan));
        }
    }

    /// Lets no more games begin.
    fn end(&self) {
        self.context.stop.set();
        self.context.scheduler.wake_all();
    }

    fn fail(&mut self, text: &str) {
        // Many workers may report the same failure.
        if !mem::replace(&mut self.failed, true) {
            self.observer.failure(text);
        }
    }
}
