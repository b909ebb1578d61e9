//! The solver at work: its counters, its stopping, and the endgames that it builds meanwhile.

use super::bounds::TableSlot;
use crate::game::Rules;
use crate::search::joint_proof::JointProof;
use crate::search::request::TablebasePolicy;
use crate::search::smp::SmpState;
use crate::search::thread::{Counters, SearchThread, Shared, StopControl, TablebaseScope};
use std::marker::PhantomData;

/// How much more the solver's nodes pay for endgames than others (`budget.rs`), because it probes at nearly every node (chosen,
/// not measured; with it `awari1978` is solved from the start in 0.6 to 0.8 s, commit 06352f7).
const ENDGAMES_COUNT: u64 = 4;
/// The solver checks whether it has paid for larger endgames each time its nodes have grown by one in this many (chosen, not
/// measured).
const GROWTH_INTERVAL: u64 = 8;

/// The solver at work, while the search of the main thread waits.
pub(super) struct Solver<'t, 'a, R> {
    pub shared: Shared<'a>,
    pub counters: Counters,
    pub tablebase: TablebaseScope,
    pub stop: StopControl<'t>,
    /// Whether the helper threads take part in proofs.
    pub shares: bool,
    /// The part in a proof that several threads share.
    pub sharing: Option<Sharing<'a>>,
    rules: PhantomData<R>,
}

impl<'t, 'a, R: Rules> Solver<'t, 'a, R> {
    /// A solver that continues a thread's counters, up to `node_limit` nodes.
    pub fn new(thread: &'t mut SearchThread<'a, R>, node_limit: u64) -> Solver<'t, 'a, R> {
        let mut stop = StopControl::new(&mut *thread.stop.observer, node_limit);
        stop.interruptible = true;
        let (shared, counters, tablebase) = (thread.shared, thread.counters, thread.tablebase);
        Solver { shared, counters, tablebase, stop, shares: false, sharing: None, rules: PhantomData }
    }

    /// Whether to leave the tree at once. Now and then it builds larger endgames instead, which invalidates no proof.
    #[inline]
    pub fn must_stop(&mut self) -> bool {
        let nodes = self.counters.nodes;
        if nodes >= self.stop.next_poll && !self.stop.stopped {
            self.stop.must_stop(nodes, None);
            let helps = self.sharing.as_ref().is_some_and(|sharing| sharing.helps);
            if nodes >= self.tablebase.next_growth && !helps {
                self.build_larger_endgames();
            }
            if self.sharing.is_some() {
                self.look_at_others();
            }
        }
        self.stop.stopped
    }

    /// Uses the databases that have been built elsewhere, and requests those that have been paid for.
    fn use_what_is_there(&mut self, wanted: Option<u8>) {
        if let Some(seeds) = wanted.filter(|_| wanted > self.shared.endgames.built::<R>()) {
            // In the background they would have to wait for the threads of the search.
            if self.sharing.is_some() {
                self.build(seeds);
            } else {
                self.stop.observer.wants_endgames(seeds);
            }
        }
        let there = self.shared.endgames.built::<R>();
        let max_seeds = self.shared.request.endgame_seeds;
        let usable = there.map(|seeds| seeds.min(max_seeds)).filter(|_| max_seeds > 0);
        self.set_limit(self.tablebase.limit.max(usable));
    }

    /// Builds the databases that have been paid for.
    #[cold]
    fn build_larger_endgames(&mut self) {
        let Shared { request, table, smp, .. } = self.shared;
        let nodes = self.counters.nodes;
        self.tablebase.next_growth = nodes + nodes / GROWTH_INTERVAL;
        let nodes = nodes + smp.map_or(0, SmpState::helper_nodes);
        let max_seeds = request.endgame_seeds;
        let policy = request.tablebase;
        let wanted = if policy == TablebasePolicy::Available && request.is_analysis() {
            table.budget.affordable_in_analysis::<R>(nodes, table.transpositions.bytes())
        } else {
            table.budget.affordable_seeds::<R>(nodes.saturating_mul(ENDGAMES_COUNT), 0, policy)
        };
        let wanted = wanted.map(|seeds| seeds.min(max_seeds)).filter(|_| max_seeds > 0);
        if policy == TablebasePolicy::Available {
            self.use_what_is_there(wanted);
            return;
        }
        if let Some(seeds) = wanted.filter(|_| wanted > self.tablebase.limit && !self.stop.stopped)
            && self.build(seeds)
        {
            self.set_limit(Some(seeds));
        }
    }

    fn build(&mut self, seeds: u8) -> bool {
        let (observer, nodes) = (&mut self.stop.observer, self.counters.nodes);
        self.shared.build_endgames::<R>(seeds, &mut || observer.stop(nodes))
    }

    /// Sets the tablebase limit, also for the helper threads.
    fn set_limit(&mut self, limit: Option<u8>) {
        self.tablebase.limit = limit;
        if let (Some(smp), Some(seeds)) = (self.shared.smp, limit) {
            smp.set_tablebase_limit(seeds);
        }
    }
}

/// A thread's part in a proof.
pub(super) struct Sharing<'a> {
    pub smp: &'a SmpState,
    /// The number of the claim.
    pub number: u64,
    /// The boards on the path that are shared, with their targets.
    pub path: Vec<(TableSlot<'a>, i8)>,
    /// A board of the path that another thread has proven, and the bound.
    pub proven: Option<(usize, i8)>,
    /// Whether this is a helper thread.
    pub helps: bool,
    /// Another thread has answered the claim.
    pub left: bool,
}

impl<'a> Sharing<'a> {
    pub fn new(smp: &'a SmpState, number: u64, helps: bool) -> Sharing<'a> {
        Sharing { smp, number, path: Vec::new(), proven: None, helps, left: false }
    }

    pub fn proof(&self) -> &'a JointProof {
        &self.smp.proof
    }

    /// The first board of the path that has been proven, and the bound.
    pub fn find_proven(&self) -> Option<(usize, i8)> {
        self.path.iter().enumerate().find_map(|(index, (slot, target))| {
            slot.load().and_then(|bounds| bounds.decides(*target)).map(|bound| (index, bound))
        })
    }
}
