//! Processor affinity: a processor for each game, as long as that helps.
//!
//! The two engines of a game and the worker that referees it take turns. If the engines answer at once, much of the time of a
//! move goes into waking up another processor, which is saved if all three share one. An engine that thinks, or has threads
//! or children, needs all processors. So a monitor looks at every worker again and again. Where moves come quickly and each
//! engine is a single thread, it pins all three to the processor that the worker is on. As soon as moves come slowly there,
//! or an engine has more than one thread, it unpins them, and also threads and children that were started meanwhile and have
//! inherited the pin. The worker itself only counts moves.

use super::processors::{allowed, allowed_to, pin, this_thread};
use crate::engine::Supervisor;
use crate::engine::proc_fs::{Stat, is_single_thread, threads_of};
use crate::game::MoveObserver;
use crate::plan::{Affinity, MatchPlan};
use ahash::AHashSet;
use crossbeam_channel::{Receiver, RecvTimeoutError};
use kroo::game::Game;
use rustix::process::Pid;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The time between two looks: while no engine is pinned, and while one is.
const LOOK_EVERY: [Duration; 2] = [Duration::from_millis(10), Duration::from_millis(1)];
/// The longest average time of a move, between two looks, at which engines are pinned.
const PIN_BELOW: Duration = Duration::from_micros(100);
/// The longest average time of a move at which they stay pinned. It is longer, so that they are not pinned and unpinned in turns.
const UNPIN_ABOVE: Duration = Duration::from_micros(250);
/// Looks from one check of pinned engines for threads and children to the next.
const CHECK_THREADS_EVERY: u32 = 8;
/// Looks without pinning after engines were unpinned: at first, and at most. It doubles each time they were pinned only briefly.
const PAUSE: [u32; 2] = [1, 64];
/// Engines that stay pinned for less than this were pinned only briefly.
const BRIEFLY: Duration = Duration::from_millis(200);

/// Pins the calling thread, and what it starts, to one of the processors that it may use: the one with this number, counted
/// round from 0. Where that cannot be done, nothing is.
pub(super) fn pin_this_thread(number: usize) {
    let processors = allowed();
    if !processors.is_empty() {
        pin(None, &[processors[number % processors.len()]]);
    }
}

/// The monitor's view of a worker.
#[derive(Debug, Default)]
pub(super) struct WorkerSlot {
    moves: AtomicU64,
    threads: Mutex<SlotThreads>,
}

/// The threads that play a worker's games.
#[derive(Debug, Default)]
struct SlotThreads {
    worker: Option<Pid>,
    /// The engines. None of them is reaped while it is listed here, so the numbers stay their own.
    engines: Vec<Pid>,
    /// The processor that they and the worker are pinned to.
    pinned_to: Option<usize>,
}

/// All workers, and the processors for them.
#[derive(Debug)]
pub(super) struct AffinityMonitor<'a> {
    supervisor: &'a Supervisor,
    processors: Vec<usize>,
    slots: Vec<WorkerSlot>,
}

impl<'a> AffinityMonitor<'a> {
    /// A monitor of all workers; `None` if no engine is to be pinned: because that is switched off, because engines ponder, or
    /// because there are fewer processors than games.
    pub fn new(plan: &MatchPlan, workers: usize, supervisor: &'a Supervisor) -> Option<AffinityMonitor<'a>> {
        let processors = allowed();
        let taking_turns = plan.contestants.iter().all(|contestant| !contestant.limits.ponder);
        let enough = processors.len() > 1 && workers <= processors.len();
        let slots = (0..workers).map(|_| WorkerSlot::default()).collect();
        let wanted = plan.affinity == Affinity::Auto && taking_turns && enough;
        wanted.then_some(AffinityMonitor { supervisor, processors, slots })
    }

    /// A worker's own part; to be asked for by the worker's thread.
    pub fn worker(&self, number: usize) -> WorkerAffinity<'_> {
        let slot = &self.slots[number];
        slot.threads().worker = this_thread();
        WorkerAffinity { monitor: self, slot }
    }

    /// Watches all workers until the channel is closed.
    pub fn watch(&self, ended: &Receiver<()>) {
        let mut histories: Vec<SlotHistory> = self.slots.iter().map(|_| SlotHistory::default()).collect();
        let mut any_pinned = false;
        while ended.recv_timeout(LOOK_EVERY[usize::from(any_pinned)]) == Err(RecvTimeoutError::Timeout) {
            any_pinned = false;
            for (number, slot) in self.slots.iter().enumerate() {
                let taken: Vec<usize> = histories.iter().filter_map(|history| history.pinned_to).collect();
                let moves = slot.moves.load(Ordering::Relaxed);
                let threads = &mut slot.threads();
                self.look(threads, &mut histories[number], moves, &taken);
                any_pinned |= threads.pinned_to.is_some();
            }
        }
    }

