//! Consumers of finished games.

use super::core::Ledger;
use super::record::GameRecord;
use super::results::Tally;

/// A consumer of finished games. A game comes to [`MatchObserver::finished`] when it has been played, and to
/// [`MatchObserver::in_order`] when all games before it have come there.
pub trait MatchObserver {
    /// Something that a user should know and that is no result.
    fn warning(&mut self, _text: &str) {}

    /// Something went wrong with the match itself, which is stopped.
    fn failure(&mut self, _text: &str) {}

    /// The match is stopped because of an engine that does not work, and has no verdict.
    fn broken(&mut self, _text: &str) {}

    /// The games of the journal have been read. They are in the ledger, and those in order have come.
    fn resumed(&mut self, _ledger: &Ledger<'_>) {}

    /// A game has just been played. It is in the ledger.
    fn finished(&mut self, _record: &GameRecord, _ledger: &Ledger<'_>) {}

    /// Every game comes once, in the order of the schedule. It is in the counts.
    fn in_order(&mut self, _record: &GameRecord, _tally: &Tally) {}
}

/// An observer of games that are only counted.
pub struct Unobserved;

impl MatchObserver for Unobserved {}
