//! Which levels of the endgame tablebase are worth building in the middle of searching.
//!
//! It depends on counts of nodes alone, so one thread stays deterministic.

use super::request::TablebasePolicy;
use crate::endgame;
use crate::game::{Cycle, Rules, Variant};
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
/// Seeds of the largest level that is built in the middle of searching: 52 million boards with those below, and 86 million
/// where nothing can come back.
const MAX_SEEDS_IN_MEMORY: u8 = 17;
const MAX_ACYCLIC_SEEDS_IN_MEMORY: u8 = 18;
/// Quarters of a node that a board must have been paid with where nothing can come back, so that each is worked out once … Four
/// boards take less time than a node. With a whole node, as it was, `kalah` took 26.3 million nodes and 9.6 s from the start
/// in place of 18.0 million and 6.9 s (`Hash` 64, in turns), and 7 in place of 4 of 2000 moves of `awari1978` gave seeds away at 100 ms.
const PRICE: u64 = 1;
/// … and where it can, so that a level is looked at many times (chosen, not measured).
const CYCLIC_PRICE: u64 = 64;
/// Parts of a node in a price.
const PARTS: u64 = 4;

/// What has been searched, and what building has cost.
#[derive(Debug, Default)]
pub struct BuildBudget {
    /// Nodes of all searches of this game that are over.
    nodes: AtomicU64,
    /// The same of all games, by rule set.
    nodes_of_all_games: [AtomicU64; Variant::ALL.len()],
    /// How often building was stopped: each time makes it four times as dear.
    stopped: AtomicU8,
}

impl BuildBudget {
    /// Begins anew, with another game.
    pub fn clear(&self) {
        self.nodes.store(0, Ordering::Relaxed);
        self.stopped.store(0, Ordering::Relaxed);
    }

    /// The games of another one came before.
    pub fn go_on_from(&self, old: &BuildBudget) {
        for (nodes, before) in self.nodes_of_all_games.iter().zip(&old.nodes_of_all_games) {
            nodes.fetch_add(before.load(Ordering::Relaxed), Ordering::Relaxed);
        }
    }

    /// A search of so many nodes is over.
    pub fn add_nodes<R: Rules>(&self, nodes: u64) {
        self.nodes.fetch_add(nodes, Ordering::Relaxed);
        self.nodes_of_all_games[R::VARIANT.index()].fetch_add(nodes, Ordering::Relaxed);
    }

    /// Building was stopped: it was not worth its cost yet.
    pub fn building_was_stopped(&self) {
        self.stopped.fetch_add(1, Ordering::Relaxed);
    }

    /// The seeds of the largest level that costs little beside what has been searched, `nodes` of the current search
    /// included, or that a root of so many seeds calls for. A search that need not be repeatable counts those of the games before.
    pub fn affordable_seeds<R: Rules>(
        &self,
        nodes: u64,
        root_seeds: u8,
        policy: TablebasePolicy,
    ) -> Option<u8> {
        let stopped = self.stopped.load(Ordering::Relaxed);
        let (price, most) = match R::CYCLE {
            Cycle::Impossible => (PRICE, MAX_ACYCLIC_SEEDS_IN_MEMORY),
            _ => (CYCLIC_PRICE, MAX_SEEDS_IN_MEMORY),
        };
        let price = price << stopped.saturating_mul(2).min(20);
        // The larger ones may take the whole time of a quick move, so that has been searched first; and they do so once.
        let at_once =
            |boards| boards < FEW_BOARDS || boards < MANY_BOARDS && nodes >= LOOK_FIRST && stopped == 0;
        let before = match policy {
            TablebasePolicy::Available => &self.nodes_of_all_games[R::VARIANT.index()],
            _ => &self.nodes,
        };
        let paid = (before.load(Ordering::Relaxed) + nodes).saturating_mul(PARTS);
        let mut boards = 0;
        (0..=most)
            .take_while(|&seeds| {
                boards += endgame::level_size(seeds);
                boards * price <= paid
                    || at_once(boards) && seeds <= root_seeds && root_seeds <= MAX_ROOT_SEEDS
            })
            .last()
    }
}
