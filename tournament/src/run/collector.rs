//! Handing out the games and gathering what became of them.

use super::affinity::{AffinityMonitor, stay_on_processor};
use super::live_boards::LiveBoards;
use super::scheduler::Scheduler;
use super::worker::GameWorker;
use crate::engine::{Stop, Supervisor};
use crate::journal::{Journal, JournalEntry, JournalError, JournalReader};
use crate::plan::{Affinity, FinishedGame, MatchPlan};
use crate::schedule::Openings;
use crate::tally::Tally;
use ahash::AHashSet;
use crossbeam_channel::{Receiver, Sender, bounded};
use std::collections::BTreeMap;
use std::mem;
use std::sync::Arc;
use std::thread;

/// WorkerEvent that wait for the collector: enough for all workers, too few to fill the memory.
const NEWS: usize = 256;

/// Whoever is told about the games.
pub trait Observer {
    /// Something a user should know that is no result.
    fn warning(&mut self, text: &str);

    /// Something went wrong with the match itself, which is stopped.
    fn failure(&mut self, text: &str);

    /// So many games were found in the journal; they are in the tally, and all that are in order have been told.
    fn resumed(&mut self, tally: &Tally);

    /// A game has ended; it is in the tally.
    fn finished(&mut self, record: &FinishedGame, tally: &Tally);

    /// The boards on which games are played, if anybody looks at them.
    fn boards(&self) -> Option<Arc<LiveBoards>> {
        None
    }

    /// A game has ended, and so have all before it. Every game comes once, in the order of the schedule.
    fn in_order(&mut self, record: &FinishedGame);
}

/// What a worker says.
#[derive(Debug)]
pub(super) enum WorkerEvent {
    /// A game has ended.
    Finished(Box<FinishedGame>),
    /// Something about an engine, by its place in the list.
    Warning(usize, String),
    /// The match cannot go on.
    Failed(String),
}

/// A journal to be written, and what it holds already.
pub type OpenJournal = (Journal, Option<JournalReader>);

/// Plays what is left of a plan to its end, until its test is decided, or until it is stopped; says what was counted.
///
/// # Errors
/// If the journal cannot be read; nothing is played then.
pub fn run(
    plan: &MatchPlan,
    openings: Openings,
    journal: Option<OpenJournal>,
    supervisor: &Arc<Supervisor>,
    stop: &Stop,
    observer: &mut dyn Observer,
) -> Result<Tally, JournalError> {
    let dealer = Scheduler::new(plan, openings);
    let mut collector = Collector::new(plan, stop, &dealer, observer);
    collector.take_up(journal)?;
    let (sender, news) = bounded(NEWS);
    let boards = collector.observer.boards();
    let workers = plan.games().min(plan.concurrency as u64) as usize;
    let tables = AffinityMonitor::new(plan, workers, supervisor);
    let (end, ended) = bounded(0);
    thread::scope(|scope| {
        for number in 0..workers {
            let (dealer, boards, tables) = (&dealer, boards.as_deref(), tables.as_ref());
            let sender: Sender<WorkerEvent> = sender.clone();
            scope.spawn(move || {
                if plan.affinity == Affinity::On {
                    stay_on_processor(number);
                }
                let place = tables.map(|tables| tables.place(number));
                GameWorker::new(plan, supervisor, stop, sender, number, boards, place).play_all(dealer);
            });
        }
        if let Some(tables) = &tables {
            scope.spawn(move || tables.watch(&ended));
        }
        drop(sender);
        collector.listen(&news);
        drop(end);
    });
    Ok(collector.finish())
}

struct Collector<'a> {
    plan: &'a MatchPlan,
    stop: &'a Stop,
    dealer: &'a Scheduler,
    observer: &'a mut dyn Observer,
    journal: Option<Journal>,
    tally: Tally,
    /// The place of the game that is next in order.
    next: u64,
    /// Games that wait for one before them, by their places, and whether they have just been played.
    waiting: BTreeMap<u64, (FinishedGame, bool)>,
    /// Warnings already given.
    warned: AHashSet<(usize, String)>,
    failed: bool,
    /// The test has come to a verdict.
    decided: bool,
}

