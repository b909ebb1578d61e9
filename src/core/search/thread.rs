//! The state of a search, by lifetime.
//!
//! | lifetime | owner | struct |
//! |---|---|---|
//! | many searches | all threads | [`SearchMemory`]: the hash table, the last conversion table, the build budget |
//! | one search | all threads | [`Shared`]: the request, the table, the endgame tablebase, [`SmpState`] |
//! | one search | one thread | [`SearchThread`]: move-ordering tables, principal variation, path, [`Counters`] |
//! | one iteration | one thread | [`StopControl`], [`TablebaseScope`] |
//! | one node | its call of `node` | `Frame`, `Window`, `MoveLoop` (`frame.rs`) |

use super::claims::MoveLimit;
use super::frame::PrincipalVariation;
use super::memory::SearchMemory;
use super::ordering::OrderingTables;
use super::report::Observer;
use super::request::{MAX_DEPTH, Request};
use super::result::{BEFORE_ROOT, PathPly};
use super::smp::SmpState;
use crate::endgames::{Endgames, ThreadPool, WatchedPool};
use crate::evaluate::Weights;
use crate::game::{Board, Cycle, Rules, Zobrist, came_back};
use crate::value::Value;
use std::marker::PhantomData;

/// Nodes between two calls of the observer: a fraction of a millisecond (chosen, not measured).
const POLL_INTERVAL: u64 = 256;

/// Nodes that the probe of an endgame file counts for between calls: four probes of a disk with 10 ms of latency (chosen, not
/// measured).
const NODES_PER_READ: u64 = POLL_INTERVAL / 4;

/// The state shared by all threads of a search; immutable except for locks and atomics.
#[derive(Clone, Copy)]
pub struct Shared<'a> {
    pub request: &'a Request,
    pub table: &'a SearchMemory,
    pub endgames: &'a Endgames,
    pub weights: &'a Weights,
    pub zobrist: &'static Zobrist,
    /// The state shared between threads, if there are several.
    pub smp: Option<&'a SmpState>,
}

impl<'a> Shared<'a> {
    pub fn new(request: &'a Request, table: &'a SearchMemory, smp: Option<&'a SmpState>) -> Shared<'a> {
        let (weights, zobrist) = (&*request.weights, Zobrist::get());
        // Databases of other optional rules are of no use.
        let options = request.position().variant().options();
        let own = request.endgames.options() == options;
        let endgames = if own { &request.endgames } else { Endgames::shared_with(options) };
        Shared { request, table, endgames, weights, zobrist, smp }
    }

    /// Builds the databases with up to `seeds` seeds that are missing, on as many threads as search. Returns whether they are
    /// all there now; if not, it was stopped.
    pub fn build_endgames<R: Rules>(&self, seeds: u8, stop: &mut dyn FnMut() -> bool) -> bool {
        let Shared { request, endgames, smp, .. } = self;
        match smp {
            None => endgames.build::<R>(seeds, stop),
            Some(smp) => smp.build_endgames(|| {
                let (threads, watch) = (&ThreadPool::new(request.threads), &mut |_| stop());
                endgames.build_with::<R>(seeds, &mut WatchedPool { threads, watch })
            }),
        }
    }
}

/// One thread's search under the rules `R`.
pub struct SearchThread<'a, R> {
    pub shared: Shared<'a>,
    pub ordering: OrderingTables,
    pub variation: PrincipalVariation,
    pub path: Path,
    pub counters: Counters,
    pub stop: StopControl<'a>,
    pub tablebase: TablebaseScope,
    pub move_limit: MoveLimit,
    /// The depth in plies of the iteration.
    pub root_depth: u8,
    rules: PhantomData<R>,
}

impl<'a, R: Rules> SearchThread<'a, R> {
    pub fn new(shared: Shared<'a>, observer: &'a mut dyn Observer) -> SearchThread<'a, R> {
        SearchThread {
            shared,
            ordering: OrderingTables::new(),
            variation: PrincipalVariation::default(),
            path: Path::new::<R>(shared.request.game.line()),
            counters: Counters::default(),
            stop: StopControl::new(observer, shared.request.nodes.max(1)),
            tablebase: TablebaseScope::default(),
            move_limit: MoveLimit::new(shared.request),
            root_depth: 0,
            rules: PhantomData,
        }
    }

    /// Whether to leave the tree at once.
    #[inline]
    pub fn must_stop(&mut self) -> bool {
        self.stop.must_stop(self.counters.nodes, self.shared.smp)
    }
}

