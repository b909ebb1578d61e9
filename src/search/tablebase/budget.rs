//! Which levels of the endgame tablebase are worth building in the middle of searching.
//!
//! It depends on counts of nodes alone, so one thread stays deterministic.

use crate::endgame;
use crate::game::{Cycle, Rules};
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

/// Boards of a level and those below that are built at once if the root is in it: a matter of milliseconds (chosen, not
/// measured).
const FEW_BOARDS: u64 = 20_000;
/// The same after [`LOOK_FIRST`] nodes (chosen, not measured).
const MANY_BOARDS: u64 = 400_000;
/// Nodes of a search that has an answer before it builds the larger of these levels (chosen, not measured).
const LOOK_FIRST: u64 = 1000;
/// Seeds of the largest root whose level is built at once (chosen, not measured).
const MAX_ROOT_SEEDS: u8 = 9;
/// Seeds of the largest level that is built in the middle of searching: 52 million boards with those below.
const MAX_SEEDS_IN_MEMORY: u8 = 17;
/// Nodes that a board must have been paid with where nothing can come back, so that each is worked out once …
const NODES_PER_BOARD: u64 = 1;
/// … and where it can, so that a level is looked at many times (both chosen, not measured).
const NODES_PER_CYCLIC_BOARD: u64 = 16;

/// What has been searched, and what building has cost.
#[derive(Debug, Default)]
pub struct BuildBudget {
    /// Nodes of all searches that are over.
    nodes: AtomicU64,
    /// How often building was stopped: each time makes it four times as dear.
    stopped: AtomicU8,
}

impl BuildBudget {
    /// Begins anew.
    pub fn clear(&self) {
        self.nodes.store(0, Ordering::Relaxed);
        self.stopped.store(0, Ordering::Relaxed);
    }

    /// A search of so many nodes is over.
    pub fn add_nodes(&self, nodes: u64) {
        self.nodes.fetch_add(nodes, Ordering::Relaxed);
    }

    /// Building was stopped: it was not worth its cost yet.
    pub fn building_was_stopped(&self) {
        self.stopped.fetch_add(1, Ordering::Relaxed);
    }

    /// The seeds of the largest level that costs little beside what has been searched, `nodes` of the current search
    /// included, or that a root of so many seeds calls for.
    pub fn affordable_seeds<R: Rules>(&self, nodes: u64, root_seeds: u8) -> Option<u8> {
        let stopped = self.stopped.load(Ordering::Relaxed);
        let price = if R::CYCLE == Cycle::Impossible { NODES_PER_BOARD } else { NODES_PER_CYCLIC_BOARD };
        let price = price << stopped.saturating_mul(2).min(20);
        // The larger ones may take the whole time of a quick move, so that has been searched first; and they do so once.
        let at_once =
            |boards| boards < FEW_BOARDS || boards < MANY_BOARDS && nodes >= LOOK_FIRST && stopped == 0;
        let paid = self.nodes.load(Ordering::Relaxed) + nodes;
        let mut boards = 0;
        (0..=MAX_SEEDS_IN_MEMORY)
            .take_while(|&seeds| {
                boards += endgame::level_size(seeds);
                boards * price <= paid
                    || at_once(boards) && seeds <= root_seeds && root_seeds <= MAX_ROOT_SEEDS
            })
            .last()
    }
}