impl<'a> Collector<'a> {
    fn new(
        plan: &'a MatchPlan,
        stop: &'a Stop,
        dealer: &'a Scheduler,
        observer: &'a mut dyn Observer,
    ) -> Collector<'a> {
        Collector {
            plan,
            stop,
            dealer,
            observer,
            journal: None,
            tally: Tally::new(plan.contestants.len()),
            next: 0,
            waiting: BTreeMap::new(),
            warned: AHashSet::new(),
            failed: false,
            decided: false,
        }
    }

    /// Counts what the journal holds.
    fn take_up(&mut self, kept: Option<OpenJournal>) -> Result<(), JournalError> {
        let Some((mut journal, reader)) = kept else { return Ok(()) };
        if let Some(mut reader) = reader {
            while let Some(record) = reader.game()? {
                if !self.dealer.skip(&record) {
                    return Err(reader.twice(record.scheduled.number));
                }
                self.count(record, false);
            }
            if reader.lost() > 0 {
                self.observer.warning(&format!(
                    "{}: {} of its lines have not reached the disk; their games are played again",
                    reader.path().display(),
                    reader.lost()
                ));
            }
            if reader.torn() > 0 {
                let torn = reader.torn();
                self.observer.warning(&format!(
                    "{}: the last {torn} bytes were being written when the referee was ended; they are dropped",
                    reader.path().display()
                ));
            }
            journal.go_on(&reader)?;
            self.observer.resumed(&self.tally);
        }
        self.journal = Some(journal);
        Ok(())
    }

    /// Takes news until the last worker is gone. What has come at the same time is synced together.
    fn listen(&mut self, news: &Receiver<WorkerEvent>) {
        while let Ok(first) = news.recv() {
            let batch: Vec<WorkerEvent> = std::iter::once(first).chain(news.try_iter()).collect();
            let kept = self.keep(&batch);
            for news in batch {
                match news {
                    // A verdict that more games could overturn would be none.
                    WorkerEvent::Finished(record) if kept && !self.decided => self.count(*record, true),
                    WorkerEvent::Finished(_) => {}
                    WorkerEvent::Failed(text) => self.fail(&text),
                    WorkerEvent::Warning(engine, text) => {
                        let text = format!("{}: {text}", self.plan.name(engine));
                        if self.warned.insert((engine, text.clone())) {
                            self.observer.warning(&text);
                        }
                    }
                }
            }
        }
    }

    /// Writes finished games into the journal; says whether they may count.
    fn keep(&mut self, batch: &[WorkerEvent]) -> bool {
        let Some(journal) = &mut self.journal else { return true };
        let finished = batch.iter().filter_map(|news| match news {
            WorkerEvent::Finished(record) if !self.decided => Some(JournalEntry::of(record)),
            _ => None,
        });
        let records: Vec<JournalEntry> = finished.collect();
        if records.is_empty() {
            return true;
        }
        match journal.append(&records) {
            Ok(()) => true,
            Err(error) => {
                self.fail(&format!("{error}; no more games are played"));
                self.stop.set();
                self.dealer.wake_all();
                false
            }
        }
    }

    fn fail(&mut self, text: &str) {
        // With many workers the first has said it all.
        if !mem::replace(&mut self.failed, true) {
            self.observer.failure(text);
        }
    }

    /// A game that is safe. A test looks at games in their order, for its verdict not to depend on the workers.
    fn count(&mut self, record: FinishedGame, fresh: bool) {
        if fresh {
            self.dealer.finished(&record);
        }
        if self.plan.sprt.is_none() {
            self.add(&record, fresh);
        }
        self.waiting.insert(self.plan.shard.place(record.scheduled.number), (record, fresh));
        let before = self.next;
        while !self.decided
            && let Some((record, fresh)) = self.waiting.remove(&self.next)
        {
            self.pass(&record, fresh);
            self.next += 1;
        }
        if self.next > before {
            self.dealer.in_order(self.next);
        }
    }

    fn add(&mut self, record: &FinishedGame, fresh: bool) {
        self.tally.add(record);
        if fresh {
            self.observer.finished(record, &self.tally);
        }
    }

    /// A game whose turn has come.
    fn pass(&mut self, record: &FinishedGame, fresh: bool) {
        if self.plan.sprt.is_some() {
            self.add(record, fresh);
        }
        self.observer.in_order(record);
        if self.tally.trial(self.plan).is_some_and(|trial| trial.is_decided()) {
            self.decided = true;
            self.stop.set();
            self.dealer.wake_all();
        }
    }

    /// After a stop games may be missing; those that waited for them are let through.
    fn finish(mut self) -> Tally {
        let waiting = mem::take(&mut self.waiting);
        if !self.decided {
            for (record, fresh) in waiting.values() {
                self.pass(record, *fresh);
            }
        }
        self.tally.champion = self.dealer.champion();
        self.tally
    }
}