/// A thread's counters.
#[derive(Clone, Copy, Default)]
pub struct Counters {
    pub nodes: u64,
    pub tablebase_hits: u64,
    /// Plies of the longest line.
    pub seldepth: usize,
}

/// When to stop, and whether that has happened.
pub struct StopControl<'a> {
    pub observer: &'a mut dyn Observer,
    pub node_limit: u64,
    /// Nodes at the next call of the observer.
    pub next_poll: u64,
    /// The search is leaving the tree; its results are discarded.
    pub stopped: bool,
    /// Whether the observer may stop the search. During the first iteration only the node limit may: it takes a few nodes, and
    /// then there is a move to play.
    pub interruptible: bool,
    /// The depth of the iteration that another thread may complete first.
    pub target_depth: u8,
    /// Another thread has completed it: the iteration is aborted, not the search.
    pub superseded: bool,
}

impl<'a> StopControl<'a> {
    /// A depth that no thread completes: the target depth of work that cannot be superseded.
    pub const NEVER_SUPERSEDED: u8 = MAX_DEPTH + 1;

    pub fn new(observer: &'a mut dyn Observer, node_limit: u64) -> StopControl<'a> {
        StopControl {
            observer,
            node_limit,
            next_poll: 0,
            stopped: false,
            interruptible: false,
            target_depth: StopControl::NEVER_SUPERSEDED,
            superseded: false,
        }
    }

    /// Whether to stop at a node count.
    #[inline]
    pub fn must_stop(&mut self, nodes: u64, smp: Option<&SmpState>) -> bool {
        if nodes >= self.next_poll && !self.stopped {
            self.poll(nodes, smp);
        }
        self.stopped
    }

    /// After a probe that may have read from a disk, calls the observer sooner.
    #[inline]
    pub fn poll_sooner(&mut self, has_read_file: bool) {
        if has_read_file {
            self.next_poll = self.next_poll.saturating_sub(NODES_PER_READ);
        }
    }

    fn poll(&mut self, nodes: u64, smp: Option<&SmpState>) {
        self.stopped = nodes >= self.node_limit || self.interruptible && self.observer.stop(nodes);
        if !self.stopped && self.interruptible {
            self.superseded = smp.is_some_and(|smp| smp.supersedes(self.target_depth));
            self.stopped = self.superseded;
        }
        self.next_poll = self.node_limit.min(nodes + POLL_INTERVAL);
    }
}

/// How the search uses the endgame tablebase.
#[derive(Clone, Copy, Default)]
pub struct TablebaseScope {
    /// Boards with at most this many seeds are probed; `None` for no probes.
    pub limit: Option<u8>,
    /// Boards with at most this many seeds have deadlines; `None` if the search uses none.
    pub deadlines: Option<u8>,
    /// The seeds and the value of a root with a known result that must be kept and converted.
    pub known_root: Option<(u8, Value)>,
    /// Nodes at which the solver next checks whether it has paid for larger endgames.
    pub next_growth: u64,
}

/// The boards that led to a node: those of the game that can still repeat, then those of the tree.
pub struct Path {
    boards: Vec<Board>,
    root: usize,
}

impl Path {
    fn new<R: Rules>(history: &[Board]) -> Path {
        // Boards before the root matter only if a repetition can end the game.
        let before = match R::CYCLE {
            Cycle::EndsGame => &history[..history.len().saturating_sub(1)],
            Cycle::Impossible | Cycle::ScoreStands => &[],
        };
        let mut boards = Vec::with_capacity(before.len() + 2 * usize::from(MAX_DEPTH));
        boards.extend_from_slice(before);
        Path { root: boards.len(), boards }
    }

    #[inline]
    pub fn push(&mut self, board: Board) {
        self.boards.push(board);
    }

    #[inline]
    pub fn pop(&mut self) {
        self.boards.pop();
    }

    /// The boards before the root, since the last capture.
    pub fn before_root(&self, quiet_plies: usize) -> &[Board] {
        &self.boards[self.root - quiet_plies..self.root]
    }

    /// Whether the board after a move of the root is one before the root, with the same side to move.
    pub fn comes_back(&self, quiet_plies: usize, after: Board) -> bool {
        self.before_root(quiet_plies).iter().rev().step_by(2).any(|&before| before == after)
    }

    /// The ply at which a board was on the path, with the same side to move and no capture since.
    #[inline]
    pub fn repetition(&self, quiet_plies: usize, board: Board) -> Option<PathPly> {
        let began = came_back(&self.boards, quiet_plies, board)?;
        Some(if began < self.root { BEFORE_ROOT } else { (began - self.root) as PathPly })
    }
}
