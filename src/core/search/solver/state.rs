//! The solver at work: its counters, its stopping, and the endgames that it builds meanwhile.

use crate::game::Rules;
use crate::search::request::TablebasePolicy;
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
    rules: PhantomData<R>,
}

impl<'t, 'a, R: Rules> Solver<'t, 'a, R> {
    /// A solver that continues a thread's counters, up to `node_limit` nodes.
    pub fn new(thread: &'t mut SearchThread<'a, R>, node_limit: u64) -> Solver<'t, 'a, R> {
        let mut stop = StopControl::new(&mut *thread.stop.observer, node_limit);
        stop.interruptible = true;
        let (shared, counters, tablebase) = (thread.shared, thread.counters, thread.tablebase);
        Solver { shared, counters, tablebase, stop, rules: PhantomData }
    }

    /// Whether to leave the tree at once. Now and then it builds larger endgames instead, which invalidates no proof.
    #[inline]
    pub fn must_stop(&mut self) -> bool {
        let nodes = self.counters.nodes;
        if nodes >= self.stop.next_poll && !self.stop.stopped {
            self.stop.must_stop(nodes, None);
            if nodes >= self.tablebase.next_growth {
                self.build_larger_endgames();
            }
        }
        self.stop.stopped
    }

    /// Uses the databases that have been built elsewhere, and requests those that have been paid for.
    fn use_what_is_there(&mut self, wanted: Option<u8>) {
        let there = self.shared.endgames.built::<R>();
        if let Some(seeds) = wanted.filter(|_| wanted > there) {
            self.stop.observer.wants_endgames(seeds);
        }
        let max_seeds = self.shared.request.endgame_seeds;
        let usable = there.map(|seeds| seeds.min(max_seeds)).filter(|_| max_seeds > 0);
        self.tablebase.limit = self.tablebase.limit.max(usable);
    }

    /// Builds the databases that have been paid for.
    #[cold]
    fn build_larger_endgames(&mut self) {
        let nodes = self.counters.nodes;
        self.tablebase.next_growth = nodes + nodes / GROWTH_INTERVAL;
        let paid = nodes.saturating_mul(ENDGAMES_COUNT);
        let max_seeds = self.shared.request.endgame_seeds;
        let policy = self.shared.request.tablebase;
        let wanted = self.shared.table.budget.affordable_seeds::<R>(paid, 0, policy);
        let wanted = wanted.map(|seeds| seeds.min(max_seeds)).filter(|_| max_seeds > 0);
        if policy == TablebasePolicy::Available {
            self.use_what_is_there(wanted);
            return;
        }
        let observer = &mut self.stop.observer;
        if let Some(seeds) = wanted.filter(|_| wanted > self.tablebase.limit && !self.stop.stopped)
            && self.shared.endgames.build::<R>(seeds, &mut || observer.stop(nodes))
        {
            self.tablebase.limit = Some(seeds);
        }
    }
}
