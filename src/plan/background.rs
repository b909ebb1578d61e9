//! Endgames built in the background of a conversation.
//!
//! The work starts with the session, so small databases exist before most games leave their openings. A timed search that has
//! paid for larger ones requests them; it builds none and never waits, but uses those that exist when an iteration begins. The
//! work runs during searches, at a lower priority, and pauses between them; an unfinished database is resumed in the next
//! search. A search limited only by depth or nodes does not use these databases, so it is reproducible; it builds those that
//! its own nodes pay for (`crate::search`).

use crate::endgames::Endgames;
use crate::endgames::probe::deadlines::MAX_DEADLINE_SEEDS;
use crate::game::{Cycle, Rules};
use crate::protocol::Settings;
use crate::time::Instant;
use crate::under;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

/// How long the work runs after its start, with or without a search.
const HEAD_START: Duration = Duration::from_millis(400);
/// Maximum seeds built before a search requests more: 2.7 million boards, with the smaller databases, and 9.7 million without
/// cycles.
const HEAD_START_SEEDS: u8 = 12;
const ACYCLIC_HEAD_START_SEEDS: u8 = 14;
/// Nice value of the work: on a busy processor it gets about a tenth of a search's share.
#[cfg(target_os = "linux")]
const NICENESS: i32 = 10;

/// Time before the end of a search in which the work keeps yielding: otherwise a system may let a thread of higher priority wait
/// for the next clock tick, 10 ms. Yielding all the time would leave the work almost nothing of a processor shared with the
/// search.
pub const GIVE_WAY: Duration = Duration::from_millis(15);

/// The background work; it ends when this is dropped.
#[derive(Debug)]
pub struct BackgroundEndgames(Arc<Growth>);

/// The target and the timing of the background work.
#[derive(Debug, Default)]
pub struct Growth {
    state: Mutex<GrowthState>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct GrowthState {
    /// Number of databases requested, from the empty one on.
    databases: u8,
    searching: bool,
    /// The latest end of the search.
    end: Option<Instant>,
    ended: bool,
}

impl GrowthState {
    fn due(&self, databases: u8, head_start: Instant) -> Option<u8> {
        let goes_on = self.searching || Instant::now() < head_start;
        (goes_on && self.databases > databases).then_some(self.databases)
    }
}

impl Growth {
    fn state(&self) -> MutexGuard<'_, GrowthState> {
        // No code that can panic runs while the lock is held, so a poisoned lock is usable.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn change(&self, change: impl FnOnce(&mut GrowthState)) {
        change(&mut self.state());
        self.changed.notify_all();
    }

    /// Requests all databases with up to `seeds` seeds.
    pub fn want(&self, seeds: u8) {
        if self.state().databases <= seeds {
            self.change(|state| state.databases = seeds + 1);
        }
    }

    /// A search has begun or ended. Between searches the opponent may be thinking on the same processor.
    pub fn set_searching(&self, searching: bool) {
        self.change(|state| state.searching = searching);
    }

    /// Sets the latest end of the search.
    pub fn set_end(&self, end: Option<Instant>) {
        self.state().end = end;
    }

    /// Whether to yield the processor: to a search near its end, or to another program between searches.
    pub fn gives_way(&self) -> bool {
        let state = self.state();
        !state.searching
            || state.end.is_some_and(|end| end.saturating_duration_since(Instant::now()) < GIVE_WAY)
    }

    /// Number of requested databases, if it is more than `databases` and the work may go on: during a search or the head start.
    pub fn due(&self, databases: u8, head_start: Instant) -> Option<u8> {
        self.state().due(databases, head_start)
    }

    /// Waits until more than `databases` databases are requested. Returns their number, or `None` at the end.
    fn wait(&self, databases: u8, head_start: Instant) -> Option<u8> {
        let mut state = self.state();
        loop {
            if state.ended {
                return None;
            }
            if let Some(wanted) = state.due(databases, head_start) {
                return Some(wanted);
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

impl BackgroundEndgames {
    /// Starts building the missing databases of the rule set, if the settings use any.
    pub fn start(settings: &Settings, endgames: &Arc<Endgames>) -> Option<BackgroundEndgames> {
        let endgames = Arc::clone(endgames);
        let variant = settings.variant;
        let useful = if Endgames::cover(variant) { under!(variant, R => head_start_seeds::<R>()) } else { 0 };
        let seeds = settings.endgame_seeds.min(useful);
        let background = BackgroundEndgames::running(
            move |growth| under!(variant, R => build_in_background::<R>(&growth, &endgames)),
        )?;
        if seeds > 0 {
            background.0.want(seeds);
        }
        Some(background)
    }

    /// Starts work on a detached thread; it polls whether to pause or end.
    pub fn running(work: impl FnOnce(Arc<Growth>) + Send + 'static) -> Option<BackgroundEndgames> {
        let growth = Arc::<Growth>::default();
        let shared = Arc::clone(&growth);
        // If no thread can be started, the session does without these databases.
        let spawned = thread::Builder::new().name("endgames".to_owned()).spawn(move || work(shared));
        spawned.ok().map(|_| BackgroundEndgames(growth))
    }

    /// The interface for searches that request more.
    pub fn growth(&self) -> Arc<Growth> {
        Arc::clone(&self.0)
    }
}

impl Drop for BackgroundEndgames {
    fn drop(&mut self) {
        self.0.change(|state| state.ended = true);
    }
}

/// The seeds of the largest database built before any request.
fn head_start_seeds<R: Rules>() -> u8 {
    if R::CYCLE == Cycle::Impossible { ACYCLIC_HEAD_START_SEEDS } else { HEAD_START_SEEDS }
}

fn build_in_background<R: Rules>(growth: &Growth, endgames: &Endgames) {
    // A search that needs the processor takes precedence; if the system refuses, they share it.
    #[cfg(target_os = "linux")]
    let _ = rustix::process::nice(NICENESS);
    let head_start = Instant::now() + HEAD_START;
    let mut done = 0;
    while let Some(databases) = growth.wait(done, head_start) {
        // It also waits within a database, and resumes it.
        let mut stop = || {
            if growth.gives_way() {
                thread::yield_now();
            }
            growth.wait(done, head_start).is_none()
        };
        // The small ones first: with their deadlines, results are proven near the move limit.
        let small = MAX_DEADLINE_SEEDS.min(databases - 1);
        endgames.build::<R>(small, &mut stop);
        endgames.count_deadlines::<R>(small, &mut stop);
        endgames.build::<R>(databases - 1, &mut stop);
        // A failed build is not retried.
        done = databases;
    }
}
