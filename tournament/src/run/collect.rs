//! Handing out the games and gathering what became of them.

use super::worker::Worker;
use crate::engine::{Guardian, Stop};
use crate::plan::{GameRecord, Plan};
use crate::schedule::{Fixture, Fixtures, Openings, round_robin};
use crate::tally::Tally;
use ahash::AHashSet;
use crossbeam_channel::{Sender, bounded};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

/// News that wait for the collector: enough for all workers, too few to fill the memory.
const NEWS: usize = 256;

/// Whoever is told about the games.
pub trait Observer {
    /// Something a user should know that is no result.
    fn warning(&mut self, text: &str);

    /// Something went wrong with the match itself, which is stopped.
    fn failure(&mut self, text: &str);

    /// A game has ended; it is in the tally.
    fn finished(&mut self, record: &GameRecord, tally: &Tally);

    /// A game has ended, and so have all before it. Every game comes once, in the order of the schedule.
    fn in_order(&mut self, record: &GameRecord);
}

/// What a worker says.
#[derive(Debug)]
pub(super) enum News {
    /// A game has ended.
    Finished(Box<GameRecord>),
    /// Something about an engine, by its place in the list.
    Warning(usize, String),
    /// The match cannot go on.
    Failed(String),
}

/// Games that can be taken from several threads.
pub(super) type Queue<'a> = Mutex<Box<dyn Iterator<Item = Fixture> + Send + 'a>>;

/// Plays a plan to its end, until its test is decided, or until it is stopped; says what was counted.
pub fn run(
    plan: &Plan,
    openings: Openings,
    guardian: &Arc<Guardian>,
    stop: &Stop,
    observer: &mut dyn Observer,
) -> Tally {
    let pairs = round_robin(plan.contestants.len(), plan.rounds);
    let queue: Queue<'_> = Mutex::new(Box::new(Fixtures::new(pairs, openings)));
    let (sender, news) = bounded(NEWS);
    let mut collector = Collector::new(plan, stop, observer);
    thread::scope(|scope| {
        for _ in 0..plan.games().min(plan.concurrency as u64) {
            let (queue, sender): (_, Sender<News>) = (&queue, sender.clone());
            scope.spawn(move || Worker::new(plan, guardian, stop, sender).play_all(queue));
        }
        drop(sender);
        news.iter().for_each(|news| collector.take(news));
    });
    collector.finish()
}

/// The next game, unless there is none left or play has been stopped.
pub(super) fn next_fixture(queue: &Queue<'_>, stop: &Stop) -> Option<Fixture> {
    let mut queue = queue.lock().unwrap_or_else(PoisonError::into_inner);
    if stop.is_set() { None } else { queue.next() }
}

struct Collector<'a> {
    plan: &'a Plan,
    stop: &'a Stop,
    observer: &'a mut dyn Observer,
    tally: Tally,
    /// The number of the game that is next in order.
    next: u64,
    /// Games that wait for one before them.
    waiting: BTreeMap<u64, GameRecord>,
    /// Warnings already given.
    warned: AHashSet<(usize, String)>,
    failed: bool,
    /// The test has come to a verdict.
    decided: bool,
}

impl<'a> Collector<'a> {
    fn new(plan: &'a Plan, stop: &'a Stop, observer: &'a mut dyn Observer) -> Collector<'a> {
        let tally = Tally::new(plan.contestants.len());
        let (waiting, warned) = (BTreeMap::new(), AHashSet::new());
        Collector { plan, stop, observer, tally, next: 1, waiting, warned, failed: false, decided: false }
    }

    fn take(&mut self, news: News) {
        match news {
            // A verdict that more games could overturn would be none.
            News::Finished(_) if self.decided => {}
            News::Finished(record) => self.count(*record),
            // With many workers the first has said it all.
            News::Failed(text) if !std::mem::replace(&mut self.failed, true) => self.observer.failure(&text),
            News::Failed(_) => {}
            News::Warning(engine, text) => {
                let text = format!("{}: {text}", self.plan.name(engine));
                if self.warned.insert((engine, text.clone())) {
                    self.observer.warning(&text);
                }
            }
        }
    }

    fn count(&mut self, record: GameRecord) {
        self.tally.add(&record);
        self.observer.finished(&record, &self.tally);
        self.waiting.insert(record.fixture.number, record);
        while let Some(record) = self.waiting.remove(&self.next) {
            self.observer.in_order(&record);
            self.next += 1;
        }
        if self.tally.trial(self.plan).is_some_and(|trial| trial.is_decided()) {
            self.decided = true;
            self.stop.set();
        }
    }

    /// After a stop games may be missing; those that waited for them are let through.
    fn finish(self) -> Tally {
        for record in self.waiting.values() {
            self.observer.in_order(record);
        }
        self.tally
    }
}
