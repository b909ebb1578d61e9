//! How far a match is, for those who watch it from elsewhere.

use crate::plan::MatchPlan;
use crate::results::Tally;
use crate::statistics::SprtStatus;
use std::sync::{Mutex, PoisonError};

/// How far a match is.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ProgressCounts {
    /// Games that count.
    pub games: u64,
    /// The points of each engine.
    pub points: Vec<f64>,
    /// The engines as all outputs rank them, by their places in the list; empty for a large gauntlet.
    pub order: Vec<usize>,
    /// The state of the SPRT.
    pub sprt: Option<SprtStatus>,
}

impl ProgressCounts {
    /// What has been counted.
    #[must_use]
    pub fn of(tally: &Tally, plan: &MatchPlan) -> ProgressCounts {
        let points = tally.engines().iter().map(|totals| totals.points()).collect();
        ProgressCounts {
            games: tally.games(),
            points,
            order: tally.order_so_far(plan),
            sprt: tally.sprt(plan),
        }
    }
}

/// The latest counts.
#[derive(Debug, Default)]
pub struct Progress(Mutex<ProgressCounts>);

impl Progress {
    /// The latest counts.
    #[must_use]
    pub fn counts(&self) -> ProgressCounts {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Takes the counts over from a tally.
    pub(super) fn update(&self, tally: &Tally, plan: &MatchPlan) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = ProgressCounts::of(tally, plan);
    }
}
