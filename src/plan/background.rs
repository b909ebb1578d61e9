//! Endgames that are built in the background of a conversation.
//!
//! The background work starts with the session, and the small endgames are there before most games leave their openings.
//! A search for a time that has paid for larger ones asks for them; it builds none itself and waits for nothing, but uses
//! what is there when an iteration begins. The work goes on while a search is running, at a lower priority, and pauses in
//! between; a level that is not done is gone on with in the next search. A search that is limited only by depth or nodes
//! does not use them, so that it is repeatable; it builds what its own nodes pay for (`crate::search`).

use crate::endgame::{Endgames, ThreadPool};
use crate::game::{Cycle, Rules, Visitor};
use crate::protocol::Settings;
use crate::time::Instant;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

/// How long the background work goes on from its beginning, whether there is a search or not.
pub const HEAD_START: Duration = Duration::from_millis(400);
/// Most seeds for which endgames are built before a search asks for them: 2.7 million boards, with the smaller levels, and 9.7
/// million where each is worked out once.
const HEAD_START_SEEDS: u8 = 12;
const ACYCLIC_HEAD_START_SEEDS: u8 = 14;
/// How much less of a busy processor the background work gets than a search: about a tenth.
#[cfg(target_os = "linux")]
const NICENESS: i32 = 10;

/// How long before the end of a search the background work gives the processor away again and again: a system may let a thread
/// of higher priority wait for the next tick of its clock, 10 ms, unless it is asked. Asked all the time, it gives the
/// background work next to nothing of a processor that the search has too.
pub const GIVE_WAY: Duration = Duration::from_millis(15);

/// The background work; it ends when this is dropped.
#[derive(Debug)]
pub struct BackgroundEndgames(Arc<Growth>);

/// How far the background work is to go, and when.
#[derive(Debug, Default)]
pub struct Growth {
    state: Mutex<GrowthState>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct GrowthState {
    /// How many levels are wanted, from the empty one on.
    levels: u8,
    /// Whether a search is running.
    searching: bool,
    /// When it ends at the latest.
    end: Option<Instant>,
    ended: bool,
}

impl Growth {
    fn state(&self) -> MutexGuard<'_, GrowthState> {
        // Nothing that can fail is done with the lock.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn change(&self, change: impl FnOnce(&mut GrowthState)) {
        change(&mut self.state());
        self.changed.notify_all();
    }

    /// Asks for all databases of up to `seeds` seeds.
    pub fn want(&self, seeds: u8) {
        if self.state().levels <= seeds {
            self.change(|state| state.levels = seeds + 1);
        }
    }

    /// A search begins, or is over. Between searches the other side may be thinking, on the same processor.
    pub fn set_searching(&self, searching: bool) {
        self.change(|state| state.searching = searching);
    }

    /// Sets when the search ends at the latest.
    pub fn set_end(&self, end: Option<Instant>) {
        self.state().end = end;
    }

    /// Whether to yield the processor: to a search near its end, or to another program between searches.
    pub fn gives_way(&self) -> bool {
        let state = self.state();
        !state.searching
            || state.end.is_some_and(|end| end.saturating_duration_since(Instant::now()) < GIVE_WAY)
    }

    /// Waits for work beyond the first `levels` databases. Returns how many are wanted, or `None` at the end.
    fn wait(&self, levels: u8, until: Instant) -> Option<u8> {
        let mut state = self.state();
        loop {
            if state.ended {
                return None;
            }
            let head_start = until.saturating_duration_since(Instant::now());
            if state.levels > levels && (state.searching || !head_start.is_zero()) {
                return Some(state.levels);
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

impl BackgroundEndgames {
    /// Starts to build the endgames of the rule set that are not there yet, as far as the settings use any.
    pub fn start(settings: &Settings, endgames: &Arc<Endgames>) -> Option<BackgroundEndgames> {
        let endgames = Arc::clone(endgames);
        let (variant, seeds) =
            (settings.variant, settings.endgame_seeds.min(settings.variant.visit(HeadStart)));
        let background =
            BackgroundEndgames::running(move |growth| variant.visit(BuildInBackground { growth, endgames }))?;
        if seeds > 0 {
            background.0.want(seeds);
        }
        Some(background)
    }

    /// Starts work in a detached thread; the work polls whether to pause or end.
    pub fn running(work: impl FnOnce(Arc<Growth>) + Send + 'static) -> Option<BackgroundEndgames> {
        let growth = Arc::<Growth>::default();
        let shared = Arc::clone(&growth);
        // If no thread can be started, the session does without these endgames.
        let spawned = thread::Builder::new().name("endgames".to_owned()).spawn(move || work(shared));
        spawned.ok().map(|_| BackgroundEndgames(growth))
    }

    /// The way for a search to ask for more.
    pub fn growth(&self) -> Arc<Growth> {
        Arc::clone(&self.0)
    }
}

impl Drop for BackgroundEndgames {
    fn drop(&mut self) {
        self.0.change(|state| state.ended = true);
    }
}

/// The seeds of the largest level that is built before a search asks for it.
struct HeadStart;

impl Visitor for HeadStart {
    type Output = u8;

    fn visit<R: Rules>(self) -> u8 {
        if R::CYCLE == Cycle::Impossible { ACYCLIC_HEAD_START_SEEDS } else { HEAD_START_SEEDS }
    }
}

struct BuildInBackground {
    growth: Arc<Growth>,
    endgames: Arc<Endgames>,
}

impl Visitor for BuildInBackground {
    type Output = ();

    fn visit<R: Rules>(self) {
        // A search that needs the processor comes first. Where that cannot be had, they share it.
        #[cfg(target_os = "linux")]
        let _ = rustix::process::nice(NICENESS);
        let head_start = Instant::now() + HEAD_START;
        let endgames = self.endgames;
        let mut done = 0;
        while let Some(levels) = self.growth.wait(done, head_start) {
            // In the middle of a level it waits as well, and goes on with it.
            let watch = &mut |_| {
                if self.growth.gives_way() {
                    thread::yield_now();
                }
                self.growth.wait(done, head_start).is_none()
            };
            endgames.build_with::<R>(levels - 1, &mut ThreadPool { threads: 1, watch });
            // What cannot be built is not tried again.
            done = levels;
        }
    }
}
