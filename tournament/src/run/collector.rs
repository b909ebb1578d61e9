//! Starting the workers, and counting what they have played.

use super::affinity::{AffinityMonitor, pin_this_thread};
use super::engine_pool::EnginePool;
use super::event::{MatchObserver, WorkerEvent};
use super::identities::Identities;
use super::scheduler::Scheduler;
use super::trial::{TrialOutcome, try_engines};
use super::worker::GameWorker;
use crate::engine::{Engine, Stop, Supervisor};
use crate::journal::{Journal, JournalEntry, JournalError, JournalReader};
use crate::plan::{Affinity, FinishedGame, MatchPlan};
use crate::schedule::Openings;
use crate::tally::Tally;
use ahash::AHashSet;
use crossbeam_channel::{Receiver, Sender, bounded};
use kroo::game::Side;
use std::collections::BTreeMap;
use std::mem;
use std::sync::Arc;
use std::thread;

/// Events that may wait for the collector: enough for all workers, too few to fill the memory.
const MAX_EVENTS: usize = 256;

/// A journal to write to, and a reader of the games that it holds already.
pub type OpenJournal = (Journal, Option<JournalReader>);

/// Plays what is left of a plan: to its end, until its SPRT is decided, or until it is stopped. Returns what was counted.
///
/// # Errors
/// If the journal cannot be read. Nothing is played then.
pub fn run(
    plan: &MatchPlan,
    openings: Openings,
    journal: Option<OpenJournal>,
    supervisor: &Arc<Supervisor>,
    stop: &Stop,
    observer: &mut dyn MatchObserver,
) -> Result<Tally, JournalError> {
    let scheduler = Scheduler::new(plan, openings);
    let identities = Identities::new(plan.contestants.len());
    let mut collector = Collector::new(plan, stop, &scheduler, &identities, observer);
    collector.open_journal(journal)?;
    let ready = collector.try_engines(supervisor);
    let mut ready = Some(ready);
    let (sender, events) = bounded(MAX_EVENTS);
    let boards = collector.observer.boards();
    let workers = plan.games().min(plan.concurrency as u64) as usize;
    let monitor = AffinityMonitor::new(plan, workers, supervisor);
    let (end, ended) = bounded(0);
    thread::scope(|scope| {
        for number in 0..workers {
            let (scheduler, boards, monitor) = (&scheduler, boards.as_deref(), monitor.as_ref());
            let identities = &identities;
            let sender: Sender<WorkerEvent> = sender.clone();
            let ready = ready.take().unwrap_or_default();
            let work = move || {
                if plan.affinity == Affinity::On {
                    pin_this_thread(number);
                }
                let affinity = monitor.map(|monitor| monitor.worker(number));
                let pool = EnginePool::new(plan, supervisor, stop, identities, affinity, ready);
                GameWorker::new(plan, stop, pool, sender, number, boards, affinity).play_all(scheduler);
            };
            if let Err(error) = thread::Builder::new().spawn_scoped(scope, work) {
                collector.fail(&format!("the system starts no thread for another game: {error}"));
                stop.set();
                scheduler.wake_all();
                break;
            }
        }
        if let Some(monitor) = &monitor {
            // Without a thread nobody is pinned to a processor, which costs only time.
            let _ = thread::Builder::new().spawn_scoped(scope, move || monitor.watch(&ended));
        }
        drop(sender);
        collector.listen(&events);
        drop(end);
    });
    Ok(collector.finish())
}

/// Takes finished games, writes them to the journal, counts them and passes them on.
struct Collector<'a> {
    plan: &'a MatchPlan,
    stop: &'a Stop,
    scheduler: &'a Scheduler,
    identities: &'a Identities,
    observer: &'a mut dyn MatchObserver,
    journal: Option<Journal>,
    tally: Tally,
    /// The place of the game that is next in order.
    next: u64,
    /// Games that wait for one before them, by their places, and whether each has just been played.
    waiting: BTreeMap<u64, (FinishedGame, bool)>,
    /// Warnings already given.
    warned: AHashSet<(usize, String)>,
    failed: bool,
    /// How many games in a row each engine has lost because it did not start, died or gave no answer.
    dead: Vec<u64>,
    /// The SPRT has accepted a hypothesis.
    decided: bool,
}

