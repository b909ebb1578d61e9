//! A question to an engine: what is still to be sent of it, and when the answer is due.

use super::stop::Stop;
use std::time::{Duration, Instant};

/// A question that has been asked. Its time runs on while the referee runs: the time in which the referee itself was not
/// scheduled is not the engine's.
#[derive(Clone, Copy, Debug)]
pub struct Question<'a> {
    /// What the engine has not read yet.
    pub(super) unsent: &'a [u8],
    asked: Instant,
    within: Duration,
    stalled: Duration,
}

impl<'a> Question<'a> {
    /// A question that is asked now with these bytes, which [`Connection::answer`](super::Connection::answer) sends.
    pub fn new(bytes: &'a [u8], within: Duration) -> Question<'a> {
        Question { unsent: bytes, asked: Instant::now(), within, stalled: Duration::ZERO }
    }

    /// When it was asked.
    pub fn asked(&self) -> Instant {
        self.asked
    }

    /// How long the answer may take.
    pub fn within(&self) -> Duration {
        self.within
    }

    /// Gives the engine more time.
    pub fn extend(&mut self, time: Duration) {
        self.within += time;
    }

    /// When the answer is due, as far as is known.
    pub(super) fn deadline(&self) -> Instant {
        self.asked + self.within + self.stalled
    }

    /// Gives the engine the time that the referee has missed since the question; says whether there was more of it than
    /// known.
    pub(super) fn excuse(&mut self, stop: &Stop) -> bool {
        let stalled = stop.stalled_since(self.asked);
        stalled > std::mem::replace(&mut self.stalled, stalled)
    }
}

impl Question<'static> {
    /// Nothing is sent: an answer that is due at some time.
    pub fn due(deadline: Instant) -> Question<'static> {
        let question = Question::new(&[], Duration::ZERO);
        Question { within: deadline.saturating_duration_since(question.asked), ..question }
    }
}
