//! A processor for each game, as long as that helps.
//!
//! The two engines of a game and the thread that referees it take turns. If they answer at once, much of a move is spent
//! on waking up another processor, which one for all three saves. An engine that thinks, or has threads or children,
//! wants all processors. So a warden looks at every table again and again: where moves come quickly and each
//! engine is a single thread, it keeps all three where the worker is; and as soon as moves come slowly there, or an engine
//! has become more than one thread, everybody may go everywhere again, down to threads and children that were started
//! meanwhile and inherited the one processor. The worker does no more than to count moves.

use super::processors::{allowed, allowed_to, is_alone, keep, last_of, this_thread, threads_of};
use crate::engine::Supervisor;
use crate::game::MoveObserver;
use crate::plan::{Affinity, MatchPlan};
use ahash::AHashSet;
use crossbeam_channel::{Receiver, RecvTimeoutError};
use kroo::game::Game;
use rustix::process::Pid;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How often the tables are looked at: while nobody is kept anywhere, and while somebody is.
const LOOKS: [Duration; 2] = [Duration::from_millis(10), Duration::from_millis(1)];
/// How long a move takes at most, on average between two looks, for its engines to answer at once; and how long for them
/// to stay together once they are.
const AT_ONCE: [Duration; 2] = [Duration::from_micros(100), Duration::from_micros(250)];
/// After so many looks at a table whose engines are kept together it is asked whether they have threads or children.
const ASK: u32 = 8;
/// Looks that a table is left alone for after its engines were set free; each time twice as many, if it was soon.
const REST: [u32; 2] = [1, 64];
/// How long engines must have stayed together for it not to have been soon.
const LASTING: Duration = Duration::from_millis(200);

/// Keeps the calling thread, and what it starts, on one of the processors that it may use: the one with this number,
/// from 0, around and around. Where that cannot be done, the thread goes where the system wants.
pub(super) fn stay_on_processor(number: usize) {
    let processors = allowed();
    if !processors.is_empty() {
        keep(None, &[processors[number % processors.len()]]);
    }
}

/// Where a worker and its engines sit.
#[derive(Debug, Default)]
pub(super) struct WorkerSlot {
    moves: AtomicU64,
    seats: Mutex<SlotThreads>,
}

/// Who sits at a table.
#[derive(Debug, Default)]
struct SlotThreads {
    worker: Option<Pid>,
    /// Those that play. They are not reaped as long as they sit here, so that their numbers are theirs.
    engines: Vec<Pid>,
    /// The processor that they and the worker are kept on.
    kept_on: Option<usize>,
}

/// All tables, and the processors for them.
#[derive(Debug)]
pub(super) struct AffinityMonitor<'a> {
    supervisor: &'a Supervisor,
    processors: Vec<usize>,
    tables: Vec<WorkerSlot>,
}

impl<'a> AffinityMonitor<'a> {
    /// AffinityMonitor for all workers; `None` if nobody is to be kept anywhere: because it is not wanted, because engines work on
    /// their rivals' time, or because there are fewer processors than games.
    pub fn new(plan: &MatchPlan, workers: usize, supervisor: &'a Supervisor) -> Option<AffinityMonitor<'a>> {
        let processors = allowed();
        let taking_turns = plan.contestants.iter().all(|contestant| !contestant.limits.ponder);
        let room = processors.len() > 1 && workers <= processors.len();
        let tables = (0..workers).map(|_| WorkerSlot::default()).collect();
        (plan.affinity == Affinity::Auto && taking_turns && room).then_some(AffinityMonitor {
            supervisor,
            processors,
            tables,
        })
    }

    /// A worker's place; to be asked for by its own thread.
    pub fn place(&self, worker: usize) -> WorkerAffinity<'_> {
        let place = WorkerAffinity { tables: self, table: &self.tables[worker] };
        place.table.seats().worker = this_thread();
        place
    }

    /// What the warden does until the channel is closed.
    pub fn watch(&self, ended: &Receiver<()>) {
        let mut views: Vec<SlotHistory> = self.tables.iter().map(|_| SlotHistory::default()).collect();
        let mut together = false;
        while ended.recv_timeout(LOOKS[usize::from(together)]) == Err(RecvTimeoutError::Timeout) {
            together = false;
            for (number, table) in self.tables.iter().enumerate() {
                let taken: Vec<usize> = views.iter().filter_map(|view| view.kept_on).collect();
                let moves = table.moves.load(Ordering::Relaxed);
                let seats = &mut table.seats();
                self.look(seats, &mut views[number], moves, &taken);
                together |= seats.kept_on.is_some();
            }
        }
    }

