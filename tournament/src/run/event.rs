//! Events from workers to the collector, and from the stream of games to its consumers.

use super::live_boards::LiveBoards;
use super::live_workers::LiveWorkers;
use crate::record::GameRecord;
use crate::results::Tally;
use std::sync::Arc;

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

/// A consumer of game records. A game comes to [`MatchObserver::finished`] when it has been played, and to
/// [`MatchObserver::in_order`] when all games before it have come there.
pub trait MatchObserver {
    /// Something that a user should know and that is no result.
    fn warning(&mut self, _text: &str) {}

    /// Something went wrong with the match itself, which is stopped.
    fn failure(&mut self, _text: &str) {}

    /// The match is stopped because of an engine that does not work, and has no verdict.
    fn broken(&mut self, _text: &str) {}

    /// The games of the journal have been read. They are in the tally, and those in order have come.
    fn resumed(&mut self, _tally: &Tally) {}

    /// A game has just been played. It is in the tally.
    fn finished(&mut self, _record: &GameRecord, _tally: &Tally) {}

    /// Every game comes once, in the order of the schedule.
    fn in_order(&mut self, _record: &GameRecord) {}

    /// The boards of the games in progress, if they are shown.
    fn boards(&self) -> Option<Arc<LiveBoards>> {
        None
    }

    /// The place where the workers of a queue are shown, if they are.
    fn workers(&self) -> Option<Arc<LiveWorkers>> {
        None
    }
}

/// An observer of games that are only counted.
pub struct Unobserved;

impl MatchObserver for Unobserved {}
