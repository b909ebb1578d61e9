//! The link between a thread that plays and the source of its games: the scheduler of this match, or a queue on another machine.

use crate::engine::Stop;
use crate::ledger::Scheduler;
use crate::ledger::record::GameRecord;
use crate::schedule::ScheduledGame;
use crossbeam_channel::Sender;

/// An event from a worker.
#[derive(Debug)]
pub enum WorkerEvent {
    /// A game has ended.
    Finished(Box<GameRecord>),
    /// A warning about an engine, given by its place in the list.
    Warning(usize, String),
    /// Something else that a user should know.
    Note(String),
    /// The match cannot go on.
    Failed(String),
    /// An engine does not work, or refuses its options.
    Broken(String),
}

/// Where a thread gets its games from, and where it tells how they went.
pub trait WorkerLink {
    /// The next game, as soon as there is one; `None` if no game is left for this thread, or it is to stop.
    fn next_game(&self, stop: &Stop) -> Option<ScheduledGame>;

    /// Tells what has happened.
    fn tell(&self, event: WorkerEvent);

    /// The thread plays no more. Its last game may not have been finished.
    fn leave(&self);
}

/// A link to the scheduler and the collector of the same process.
pub(super) struct LocalLink<'a> {
    pub scheduler: &'a Scheduler,
    pub events: Sender<WorkerEvent>,
}

impl WorkerLink for LocalLink<'_> {
    fn next_game(&self, stop: &Stop) -> Option<ScheduledGame> {
        self.scheduler.next_game(stop)
    }

    fn tell(&self, event: WorkerEvent) {
        // The collector listens until the last link is gone.
        let _ = self.events.send(event);
    }

    fn leave(&self) {
        // Others may wait for a game that will not be finished.
        self.scheduler.wake_all();
    }
}
