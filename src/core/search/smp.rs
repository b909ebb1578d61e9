//! Lazy SMP over the shared table (D. Homan, about 2013): every thread deepens by itself and finds the results of the others in
//! the table.
//!
//! The first thread to finish an iteration supersedes the others. They abort it, take over the order, scores and lines of the
//! root moves, and continue from there ([`SmpState::publish`]). Helper threads search a few plies deeper than the main thread,
//! which avoids the same work in two threads ([`extra_depth`]).
//!
//! `docs/experiments.md` has the gain of threads, and other designs that were tried.

use super::joint_proof::JointProof;
use super::report::{Observer, Report};
use super::request::MAX_DEPTH;
use super::root::{Root, RootMove};
use crate::game::Move;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

/// How long a helper sleeps before it looks again whether endgames are built.
const WHILE_BUILDING: Duration = Duration::from_millis(1);

/// How many plies deeper than the main thread a helper searches, of `helpers`: the first by two with two threads, and by one more
/// for each doubling of them; each next helper by one less, down to none, and so on from the first.
pub fn extra_depth(helper: usize, helpers: usize) -> u8 {
    let most = 1 + (helpers + 1).ilog2() as usize;
    (most - helper % (most + 1)) as u8
}

/// The state shared by a search's threads, apart from the table.
pub struct SmpState {
    /// Whether the helpers are to stop.
    over: AtomicBool,
    /// The nodes of each helper thread and, last, of the main thread, as last published.
    nodes: Vec<AtomicU64>,
    node_limit: u64,
    /// The deepest iteration completed by any thread, and the root moves after it.
    completed_depth: AtomicU8,
    root_moves: Mutex<Vec<RootMove>>,
    /// Moves of the root before any thread excludes some.
    root_move_count: usize,
    /// One more than the main thread's tablebase limit; 0 without a limit.
    tablebase_limit: AtomicU8,
    /// Whether the main thread is building endgames.
    building: AtomicBool,
    /// The solver's claim. For it the helpers leave their iterations.
    pub proof: JointProof,
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
            building: AtomicBool::new(false),
            proof: JointProof::default(),
        }
    }

    /// Whether any thread has completed an iteration of this depth, which supersedes the others of that depth.
    #[inline]
    pub fn has_completed(&self, depth: u8) -> bool {
        self.completed_depth.load(Ordering::Relaxed) >= depth
    }

    /// Whether a thread should leave an iteration of this depth, which another may complete first, or a proof precedes.
    pub fn supersedes(&self, depth: u8) -> bool {
        self.has_completed(depth) || depth <= MAX_DEPTH && self.proof.is_open()
    }

    /// Whether all moves of the root are searched. A tablebase result may exclude some, and then scores do not apply in another
    /// thread.
    pub fn has_all_moves(&self, root_moves: &[RootMove]) -> bool {
        root_moves.len() == self.root_move_count
    }

    /// Publishes a completed iteration to all threads.
    pub fn publish(&self, depth: u8, root_moves: &[RootMove]) {
        let mut shared = self.root_moves();
        if !self.has_completed(depth) {
            shared.clear();
            shared.extend_from_slice(root_moves);
            self.completed_depth.store(depth, Ordering::Relaxed);
        }
    }

    /// Takes over the deepest completed iteration and returns its depth.
    pub fn take_over(&self, root: &mut Root) -> u8 {
        let shared = self.root_moves();
        root.take_over(&shared);
        self.completed_depth.load(Ordering::Relaxed)
    }

    fn root_moves(&self) -> MutexGuard<'_, Vec<RootMove>> {
        // No code that can panic runs while the lock is held, so a poisoned lock is usable.
        self.root_moves.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sets the main thread's tablebase limit, which the helpers follow.
    pub fn set_tablebase_limit(&self, seeds: u8) {
        self.tablebase_limit.store(seeds + 1, Ordering::Relaxed);
    }

    pub fn tablebase_limit(&self) -> Option<u8> {
        self.tablebase_limit.load(Ordering::Relaxed).checked_sub(1)
    }

    /// Has the main thread build endgames while the helpers wait. Without the endgames they would search nodes that must be
    /// searched again, on the processors that the build needs.
    pub fn build_endgames<T>(&self, build: impl FnOnce() -> T) -> T {
        self.building.store(true, Ordering::Relaxed);
        let built = build();
        self.building.store(false, Ordering::Relaxed);
        built
    }

    /// Waits while the main thread builds endgames.
    pub fn wait_for_endgames(&self) {
        while self.building.load(Ordering::Relaxed) && !self.over.load(Ordering::Relaxed) {
            thread::sleep(WHILE_BUILDING);
        }
    }

    pub fn helper_nodes(&self) -> u64 {
        self.nodes[..self.nodes.len() - 1].iter().map(|nodes| nodes.load(Ordering::Relaxed)).sum()
    }

    /// Publishes a thread's nodes; returns whether all threads together have reached the limit. Every thread checks it: none
    /// continues while another is descheduled.
    fn reaches_node_limit(&self, thread: usize, nodes: u64) -> bool {
        self.nodes[thread].store(nodes, Ordering::Relaxed);
        self.nodes.iter().map(|nodes| nodes.load(Ordering::Relaxed)).sum::<u64>() >= self.node_limit
    }
}

/// Stops the helper threads when the main thread ends, even by a panic; joining them would otherwise block for ever.
pub struct StopHelpers<'a>(pub &'a SmpState);

impl Drop for StopHelpers<'_> {
    fn drop(&mut self) {
        self.0.over.store(true, Ordering::Relaxed);
    }
}

/// The observer of a helper thread, which stops with the main thread.
pub struct HelperObserver<'a> {
    pub smp: &'a SmpState,
    pub helper: usize,
}

impl Observer for HelperObserver<'_> {
    fn stop(&mut self, nodes: u64) -> bool {
        self.smp.wait_for_endgames();
        self.smp.reaches_node_limit(self.helper, nodes) || self.smp.over.load(Ordering::Relaxed)
    }

    fn iteration(&mut self, _report: &Report) -> bool {
        false
    }
}

/// The observer of the main thread, which adds the helpers' nodes to its own.
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
    pub fn with_all_nodes(&self, report: &Report) -> Report {
        let mut report = report.clone();
        report.nodes += self.smp.helper_nodes();
        report
    }
}
