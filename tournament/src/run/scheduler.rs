//! The games that are left, for several workers.
//!
//! Games that a journal holds are not dealt again. A worker waits here when who plays next depends on a game that goes
//! on elsewhere, or when it is so far ahead of the oldest game that what waits for that one would fill the memory.

use crate::engine::Stop;
use crate::plan::{FinishedGame, MatchPlan};
use crate::schedule::{NextGame, Openings, Schedule, ScheduledGame, Shard};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// How far ahead of the oldest game in progress another may be begun.
const AHEAD: u64 = 1_024;

/// Deals games and takes their results.
pub(super) struct Scheduler {
    state: Mutex<State>,
    /// Something has changed that a worker may wait for.
    news: Condvar,
}

struct State {
    schedule: Schedule,
    shard: Shard,
    takes_results: bool,
    /// The place of the game that is next in order.
    oldest: u64,
    done: Done,
    /// A game that waits for older ones.
    held: Option<ScheduledGame>,
    waiting: usize,
}

/// Which games are finished, by their places.
#[derive(Debug, Default)]
pub(super) struct Done(Vec<u64>);

impl Done {
    /// Marks a game; says whether it was not marked before.
    pub fn mark(&mut self, place: u64) -> bool {
        let (word, bit) = ((place / 64) as usize, 1 << (place % 64));
        if self.0.len() <= word {
            self.0.resize(word + 1, 0);
        }
        let fresh = self.0[word] & bit == 0;
        self.0[word] |= bit;
        fresh
    }

    fn has(&self, place: u64) -> bool {
        self.0.get((place / 64) as usize).is_some_and(|word| word >> (place % 64) & 1 == 1)
    }
}

impl Scheduler {
    pub fn new(plan: &MatchPlan, openings: Openings) -> Scheduler {
        let state = State {
            schedule: Schedule::new(plan.schedule(), plan.shard, openings),
            shard: plan.shard,
            takes_results: plan.event.takes_results(),
            oldest: 0,
            done: Done::default(),
            held: None,
            waiting: 0,
        };
        Scheduler { state: Mutex::new(state), news: Condvar::new() }
    }

    /// The next game, unless there is none left or play has been stopped.
    pub fn deal(&self, stop: &Stop) -> Option<ScheduledGame> {
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
                    state = self.news.wait(state).unwrap_or_else(PoisonError::into_inner);
                    state.waiting -= 1;
                }
            }
        }
    }

    /// A game was in a journal already; `false` if it has been there before.
    pub fn skip(&self, record: &FinishedGame) -> bool {
        let mut state = self.state();
        let place = state.shard.place(record.scheduled.number);
        let fresh = state.done.mark(place);
        if fresh {
            state.take(record);
        }
        fresh
    }

    /// A game counts.
    pub fn finished(&self, record: &FinishedGame) {
        let mut state = self.state();
        if state.takes_results {
            state.take(record);
            self.wake(&state);
        }
    }

    /// All games before this place are finished.
    pub fn in_order(&self, place: u64) {
        let mut state = self.state();
        state.oldest = place;
        self.wake(&state);
    }

    /// Lets everybody look again, whether play has been stopped.
    pub fn wake_all(&self) {
        self.wake(&self.state());
    }

    /// Who has won a knockout that is over.
    pub fn champion(&self) -> Option<usize> {
        let mut state = self.state();
        if state.takes_results && state.held.is_none() {
            state.held = match state.schedule.step() {
                NextGame::Play(scheduled) => Some(scheduled),
                NextGame::Wait | NextGame::End => None,
            };
        }
        state.schedule.champion()
    }

    fn wake(&self, state: &State) {
        if state.waiting > 0 {
            self.news.notify_all();
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn next(&mut self) -> NextGame {
        let mut next = match self.held.take() {
            Some(scheduled) => NextGame::Play(scheduled),
            None => self.schedule.step(),
        };
        loop {
            match next {
                NextGame::Play(scheduled) if self.done.has(self.shard.place(scheduled.number)) => {
                    next = self.schedule.step();
                }
                NextGame::Play(scheduled) if self.shard.place(scheduled.number) >= self.oldest + AHEAD => {
                    self.held = Some(scheduled);
                    return NextGame::Wait;
                }
                next => return next,
            }
        }
    }

    fn take(&mut self, record: &FinishedGame) {
        if !self.takes_results {
            return;
        }
        let (scheduled, stores) = (&record.scheduled, record.played.stores());
        let side = scheduled.side_of_first();
        let margin = i32::from(stores[side.index()]) - i32::from(stores[side.other().index()]);
        self.schedule.finished(scheduled.pair, record.played.outcome.half_points(side), margin);
    }
}
