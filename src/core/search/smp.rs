//! Several threads on one search: lazy SMP over the shared table (D. Homan, about 2013), in which every thread
//! deepens by itself and finds in the table what the others have found out.
//!
//! Whoever completes an iteration first has done it for all: the iteration of the others is superseded. They leave it,
//! take over the moves of the root with their order, scores and lines, and go on from there ([`SmpState::publish`]). And
//! so that two threads do not do the same work, a helper thread searches a few plies deeper than the main thread
//! ([`extra_depth`]).
//!
//! `tests/bench/experiments.md` has what threads gain, and what else was tried.

use super::report::{Observer, Report};
use super::root::{Root, RootMove};
use crate::game::Move;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// How much deeper than the main thread one of so many helper threads searches, in plies: the first by two, and by one more
/// whenever the threads double; the next ones by one ply less each, down to none, and so on from the beginning.
pub fn extra_depth(helper: usize, helpers: usize) -> u8 {
    let most = 1 + (helpers + 1).ilog2() as usize;
    (most - helper % (most + 1)) as u8
}

/// What the threads of a search tell each other, beside the table.
pub struct SmpState {
    /// The helpers are to stop.
    over: AtomicBool,
    /// The nodes of each helper thread, and last those of the main thread, as each has told.
    nodes: Vec<AtomicU64>,
    node_limit: u64,
    /// The deepest iteration that any thread has completed, and the moves of the root as it left them.
    completed_depth: AtomicU8,
    root_moves: Mutex<Vec<RootMove>>,
    /// How many moves the root has before any thread leaves some out.
    root_move_count: usize,
    /// One more than the main thread's tablebase limit; 0 if there is none.
    tablebase_limit: AtomicU8,
}

impl SmpState {
    pub fn new(helpers: usize, node_limit: u64, root_move_count: usize) -> SmpState {
        SmpState {
            over: AtomicBool::new(false),
            nodes: (0..=helpers).map(|_| AtomicU64::new(0)).collect(),
            node_limit,
            completed_depth: AtomicU8::new(0),
            root_moves: Mutex::new(Vec::new()),
            root_move_count,
            tablebase_limit: AtomicU8::new(0),
        }
    }

    /// Whether any thread has completed an iteration of this depth, so that this depth is superseded.
    #[inline]
    pub fn has_completed(&self, depth: u8) -> bool {
        self.completed_depth.load(Ordering::Relaxed) >= depth
    }

    /// Whether a root has the moves that all threads began with. What is known of a root may leave some out, and then
    /// nothing that is said of the rest holds in another thread.
    pub fn has_all_moves(&self, root_moves: &[RootMove]) -> bool {
        root_moves.len() == self.root_move_count
    }

    /// An iteration is complete, for all threads.
    pub fn publish(&self, depth: u8, root_moves: &[RootMove]) {
        let mut shared = self.root_moves();
        if !self.has_completed(depth) {
            shared.clear();
            shared.extend_from_slice(root_moves);
            self.completed_depth.store(depth, Ordering::Relaxed);
        }
    }

    /// Takes over the deepest iteration that any thread has completed, and says how deep it is.
    pub fn take_over(&self, root: &mut Root) -> u8 {
        let shared = self.root_moves();
        root.take_over(&shared);
        self.completed_depth.load(Ordering::Relaxed)
    }

    fn root_moves(&self) -> MutexGuard<'_, Vec<RootMove>> {
        // Nothing that can fail is done with the lock.
        self.root_moves.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The main thread probes the endgame tablebase up to so many seeds from here on; the helpers do as it does.
    pub fn set_tablebase_limit(&self, seeds: u8) {
        self.tablebase_limit.store(seeds + 1, Ordering::Relaxed);
    }

    /// The main thread's tablebase limit.
    pub fn tablebase_limit(&self) -> Option<u8> {
        self.tablebase_limit.load(Ordering::Relaxed).checked_sub(1)
    }

    /// The nodes that all helper threads have visited.
    fn helper_nodes(&self) -> u64 {
        self.nodes[..self.nodes.len() - 1].iter().map(|nodes| nodes.load(Ordering::Relaxed)).sum()
    }

    /// A thread tells its nodes. Says whether all together have visited enough: each asks for itself, so that none
    /// runs on while another sleeps.
    fn reaches_node_limit(&self, thread: usize, nodes: u64) -> bool {
        self.nodes[thread].store(nodes, Ordering::Relaxed);
        self.nodes.iter().map(|nodes| nodes.load(Ordering::Relaxed)).sum::<u64>() >= self.node_limit
    }
}

/// Has the helper threads stop when the main thread is done, also if it panics: whoever waits for them would wait for ever.
pub struct StopHelpers<'a>(pub &'a SmpState);

impl Drop for StopHelpers<'_> {
    fn drop(&mut self) {
        self.0.over.store(true, Ordering::Relaxed);
    }
}

/// What a helper thread reports to: it ends when the main thread does.
pub struct HelperObserver<'a> {
    pub smp: &'a SmpState,
    pub helper: usize,
}

impl Observer for HelperObserver<'_> {
    fn stop(&mut self, nodes: u64) -> bool {
        self.smp.reaches_node_limit(self.helper, nodes) || self.smp.over.load(Ordering::Relaxed)
    }

    fn iteration(&mut self, _report: &Report) -> bool {
        false
    }
}

/// What the main thread reports to: it adds the helpers' nodes to its own.
pub struct MainObserver<'a> {
    pub smp: &'a SmpState,
    pub observer: &'a mut dyn Observer,
}

impl Observer for MainObserver<'_> {
    fn stop(&mut self, nodes: u64) -> bool {
        let main = self.smp.nodes.len() - 1;
        self.smp.reaches_node_limit(main, nodes) || self.observer.stop(nodes + self.smp.helper_nodes())
    }

    fn interrupts(&mut self) -> bool {
        self.observer.interrupts()
    }

    fn iteration(&mut self, report: &Report) -> bool {
        self.observer.iteration(&self.with_all_nodes(report))
    }

    fn current(&mut self, depth: u8, mv: Move, number: usize) {
        self.observer.current(depth, mv, number);
    }

    fn wants_endgames(&mut self, seeds: u8) {
        self.observer.wants_endgames(seeds);
    }
}

impl MainObserver<'_> {
    /// The report with the nodes of all threads.
    pub fn with_all_nodes(&self, report: &Report) -> Report {
        let mut report = report.clone();
        report.nodes += self.smp.helper_nodes();
        report
    }
}
