//! What workers tell the collector, and what it tells the rest of the program.

use super::live_boards::LiveBoards;
use super::live_workers::LiveWorkers;
use crate::record::GameRecord;
use crate::results::Tally;
use std::sync::Arc;

/// What a worker tells the collector.
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

/// An observer of the games.
pub trait MatchObserver {
    /// Something that a user should know and that is no result.
    fn warning(&mut self, text: &str);

    /// Something went wrong with the match itself, which is stopped.
    fn failure(&mut self, text: &str);

    /// The match is stopped because of an engine that does not work, and has no verdict.
    fn broken(&mut self, text: &str);

    /// The games of the journal have been read. They are in the tally, and those in order have been told.
    fn resumed(&mut self, tally: &Tally);

    /// A game has ended. It is in the tally.
    fn finished(&mut self, record: &GameRecord, tally: &Tally);

    /// The boards of the games in progress, if anybody looks at them.
    fn boards(&self) -> Option<Arc<LiveBoards>> {
        None
    }

    /// Where the workers of a queue are shown, if anybody looks at them.
    fn workers(&self) -> Option<Arc<LiveWorkers>> {
        None
    }

    /// A game has ended, and so have all games before it. Every game comes once, in the order of the schedule.
    fn in_order(&mut self, record: &GameRecord);
}
