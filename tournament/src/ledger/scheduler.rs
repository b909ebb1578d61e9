//! The scheduler: chooses the next game of a worker.
//!
//! The ledger alone gives it the results, in the order of its games. A worker waits here if its next game depends on one in
//! progress, or if it is too far ahead of the oldest game: finished games wait for older ones, and must fit into memory.

use super::record::GameRecord;
use crate::engine::Stop;
use crate::plan::MatchPlan;
use crate::schedule::{Champion, Next, Openings, Schedule, ScheduledGame, Shard};
use std::collections::BTreeSet;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// How many games ahead of the oldest game in progress another one may begin.
const MAX_AHEAD: u64 = 1_024;

/// Hands out games.
pub struct Scheduler {
    state: Mutex<SchedulerState>,
    /// Something has changed that a worker may wait for.
    changed: Condvar,
}

struct SchedulerState {
    schedule: Schedule,
    shard: Shard,
    /// How many games the schedule has given out.
    given: u64,
    /// The place of the first game without a result.
    oldest: u64,
    /// The places of games that are finished and have not been given out: those of a journal, behind a gap.
    known: BTreeSet<u64>,
    /// A game that waits for older ones.
    held: Option<ScheduledGame>,
    /// How many games ahead of the oldest one another one may begin.
    most_ahead: u64,
    /// How many workers wait.
    waiting: usize,
}

impl Scheduler {
    /// The scheduler of a plan before its first game.
    pub fn new(plan: &MatchPlan, openings: Openings) -> Scheduler {
        let state = SchedulerState {
            schedule: Schedule::new(plan.pairings(), plan.shard, openings),
            shard: plan.shard,
            given: 0,
            oldest: 0,
            known: BTreeSet::new(),
            held: None,
            most_ahead: MAX_AHEAD,
            waiting: 0,
        };
        Scheduler { state: Mutex::new(state), changed: Condvar::new() }
    }

    /// The next game, if it is known already and not too far ahead of the oldest one.
    pub fn try_next(&self) -> Next<ScheduledGame> {
        self.state().next()
    }

    /// Lets games begin however far ahead of the oldest one; the caller keeps the distance.
    pub fn allow_any_distance(&self) {
        self.state().most_ahead = u64::MAX;
    }

    /// How many games, from the first of the schedule on, are finished without a gap.
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
                Next::Play(scheduled) => return Some(scheduled),
                Next::End => return None,
                Next::Wait => {
                    state.waiting += 1;
                    state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
                    state.waiting -= 1;
                }
            }
        }
    }

    /// Has all waiting workers look again, for instance because the match has been stopped.
    pub fn wake_all(&self) {
        self.wake(&self.state());
    }

    /// Records finished games, which are not given out again.
    pub(super) fn skip(&self, places: impl Iterator<Item = u64>) {
        self.state().known.extend(places);
    }

    /// The next game in order is finished. Returns the end of a knockout that is over.
    pub(super) fn finished(&self, record: &GameRecord) -> Result<Option<Champion>, String> {
        let mut state = self.state();
        let (place, scheduled) = (state.oldest, &record.scheduled);
        if state.given == place {
            state.known.remove(&place);
            let Next::Play(planned) = state.step() else {
                return Err(format!("game {} is not in the schedule", scheduled.number));
            };
            let of = |game: &ScheduledGame| (game.number, game.pairing, game.players, game.bye);
            if of(&planned) != of(scheduled) {
                return Err(format!("game {} has other engines in the schedule", scheduled.number));
            }
        }
        state.schedule.finished(record.result_of_first());
        state.oldest += 1;
        self.wake(&state);
        Ok(state.schedule.champion())
    }

    /// How many games can be given out before others are finished; of each the results of all before are known.
    pub(super) fn playable(&self) -> u64 {
        let mut state = self.state();
        state.most_ahead = u64::MAX;
        std::iter::from_fn(|| matches!(state.next(), Next::Play(_)).then_some(1)).sum()
    }

    /// Whether all games of the schedule are finished.
    pub(super) fn is_at_end(&self) -> bool {
        let mut state = self.state();
        if state.given > state.oldest || !state.known.is_empty() {
            return false;
        }
        state.held = match state.step() {
            Next::Play(scheduled) => Some(scheduled),
            Next::Wait => return false,
            Next::End => return true,
        };
        false
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
    fn next(&mut self) -> Next<ScheduledGame> {
        loop {
            let next = match self.held.take() {
                Some(scheduled) => Next::Play(scheduled),
                None => self.step(),
            };
            let Next::Play(scheduled) = next else { return next };
            let place = self.shard.place(scheduled.number);
            if self.known.remove(&place) {
                continue;
            }
            if place >= self.oldest.saturating_add(self.most_ahead) {
                self.held = Some(scheduled);
                return Next::Wait;
            }
            return Next::Play(scheduled);
        }
    }

    /// The next game of the schedule, finished or not.
    fn step(&mut self) -> Next<ScheduledGame> {
        let next = self.schedule.step();
        self.given += u64::from(matches!(next, Next::Play(_)));
        next
    }
}