    /// Looks at a worker that has made `moves` moves in all. Some processors are taken by others.
    fn look(&self, threads: &mut SlotThreads, history: &mut SlotHistory, moves: u64, taken: &[usize]) {
        let made = moves - std::mem::replace(&mut history.moves, moves);
        let passed = std::mem::replace(&mut history.at, Instant::now()).elapsed();
        let faster_than = |limit: Duration| u128::from(made) * limit.as_nanos() >= passed.as_nanos();
        history.looks += 1;
        match threads.pinned_to {
            Some(_) => {
                let check = history.looks.is_multiple_of(CHECK_THREADS_EVERY);
                let single = || threads.engines.iter().all(|&engine| is_single_thread(engine));
                if !faster_than(UNPIN_ABOVE) || check && !single() {
                    self.unpin(threads);
                    history.unpinned();
                }
            }
            None if history.pause > 0 => history.pause -= 1,
            None if faster_than(PIN_BELOW) => {
                self.pin_together(threads, taken);
                history.pinned_since = Instant::now();
            }
            None => {}
        }
        history.pinned_to = threads.pinned_to;
    }

    /// Pins a worker and its engines to the processor that the worker is on, or to a free one, if each engine is a single
    /// thread that may use all processors.
    fn pin_together(&self, threads: &mut SlotThreads, taken: &[usize]) {
        let Some(worker) = threads.worker else { return };
        let may_be_pinned = |&engine: &Pid| {
            is_single_thread(engine) && allowed_to(engine).is_some_and(|allowed| allowed == self.processors)
        };
        if threads.engines.is_empty() || !threads.engines.iter().all(may_be_pinned) {
            return;
        }
        let free = |processor: &usize| self.processors.contains(processor) && !taken.contains(processor);
        let last = Stat::of_own_thread(worker).map(|stat| stat.processor).filter(free);
        let Some(processor) = last.or_else(|| self.processors.iter().copied().find(free)) else { return };
        threads.pinned_to = Some(processor);
        if !threads.engines.iter().chain([&worker]).all(|&thread| pin(Some(thread), &[processor])) {
            self.unpin(threads);
        }
    }

    /// Unpins a worker, its engines and everything that they have started. A thread that is not pinned to exactly this
    /// processor belongs to another worker, or has chosen its own processors, and keeps them.
    fn unpin(&self, threads: &mut SlotThreads) {
        let Some(processor) = threads.pinned_to.take() else { return };
        let unpin = |thread: Pid| {
            if allowed_to(thread).is_some_and(|allowed| allowed == [processor]) {
                pin(Some(thread), &self.processors);
            }
        };
        threads.worker.into_iter().for_each(unpin);
        threads.engines.iter().copied().for_each(unpin);
        // Then their descendants, until no new thread is found: one may be started meanwhile.
        let mut seen = AHashSet::new();
        loop {
            let processes = self.supervisor.living();
            let fresh: Vec<Pid> =
                processes.into_iter().flat_map(threads_of).filter(|&thread| seen.insert(thread)).collect();
            if fresh.is_empty() {
                return;
            }
            fresh.into_iter().for_each(unpin);
        }
    }
}

/// The monitor's memory of a worker.
#[derive(Debug)]
struct SlotHistory {
    moves: u64,
    at: Instant,
    looks: u32,
    /// The processor that the worker was pinned to after the last look, and since when.
    pinned_to: Option<usize>,
    pinned_since: Instant,
    /// Looks without pinning that are left, and how many there will be the next time.
    pause: u32,
    next_pause: u32,
}

impl Default for SlotHistory {
    fn default() -> SlotHistory {
        let now = Instant::now();
        SlotHistory {
            moves: 0,
            at: now,
            looks: 0,
            pinned_to: None,
            pinned_since: now,
            pause: 0,
            next_pause: PAUSE[0],
        }
    }
}

impl SlotHistory {
    /// The engines did not answer at once any more.
    fn unpinned(&mut self) {
        if self.pinned_since.elapsed() > BRIEFLY {
            self.next_pause = PAUSE[0];
        }
        self.pause = self.next_pause;
        self.next_pause = (2 * self.next_pause).min(PAUSE[1]);
    }
}

impl WorkerSlot {
    fn threads(&self) -> MutexGuard<'_, SlotThreads> {
        self.threads.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A worker's own part of the monitor.
#[derive(Clone, Copy, Debug)]
pub(super) struct WorkerAffinity<'a> {
    monitor: &'a AffinityMonitor<'a>,
    slot: &'a WorkerSlot,
}

impl WorkerAffinity<'_> {
    /// These engines begin a game.
    pub fn begin(&self, engines: [Pid; 2]) {
        let mut threads = self.slot.threads();
        if !engines.iter().all(|engine| threads.engines.contains(engine)) {
            self.monitor.unpin(&mut threads);
            threads.engines = engines.to_vec();
        }
    }

    /// Engines are about to be started or to exit: no engine stays pinned or listed.
    pub fn release(&self) {
        let mut threads = self.slot.threads();
        self.monitor.unpin(&mut threads);
        threads.engines.clear();
    }

    /// An observer that counts moves, and passes them on to another one.
    pub fn counting<'b>(&'b self, next: Option<&'b dyn MoveObserver>) -> MoveCounter<'b> {
        MoveCounter { moves: &self.slot.moves, next }
    }
}

/// Counts moves.
pub(super) struct MoveCounter<'a> {
    moves: &'a AtomicU64,
    next: Option<&'a dyn MoveObserver>,
}

impl MoveObserver for MoveCounter<'_> {
    fn moved(&self, game: &Game) {
        self.moves.fetch_add(1, Ordering::Relaxed);
        if let Some(next) = self.next {
            next.moved(game);
        }
    }
}
