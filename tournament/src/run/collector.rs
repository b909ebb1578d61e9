//! Counting what has been played.

use super::driver::{CommitOrder, Contest, Driver, Readiness};
use super::event::{MatchObserver, WorkerEvent};
use super::identities::Identities;
use super::progress::Progress;
use super::scheduler::Scheduler;
use crate::engine::Stop;
use crate::failure::Failure;
use crate::plan::MatchPlan;
use crate::record::{GameRecord, Journal, JournalReader};
use crate::results::{MatchEnd, Tally};
use crate::schedule::Openings;
use ahash::AHashSet;
use crossbeam_channel::{Receiver, bounded};
use kroo::game::Side;
use kroo::printable::counted;
use std::collections::BTreeMap;
use std::mem;
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
    driver: &mut dyn Driver,
    stop: &Stop,
    observer: &mut dyn MatchObserver,
) -> Result<Tally, Failure> {
    let scheduler = Scheduler::new(plan, openings);
    let identities = Identities::new(plan.contestants.len());
    let progress = Progress::default();
    let order = driver.commit_order();
    let mut collector = Collector::new(plan, stop, &scheduler, &identities, &progress, order, observer);
    collector.open_journal(journal)?;
    let boards = collector.observer.boards();
    let boards = boards.as_deref();
    let workers = collector.observer.workers();
    let workers = workers.as_deref();
    progress.update(&collector.tally, plan);
    let (scheduler, identities, progress) = (&scheduler, &identities, &progress);
    let contest = Contest { plan, scheduler, identities, stop, progress, boards, workers };
    if !collector.is_complete() && !stop.is_set() {
        let readiness = driver.prepare(&contest, collector.observer);
        collector.take_readiness(readiness);
    }
    let (sender, events) = bounded(MAX_EVENTS);
    thread::scope(|scope| {
        let play = move || driver.play(&contest, sender);
        match thread::Builder::new().spawn_scoped(scope, play) {
            Ok(_) => collector.listen(&events),
            Err(error) => collector.fail(&format!("the system starts no thread: {error}")),
        }
    });
    Ok(collector.finish())
}

/// Takes finished games, writes them to the journal, counts them and passes them on.
struct Collector<'a> {
    plan: &'a MatchPlan,
    stop: &'a Stop,
    scheduler: &'a Scheduler,
    identities: &'a Identities,
    progress: &'a Progress,
    order: CommitOrder,
    observer: &'a mut dyn MatchObserver,
    journal: Option<Journal>,
    tally: Tally,
    /// The place of the game that is next in order.
    next: u64,
    /// Games that wait for one before them, and are not in the journal yet, by their places.
    uncommitted: BTreeMap<u64, GameRecord>,
    /// Games that wait for one before them, by their places, and whether each has just been played.
    waiting: BTreeMap<u64, (GameRecord, bool)>,
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
        progress: &'a Progress,
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
            observer,
            journal: None,
            tally: Tally::new(plan),
            next: 0,
            uncommitted: BTreeMap::new(),
            waiting: BTreeMap::new(),
            warned: AHashSet::new(),
            failed: false,
            dead: vec![0; plan.contestants.len()],
            decided: false,
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
                    "{path}: its end, {}, was being written when the referee was ended; it is dropped",
                    counted(torn, "byte")
                ));
            }
            journal.continue_after(&reader)?;
            self.observer.resumed(&self.tally);
        }
        self.journal = Some(journal);
        Ok(())
    }

    /// Whether the journal holds all games already.
    fn is_complete(&self) -> bool {
        !self.plan.event.needs_results() && self.tally.games() >= self.plan.games()
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

    /// Ends a match that shows nothing, because of an engine.
    fn broken(&mut self, why: String) {
        if self.tally.broken.is_none() {
            self.observer.broken(&why);
            self.tally.broken = Some(why);
        }
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
                    WorkerEvent::Note(text) => self.observer.warning(&text),
                    WorkerEvent::Warning(engine, text) => {
                        let text = format!("{}: {text}", self.plan.name(engine));
                        if self.warned.insert((engine, text.clone())) {
                            self.observer.warning(&text);
                        }
                    }
                }
            }
            self.take_in(finished);
        }
    }

    /// Takes in finished games.
    fn take_in(&mut self, finished: Vec<GameRecord>) {
        let due = match self.order {
            CommitOrder::AsFinished => finished,
            CommitOrder::AsScheduled => self.in_turn(finished),
        };
        self.commit(due);
    }

    /// Takes in games that somebody else keeps, each perhaps more than once. Returns those whose turn it is.
    fn in_turn(&mut self, finished: Vec<GameRecord>) -> Vec<GameRecord> {
        for record in finished {
            let place = self.plan.shard.place(record.scheduled.number);
            if place >= self.next {
                self.uncommitted.entry(place).or_insert(record);
            }
        }
        (self.next..).map_while(|place| self.uncommitted.remove(&place)).collect()
    }

    /// Writes games to the journal, and counts them. After a decision no game counts, because more games could overturn it:
    /// what was written of them together with those that count is taken back.
    fn commit(&mut self, finished: Vec<GameRecord>) {
        if finished.is_empty() || self.is_over() {
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
            if !self.is_over() {
                self.count(record, true);
                counted += 1;
            }
        }
        // Only workers elsewhere need to be told.
        if self.order == CommitOrder::AsScheduled {
            self.progress.update(&self.tally, self.plan);
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
        self.stop.set();
        self.scheduler.wake_all();
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
    fn count(&mut self, record: GameRecord, new: bool) {
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

    fn add(&mut self, record: &GameRecord, new: bool) {
        self.tally.add(record);
        if new {
            self.observer.finished(record, &self.tally);
        }
    }

    /// Passes on a game whose turn has come.
    fn pass_on(&mut self, record: &GameRecord, new: bool) {
        if self.plan.sprt.is_some() {
            self.add(record, new);
        }
        self.observer.in_order(record);
        if new {
            self.look_for_contradictions(record);
            self.look_for_idle_work(record);
            self.look_for_dead_engines(record);
        }
        match self.tally.end(self.plan).filter(|_| !self.is_over()) {
            Some(MatchEnd::Broken(why)) => self.broken(why),
            Some(MatchEnd::Decided) => {
                self.decided = true;
                self.stop.set();
                self.scheduler.wake_all();
            }
            None => {}
        }
    }

    /// Warns of an engine that says what cannot be so; once of each kind.
    fn look_for_contradictions(&mut self, record: &GameRecord) {
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
    fn look_for_idle_work(&mut self, record: &GameRecord) {
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
    fn look_for_dead_engines(&mut self, record: &GameRecord) {
        let Some(most) = self.plan.tolerance.max_faults else { return };
        let played = &record.played;
        for side in Side::BOTH {
            let engine = record.scheduled.players[side.index()];
            let died = played.is_fault_of(side) && played.termination.is_death();
            self.dead[engine] = if died { self.dead[engine] + 1 } else { 0 };
            if self.dead[engine] >= most {
                let (name, count) = (self.plan.name(engine), self.dead[engine]);
                let reason = played.reason(self.plan.names(&record.scheduled));
                self.broken(format!(
                    "{name} has died in {} in a row, the last time by {reason}",
                    counted(count, "game")
                ));
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
