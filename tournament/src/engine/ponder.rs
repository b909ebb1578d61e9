//! Thinking on the rival's time.
//!
//! An engine that ponders is given the position after the answer it expects, and `go ponder`. If that answer is made,
//! `ponderhit` starts its clock; otherwise `stop` ends its search, and what it answers then is forgotten. An engine that
//! has answered too early has answered: its move is there when it is wanted.

use super::stop::Stop;
use super::talk::{Engine, EngineError, MoveDeadline, SearchResult};
use kroo::protocol::Command;
use std::time::Instant;

impl Engine {
    /// Lets the engine ponder; the message is `position` and `go ponder`. Nothing is waited for.
    pub fn ponder(&mut self, message: &str, stop: &Stop) {
        self.pipes.drain();
        self.info.clear();
        // If it does not read, that shows when an answer is due.
        let _ = self.pipes.send(message.as_bytes(), Instant::now(), stop);
    }

    /// The expected move was made: waits for the answer to it.
    ///
    /// # Errors
    /// Why there is no move, or none that counts.
    pub fn ponder_hit(&mut self, patience: MoveDeadline, stop: &Stop) -> Result<SearchResult, EngineError> {
        self.answer(&format!("{}\n", Command::PonderHit), patience, stop)
    }

    /// Another move was made, or the game is over: ends the search and forgets its answer.
    ///
    /// # Errors
    /// Why there is no answer.
    pub fn ponder_missed(&mut self, patience: MoveDeadline, stop: &Stop) -> Result<(), EngineError> {
        match self.answer(&format!("{}\n", Command::Stop), patience, stop) {
            // It may have no move where it thinks that the game is over, and nobody counts the time.
            Ok(_) | Err(EngineError::NoMove(_) | EngineError::Late { .. }) => Ok(()),
            Err(failure) => Err(failure),
        }
    }
}