    /// Looks at a table, while some processors are taken for others.
    fn look(&self, seats: &mut SlotThreads, view: &mut SlotHistory, moves: u64, taken: &[usize]) {
        let made = moves - std::mem::replace(&mut view.moves, moves);
        let passed = std::mem::replace(&mut view.at, Instant::now()).elapsed();
        let quick = |limit: Duration| u128::from(made) * limit.as_nanos() >= passed.as_nanos();
        view.looks += 1;
        match seats.kept_on {
            Some(_) => {
                let ask = view.looks.is_multiple_of(ASK);
                if !quick(AT_ONCE[1]) || ask && !seats.engines.iter().all(|&engine| is_alone(engine)) {
                    self.set_free(seats);
                    view.freed();
                }
            }
            None if view.rest > 0 => view.rest -= 1,
            None if quick(AT_ONCE[0]) => {
                self.keep_together(seats, taken);
                view.since = Instant::now();
            }
            None => {}
        }
        view.kept_on = seats.kept_on;
    }

    /// Keeps a worker and its engines on the processor that the worker is on, or on a free one; if each is a single thread
    /// that may go everywhere.
    fn keep_together(&self, seats: &mut SlotThreads, taken: &[usize]) {
        let Some(worker) = seats.worker else { return };
        let may_be_kept = |&engine: &Pid| {
            is_alone(engine) && allowed_to(engine).is_some_and(|allowed| allowed == self.processors)
        };
        if seats.engines.is_empty() || !seats.engines.iter().all(may_be_kept) {
            return;
        }
        let open = |processor: &usize| self.processors.contains(processor) && !taken.contains(processor);
        let Some(processor) =
            last_of(worker).filter(open).or_else(|| self.processors.iter().copied().find(open))
        else {
            return;
        };
        seats.kept_on = Some(processor);
        if !seats.engines.iter().chain([&worker]).all(|&thread| keep(Some(thread), &[processor])) {
            self.set_free(seats);
        }
    }

    /// Lets a worker, its engines and all that they have started go everywhere. Who is not on the table's processor alone
    /// has decided so, and is left there.
    fn set_free(&self, seats: &mut SlotThreads) {
        let Some(processor) = seats.kept_on.take() else { return };
        let free = |thread: Pid| {
            if allowed_to(thread).is_some_and(|allowed| allowed == [processor]) {
                keep(Some(thread), &self.processors);
            }
        };
        seats.worker.into_iter().for_each(free);
        // The engines at once, and then whoever is found until nobody is: one may be started meanwhile.
        seats.engines.iter().copied().for_each(free);
        let mut seen = AHashSet::new();
        loop {
            let family = self.supervisor.family_of(&seats.engines);
            let threads: Vec<Pid> =
                family.into_iter().flat_map(threads_of).filter(|&thread| seen.insert(thread)).collect();
            if threads.is_empty() {
                return;
            }
            threads.into_iter().for_each(free);
        }
    }
}

/// What the warden remembers of a table.
#[derive(Debug)]
struct SlotHistory {
    moves: u64,
    at: Instant,
    looks: u32,
    /// The processor that the engines were kept on after the last look, and since when they are.
    kept_on: Option<usize>,
    since: Instant,
    /// Looks that it is left alone for, and for how many the next time.
    rest: u32,
    next_rest: u32,
}

impl Default for SlotHistory {
    fn default() -> SlotHistory {
        let now = Instant::now();
        SlotHistory { moves: 0, at: now, looks: 0, kept_on: None, since: now, rest: 0, next_rest: REST[0] }
    }
}

impl SlotHistory {
    /// The engines did not answer at once any more.
    fn freed(&mut self) {
        if self.since.elapsed() > LASTING {
            self.next_rest = REST[0];
        }
        self.rest = self.next_rest;
        self.next_rest = (2 * self.next_rest).min(REST[1]);
    }
}

impl WorkerSlot {
    fn seats(&self) -> MutexGuard<'_, SlotThreads> {
        self.seats.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A worker's own table.
#[derive(Clone, Copy, Debug)]
pub(super) struct WorkerAffinity<'a> {
    tables: &'a AffinityMonitor<'a>,
    table: &'a WorkerSlot,
}

impl WorkerAffinity<'_> {
    /// Engines begin a game.
    pub fn seat(&self, engines: [Pid; 2]) {
        let mut seats = self.table.seats();
        if !engines.iter().all(|engine| seats.engines.contains(engine)) {
            self.tables.set_free(&mut seats);
            seats.engines = engines.to_vec();
        }
    }

    /// Engines are to be started or to go: nobody is kept anywhere, and nobody sits here.
    pub fn clear(&self) {
        let mut seats = self.table.seats();
        self.tables.set_free(&mut seats);
        seats.engines.clear();
    }

    /// Counts moves, and shows them to whoever else looks on.
    pub fn counting<'b>(&'b self, other: Option<&'b dyn MoveObserver>) -> Counting<'b> {
        Counting { moves: &self.table.moves, other }
    }
}

/// Somebody who counts moves.
pub(super) struct Counting<'a> {
    moves: &'a AtomicU64,
    other: Option<&'a dyn MoveObserver>,
}

impl MoveObserver for Counting<'_> {
    fn moved(&self, game: &Game) {
        self.moves.fetch_add(1, Ordering::Relaxed);
        if let Some(other) = self.other {
            other.moved(game);
        }
    }
}
