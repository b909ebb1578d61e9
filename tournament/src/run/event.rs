//! Events from workers to the collector.

use crate::ledger::record::GameRecord;

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
