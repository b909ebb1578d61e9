//! Playing a plan: finished games go to the journal, and then into the stream.

use super::driver::{CommitOrder, Context, Driver, Readiness};
use super::event::{MatchObserver, WorkerEvent};
use super::identities::Identities;
use super::latest::Latest;
use super::scheduler::Scheduler;
use super::stream::GameStream;
use crate::engine::Stop;
use crate::failure::Failure;
use crate::plan::MatchPlan;
use crate::record::{GameRecord, Journal, JournalReader};
use crate::results::{Score, Summary};
use crate::schedule::Openings;
use crossbeam_channel::{Receiver, bounded};
use std::collections::BTreeMap;
use std::mem;
use std::thread;

/// Events that may wait for the collector: enough for all workers, too few to fill the memory.
const MAX_EVENTS: usize = 256;

/// A journal to write to, and a reader of the games that it holds already.
pub type OpenJournal = (Journal, Option<JournalReader>);

/// Plays what is left of a plan: to its end, until its SPRT is decided, or until it is stopped. Returns the results.
///
/// # Errors
/// If the journal cannot be read. Nothing is played then.
pub fn run(
    plan: &MatchPlan,
    openings: Openings,
    journal: Option<OpenJournal>,
    driver: &mut dyn Driver,
    stop: &Stop,
    observer: &mut dyn MatchObserver,
) -> Result<Summary, Failure> {
    let scheduler = Scheduler::new(plan, openings);
    let identities = Identities::new(plan.contestants.len());
    let progress = Latest::default();
    let order = driver.commit_order();
    let mut collector = Collector::new(plan, stop, &scheduler, &identities, &progress, order, observer);
    collector.open_journal(journal)?;
    let boards = collector.stream.observer.boards();
    let boards = boards.as_deref();
    let workers = collector.stream.observer.workers();
    let workers = workers.as_deref();
    progress.set(Score::of(&collector.stream.tally, plan));
    let (scheduler, identities, progress) = (&scheduler, &identities, &progress);
    let context = Context { plan, scheduler, identities, stop, progress, boards, workers };
    if !collector.is_complete() && !stop.is_set() {
        let readiness = driver.prepare(&context, collector.stream.observer);
        collector.take_readiness(readiness);
    }
    let (sender, events) = bounded(MAX_EVENTS);
    thread::scope(|scope| {
        let play = move || driver.play(&context, sender);
        match thread::Builder::new().spawn_scoped(scope, play) {
            Ok(_) => collector.listen(&events),
            Err(error) => collector.fail(&format!("the system starts no thread: {error}")),
        }
    });
    Ok(collector.finish())
}

/// Takes finished games, writes them to the journal, and counts them once they are on the disk.
struct Collector<'a> {
    plan: &'a MatchPlan,
    stop: &'a Stop,
    scheduler: &'a Scheduler,
    identities: &'a Identities,
    progress: &'a Latest<Score>,
    order: CommitOrder,
    stream: GameStream<'a>,
    journal: Option<Journal>,
    /// Games that wait for one before them, and are not in the journal yet, by their places.
    uncommitted: BTreeMap<u64, GameRecord>,
    failed: bool,
}