impl<'a> Collector<'a> {
    fn new(
        plan: &'a MatchPlan,
        stop: &'a Stop,
        scheduler: &'a Scheduler,
        identities: &'a Identities,
        observer: &'a mut dyn MatchObserver,
    ) -> Collector<'a> {
        Collector {
            plan,
            stop,
            scheduler,
            identities,
            observer,
            journal: None,
            tally: Tally::new(plan.contestants.len()),
            next: 0,
            waiting: BTreeMap::new(),
            warned: AHashSet::new(),
            failed: false,
            dead: vec![0; plan.contestants.len()],
            decided: false,
        }
    }

    /// Counts the games that a journal holds, and goes on writing to it.
    fn open_journal(&mut self, journal: Option<OpenJournal>) -> Result<(), JournalError> {
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
            let path = reader.path().display();
            if reader.lost_lines() > 0 {
                let lost = reader.lost_lines();
                self.observer.warning(&format!(
                    "{path}: {lost} of its lines never reached the disk; their games are played again"
                ));
            }
            if reader.torn_bytes() > 0 {
                let torn = reader.torn_bytes();
                self.observer.warning(&format!(
                    "{path}: the last {torn} bytes were being written when the referee was ended; they are dropped"
                ));
            }
            journal.continue_after(&reader)?;
            self.observer.resumed(&self.tally);
        }
        self.journal = Some(journal);
        Ok(())
    }

    /// Starts all engines once, if games are left to play. Returns those that the first worker can go on with.
    fn try_engines(&mut self, supervisor: &Arc<Supervisor>) -> BTreeMap<usize, Engine> {
        let nothing_left = !self.plan.event.needs_results() && self.tally.games() >= self.plan.games();
        if self.plan.tolerance.max_faults.is_none() || nothing_left || self.stop.is_set() {
            return BTreeMap::new();
        }
        match try_engines(self.plan, supervisor, self.stop, self.identities, self.observer) {
            TrialOutcome::Ready(ready) if self.plan.affinity == Affinity::On => {
                // They were started on any processor.
                Engine::quit_all(ready, |_, _| {});
            }
            TrialOutcome::Ready(ready) => return ready,
            TrialOutcome::Stopped => {}
            TrialOutcome::Failed(text) => {
                self.fail(&text);
                self.stop.set();
            }
            TrialOutcome::Broken(problems) => {
                self.broken(format!("{}; no game was played", problems.join("; ")));
            }
        }
        BTreeMap::new()
    }

    /// Ends a match that shows nothing, because of an engine.
    fn broken(&mut self, why: String) {
        if self.tally.broken.is_none() {
            self.observer.broken(&why);
            self.tally.broken = Some(why);
        }
        self.stop.set();
        self.scheduler.wake_all();
    }

    /// Handles events until the last worker is gone. Games that arrive together are synced together.
    fn listen(&mut self, events: &Receiver<WorkerEvent>) {
        while let Ok(first) = events.recv() {
            let batch: Vec<WorkerEvent> = std::iter::once(first).chain(events.try_iter()).collect();
            let safe = self.write_to_journal(&batch);
            for event in batch {
                match event {
                    // After the decision no game counts: more games could overturn it.
                    WorkerEvent::Finished(record) if safe && !self.is_over() => self.count(*record, true),
                    WorkerEvent::Finished(_) => {}
                    WorkerEvent::Broken(text) => self.broken(text),
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

    /// Writes the finished games to the journal; says whether they count.
    fn write_to_journal(&mut self, batch: &[WorkerEvent]) -> bool {
        let over = self.is_over();
        let Some(journal) = &mut self.journal else { return true };
        let finished = batch.iter().filter_map(|event| match event {
            WorkerEvent::Finished(record) if !over => Some(JournalEntry::of(record)),
            _ => None,
        });
        let entries: Vec<JournalEntry> = finished.collect();
        if entries.is_empty() {
            return true;
        }
        match journal.append(&entries) {
            Ok(()) => true,
            Err(error) => {
                self.fail(&format!("{error}; no more games are played"));
                self.stop.set();
                self.scheduler.wake_all();
                false
            }
        }
    }

    /// Whether no more games count.
    fn is_over(&self) -> bool {
        self.decided || self.tally.broken.is_some()
    }

    fn fail(&mut self, text: &str) {
        // Many workers may report the same failure.
        if !mem::replace(&mut self.failed, true) {
            self.observer.failure(text);
        }
    }

    /// Counts a game that is safe. An SPRT sees the games in their order, so that its decision does not depend on the workers.
    fn count(&mut self, record: FinishedGame, new: bool) {
        if new {
            self.scheduler.finished(&record);
        }
        if self.plan.sprt.is_none() {
            self.add(&record, new);
        }
        self.waiting.insert(self.plan.shard.place(record.scheduled.number), (record, new));
        let before = self.next;
        while !self.is_over()
            && let Some((record, new)) = self.waiting.remove(&self.next)
        {
            self.pass_on(&record, new);
            self.next += 1;
        }
        if self.next > before {
            self.scheduler.finished_up_to(self.next);
        }
    }

    fn add(&mut self, record: &FinishedGame, new: bool) {
        self.tally.add(record);
        if new {
            self.observer.finished(record, &self.tally);
        }
    }

    /// Passes on a game whose turn has come.
    fn pass_on(&mut self, record: &FinishedGame, new: bool) {
        if self.plan.sprt.is_some() {
            self.add(record, new);
        }
        self.observer.in_order(record);
        if new {
            self.look_for_contradictions(record);
            self.look_for_idle_work(record);
            self.look_for_dead_engines(record);
        }
        if !self.is_over() && self.tally.sprt(self.plan).is_some_and(|status| status.is_decided()) {
            self.decided = true;
            self.stop.set();
            self.scheduler.wake_all();
        }
    }

    /// Warns of an engine that says what cannot be so; once of each kind.
    fn look_for_contradictions(&mut self, record: &FinishedGame) {
        const KINDS: [&str; 2] = [
            "a line does not begin with the move that was played",
            "a result that it called proven was not the result of the game",
        ];
        for side in Side::BOTH {
            let engine = record.scheduled.players[side.index()];
            for (kind, number) in KINDS.into_iter().zip(record.played.contradictions(side)) {
                if let Some(number) = number
                    && self.warned.insert((engine, kind.to_owned()))
                {
                    let (name, game) = (self.plan.name(engine), record.scheduled.number);
                    self.observer.warning(&format!("{name}: {kind}, first in game {game} at move {number}"));
                }
            }
        }
    }

    /// Warns of an engine that works while the other side is to move although it does not ponder; once.
    fn look_for_idle_work(&mut self, record: &FinishedGame) {
        const KIND: &str = "it works while the other side is to move";
        for engine in record.scheduled.players {
            let idle = self.tally.engines()[engine].idle_work;
            if idle.is_work() && self.warned.insert((engine, KIND.to_owned())) {
                let (name, (worked, watched)) =
                    (self.plan.name(engine), (idle.worked.as_secs_f64(), idle.watched.as_secs_f64()));
                self.observer.warning(&format!(
                    "{name}: {KIND} although it does not ponder: so far {worked:.2} s of processor time in {watched:.2} s that were watched"
                ));
            }
        }
    }

    /// Ends the match if an engine has died in too many games in a row. Games that the journal held are not held against it:
    /// somebody may have mended it.
    fn look_for_dead_engines(&mut self, record: &FinishedGame) {
        let Some(most) = self.plan.tolerance.max_faults else { return };
        let played = &record.played;
        for side in Side::BOTH {
            let engine = record.scheduled.players[side.index()];
            let died = played.is_fault_of(side) && played.termination.is_death();
            self.dead[engine] = if died { self.dead[engine] + 1 } else { 0 };
            if self.dead[engine] >= most {
                let (name, count) = (self.plan.name(engine), self.dead[engine]);
                let reason = played.reason(self.plan.names(&record.scheduled));
                self.broken(format!("{name} has died in {count} games in a row, the last time by {reason}"));
            }
        }
    }

    /// After a stop some games may be missing. The games that waited for them are passed on all the same.
    fn finish(mut self) -> Tally {
        let waiting = mem::take(&mut self.waiting);
        if !self.decided {
            for (record, new) in waiting.values() {
                self.pass_on(record, *new);
            }
        }
        self.tally.champion = self.scheduler.champion();
        self.tally
    }
}
