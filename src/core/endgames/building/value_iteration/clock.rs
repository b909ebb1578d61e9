//! Counts the sweeps over parts, to know what has changed since a part was last evaluated.

use crate::endgames::probe::indexing::MAX_SEEDS;
use std::sync::atomic::{AtomicU16, Ordering::Relaxed};

/// The last time before the count begins anew.
const LAST: u16 = u16::MAX;

/// The count with which a build begins; tests begin near the last one.
pub static FIRST: AtomicU16 = AtomicU16::new(0);

#[derive(Debug)]
pub struct SweepClock {
    now: AtomicU16,
    /// By the seeds of the mover's row: when these boards were last evaluated, or 0.
    evaluated: [AtomicU16; MAX_SEEDS as usize + 1],
}

impl Default for SweepClock {
    fn default() -> SweepClock {
        SweepClock {
            now: AtomicU16::new(FIRST.load(Relaxed)),
            evaluated: [const { AtomicU16::new(0) }; MAX_SEEDS as usize + 1],
        }
    }
}

/// When the boards of a part are evaluated, counted in sweeps.
#[derive(Clone, Copy)]
pub struct Time {
    pub now: u16,
    /// When they were evaluated last, or 0.
    pub before: u16,
}

impl Time {
    pub fn is_first(self) -> bool {
        self.before == 0
    }
}

impl SweepClock {
    /// The time of the sweep that begins, over the boards with `mover` seeds in the mover's row. Where the count begins anew,
    /// `forget` takes all stamps back, and all boards are evaluated.
    pub fn next(&self, mover: u8, forget: impl FnOnce()) -> Time {
        if self.now.load(Relaxed) == LAST {
            forget();
            self.evaluated.iter().chain([&self.now]).for_each(|time| time.store(0, Relaxed));
        }
        let now = self.now.fetch_add(1, Relaxed) + 1;
        Time { now, before: self.evaluated[usize::from(mover)].swap(now, Relaxed) }
    }
}
