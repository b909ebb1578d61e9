//! The latest score of a match, for other threads.

use crate::plan::MatchPlan;
use crate::results::{Score, Tally};
use std::sync::{Mutex, PoisonError};

/// The latest score.
#[derive(Debug, Default)]
pub struct LatestScore(Mutex<Score>);

impl LatestScore {
    /// The latest score.
    #[must_use]
    pub fn score(&self) -> Score {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(super) fn update(&self, tally: &Tally, plan: &MatchPlan) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Score::of(tally, plan);
    }
}