impl<'a> Collector<'a> {
    fn new(
        plan: &'a MatchPlan,
        stop: &'a Stop,
        scheduler: &'a Scheduler,
        identities: &'a Identities,
        progress: &'a Latest<Score>,
        order: CommitOrder,
        observer: &'a mut dyn MatchObserver,
    ) -> Collector<'a> {
        Collector {
            plan,
            stop,
            scheduler,
            identities,
            progress,
            order,
            stream: GameStream::new(plan, observer),
            journal: None,
            uncommitted: BTreeMap::new(),
            failed: false,
        }
    }

    /// Counts the games that a journal holds, and goes on writing to it.
    fn open_journal(&mut self, journal: Option<OpenJournal>) -> Result<(), Failure> {
        let Some((mut journal, reader)) = journal else { return Ok(()) };
        if let Some(mut reader) = reader {
            while let Some(record) = reader.next_game()? {
                if !self.scheduler.skip(&record) {
                    return Err(reader.duplicate(record.scheduled.number));
                }
                for (engine, name) in record.scheduled.players.into_iter().zip(&record.played.id_names) {
                    if let Some(name) = name {
                        self.identities.learn(engine, name);
                    }
                }
                self.count(record, false);
            }
            for gap in reader.gaps("their games are played again", "it is dropped") {
                self.stream.observer.warning(&gap);
            }
            journal.continue_after(&reader)?;
            self.stream.observer.resumed(&self.stream.tally);
        }
        self.journal = Some(journal);
        Ok(())
    }

    /// Whether the journal holds all games already.
    fn is_complete(&self) -> bool {
        !self.plan.event.needs_results() && self.stream.tally.games >= self.plan.games()
    }

    fn take_readiness(&mut self, readiness: Readiness) {
        match readiness {
            Readiness::Ready | Readiness::Stopped => {}
            Readiness::Failed(text) => {
                self.fail(&text);
                self.stop.set();
            }
            Readiness::Broken(problems) => {
                self.broken(format!("{}; no game was played", problems.join("; ")));
            }
        }
    }

    /// Ends a match without a verdict, because of an engine.
    fn broken(&mut self, why: String) {
        self.stream.break_match(why);
        self.end();
    }

    /// Lets no more games begin.
    fn end(&self) {
        self.stop.set();
        self.scheduler.wake_all();
    }

    /// Handles events until the driver is gone. Games that arrive together are synced together.
    fn listen(&mut self, events: &Receiver<WorkerEvent>) {
        while let Ok(first) = events.recv() {
            let mut finished = Vec::new();
            for event in std::iter::once(first).chain(events.try_iter()) {
                match event {
                    WorkerEvent::Finished(record) => finished.push(*record),
                    WorkerEvent::Broken(text) => {
                        // What was finished before counts.
                        self.take_in(mem::take(&mut finished));
                        self.broken(text);
                    }
                    WorkerEvent::Failed(text) => self.fail(&text),
                    WorkerEvent::Note(text) => self.stream.observer.warning(&text),
                    WorkerEvent::Warning(engine, text) => {
                        self.stream.warnings.once(engine, &text, self.stream.observer);
                    }
                }
            }
            self.take_in(finished);
        }
    }

    fn take_in(&mut self, finished: Vec<GameRecord>) {
        let due = match self.order {
            CommitOrder::AsFinished => finished,
            CommitOrder::AsScheduled => self.in_turn(finished),
        };
        self.commit(due);
    }

    /// Takes in games of a queue, which keeps them until they are committed and may deliver one twice. Returns those whose turn
    /// it is.
    fn in_turn(&mut self, finished: Vec<GameRecord>) -> Vec<GameRecord> {
        for record in finished {
            let place = self.plan.shard.place(record.scheduled.number);
            if place >= self.stream.next {
                self.uncommitted.entry(place).or_insert(record);
            }
        }
        (self.stream.next..).map_while(|place| self.uncommitted.remove(&place)).collect()
    }

    /// Writes games to the journal, and counts them. After a decision no game counts, because more games could overturn it:
    /// the lines of later games are removed again.
    fn commit(&mut self, finished: Vec<GameRecord>) {
        if finished.is_empty() || self.stream.is_over() {
            return;
        }
        let ends = match &mut self.journal {
            None => Vec::new(),
            Some(journal) => match journal.append(&finished) {
                Ok(ends) => ends,
                Err(error) => return self.cannot_commit(&error),
            },
        };
        let (all, mut counted) = (finished.len(), 0);
        for record in finished {
            if !self.stream.is_over() {
                self.count(record, true);
                counted += 1;
            }
        }
        // Only the coordinator of a queue reads it.
        if self.order == CommitOrder::AsScheduled {
            self.progress.set(Score::of(&self.stream.tally, self.plan));
        }
        if let (Some(journal), Some(&end)) = (&mut self.journal, ends.get(counted.max(1) - 1))
            && counted < all
            && let Err(error) = journal.take_back(end)
        {
            self.cannot_commit(&error);
        }
    }

    fn cannot_commit(&mut self, error: &Failure) {
        self.fail(&format!("{error}; no more games are played"));
        self.end();
    }

    fn fail(&mut self, text: &str) {
        // Many workers may report the same failure.
        if !mem::replace(&mut self.failed, true) {
            self.stream.observer.failure(text);
        }
    }

    /// Counts a game that is safe.
    fn count(&mut self, record: GameRecord, new: bool) {
        if new {
            self.scheduler.finished(&record);
        }
        let before = self.stream.next;
        self.stream.take(self.plan.shard.place(record.scheduled.number), record, new);
        if self.stream.is_over() {
            self.end();
        }
        if self.stream.next > before {
            self.scheduler.finished_up_to(self.stream.next);
        }
    }

    /// The results.
    fn finish(self) -> Summary {
        let champion = self.scheduler.champion();
        self.stream.finish(champion, self.stop.is_set())
    }
}
