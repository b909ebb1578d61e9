//! The scheduler: which game a worker plays next.
//!
//! Games that the journal holds are not played again. A worker waits here if its next game depends on one that is still being
//! played, or if it is too far ahead of the oldest game: finished games wait for older ones, and those must fit into memory.

use crate::engine::Stop;
use crate::plan::MatchPlan;
use crate::record::GameRecord;
use crate::schedule::{Champion, NextGame, Openings, Schedule, ScheduledGame, Shard};
use ahash::AHashMap;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// How many games ahead of the oldest game in progress another one may begin.
const MAX_AHEAD: u64 = 1_024;

/// Hands out games and takes their results.
pub struct Scheduler {
    state: Mutex<SchedulerState>,
    /// Something has changed that a worker may wait for.
    changed: Condvar,
}

struct SchedulerState {
    schedule: Schedule,
    shard: Shard,
    needs_results: bool,
    /// The place of the game that is next in order.
    oldest: u64,
    finished: FinishedSet,
    /// A game that waits for older ones.
    held: Option<ScheduledGame>,
    /// How many games ahead of the oldest one another one may begin.
    most_ahead: u64,
    /// How many workers wait.
    waiting: usize,
}

/// The finished games by their places, as a sparse set of bits.
#[derive(Debug, Default)]
struct FinishedSet(AHashMap<u64, u64>);

impl FinishedSet {
    /// Adds a game; returns whether it is new.
    fn insert(&mut self, place: u64) -> bool {
        let (word, bit) = (self.0.entry(place / 64).or_default(), 1 << (place % 64));
        let new = *word & bit == 0;
        *word |= bit;
        new
    }

    fn contains(&self, place: u64) -> bool {
        self.0.get(&(place / 64)).is_some_and(|word| word >> (place % 64) & 1 == 1)
    }
}

impl Scheduler {
    /// The scheduler of a plan, of which nothing has been played yet.
    pub(super) fn new(plan: &MatchPlan, openings: Openings) -> Scheduler {
        let state = SchedulerState {
            schedule: Schedule::new(plan.pairings(), plan.shard, openings),
            shard: plan.shard,
            needs_results: plan.needs_results(),
            oldest: 0,
            finished: FinishedSet::default(),
            held: None,
            most_ahead: MAX_AHEAD,
            waiting: 0,
        };
        Scheduler { state: Mutex::new(state), changed: Condvar::new() }
    }

    /// The next game, if it is known already and not too far ahead of the oldest one.
    pub fn try_next(&self) -> NextGame {
        self.state().next()
    }

    /// Lets games begin however far ahead of the oldest one; the caller keeps the distance.
    pub fn allow_any_distance(&self) {
        self.state().most_ahead = u64::MAX;
    }

    /// How many games, from the first of the schedule on, are finished without a gap.
    #[must_use]
    pub fn committed(&self) -> u64 {
        self.state().oldest
    }

    /// The next game; `None` if no game is left or the match has been stopped.
    pub fn next_game(&self, stop: &Stop) -> Option<ScheduledGame> {
        let mut state = self.state();
        loop {
            if stop.is_set() {
                return None;
            }
            match state.next() {
                NextGame::Play(scheduled) => return Some(scheduled),
                NextGame::End => return None,
                NextGame::Wait => {
                    state.waiting += 1;
                    state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
                    state.waiting -= 1;
                }
            }
        }
    }

    /// Takes a game of the journal; returns whether it is there for the first time.
    pub(super) fn skip(&self, record: &GameRecord) -> bool {
        let mut state = self.state();
        let place = state.shard.place(record.scheduled.number);
        let new = state.finished.insert(place);
        if new {
            state.take_result(record);
        }
        new
    }

    /// A game has been played and counts.
    pub(super) fn finished(&self, record: &GameRecord) {
        let mut state = self.state();
        if state.needs_results {
            state.take_result(record);
            self.wake(&state);
        }
    }

    /// All games before this place are finished.
    pub(super) fn finished_up_to(&self, place: u64) {
        let mut state = self.state();
        state.oldest = place;
        self.wake(&state);
    }

    /// Has all waiting workers look again, for instance because the match has been stopped.
    pub fn wake_all(&self) {
        self.wake(&self.state());
    }

    /// The end of a knockout that is over.
    pub(super) fn champion(&self) -> Option<Champion> {
        let mut state = self.state();
        if state.needs_results && state.held.is_none() {
            state.held = match state.schedule.step() {
                NextGame::Play(scheduled) => Some(scheduled),
                NextGame::Wait | NextGame::End => None,
            };
        }
        state.schedule.champion()
    }

    fn wake(&self, state: &SchedulerState) {
        if state.waiting > 0 {
            self.changed.notify_all();
        }
    }

    fn state(&self) -> MutexGuard<'_, SchedulerState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl SchedulerState {
    fn next(&mut self) -> NextGame {
        let mut next = match self.held.take() {
            Some(scheduled) => NextGame::Play(scheduled),
            None => self.schedule.step(),
        };
        loop {
            match next {
                NextGame::Play(scheduled) if self.finished.contains(self.shard.place(scheduled.number)) => {
                    next = self.schedule.step();
                }
                NextGame::Play(scheduled)
                    if self.shard.place(scheduled.number) >= self.oldest.saturating_add(self.most_ahead) =>
                {
                    self.held = Some(scheduled);
                    return NextGame::Wait;
                }
                next => return next,
            }
        }
    }

    fn take_result(&mut self, record: &GameRecord) {
        if !self.needs_results {
            return;
        }
        self.schedule.finished(record.scheduled.pair, record.result_of_first());
    }
}
