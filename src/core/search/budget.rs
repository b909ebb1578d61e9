//! Selects the endgame databases to build during a search.
//!
//! The decision depends on node counts alone: a search on one thread is deterministic.

use super::request::TablebasePolicy;
use crate::endgames;
use crate::game::{Cycle, Rules, Variant};
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

/// A root's database is built at once if it and all smaller databases have fewer boards: a matter of milliseconds (chosen, not
/// measured).
const FEW_BOARDS: u64 = 20_000;
/// The same limit after [`LOOK_FIRST`] nodes (chosen, not measured).
const MANY_BOARDS: u64 = 400_000;
/// Nodes to search for a first move before the databases between the two limits are built (chosen, not measured).
const LOOK_FIRST: u64 = 1000;
/// Maximum seeds of a root whose database is built at once (chosen, not measured).
const MAX_ROOT_SEEDS: u8 = 9;
/// Maximum seeds of a database built during a search: 52 million boards with all smaller databases; without cycles the limit
/// allows 86 million.
const MAX_SEEDS_IN_MEMORY: u8 = 17;
const MAX_ACYCLIC_SEEDS_IN_MEMORY: u8 = 18;
/// Quarters of a node to be searched for each board of a database without cycles, where each board is computed once (four
/// boards take less time than a node). At a whole node a board, `kalah` from the start took 26.3 instead of 18.0 million nodes
/// and 9.6 instead of 6.9 s (`Hash` 64, in turns), and 7 instead of 4 of 2000 moves of `awari1978` gave seeds away at 100 ms.
const PRICE: u64 = 1;
/// The same for databases with cycles, which take many iterations (chosen, not measured).
const CYCLIC_PRICE: u64 = 64;
/// Boards that a node of the solver pays for in an analysis, where no move waits for the work: of the usual databases, and of
/// larger ones. `kalah` from the start takes 14.3 million nodes with the usual ones from the beginning, 18.1 if they are paid
/// for at 16 boards a node; larger ones are not worth the time there.
const BOARDS_A_NODE_IN_ANALYSIS: u64 = 128;
const LARGER_BOARDS_A_NODE_IN_ANALYSIS: u64 = 16;
/// Parts of a node in which prices are counted.
const PARTS: u64 = 4;

/// The nodes searched, which pay for building databases.
#[derive(Debug, Default)]
pub struct BuildBudget {
    /// Nodes of all finished searches of this game.
    nodes: AtomicU64,
    /// Nodes of all finished searches of all games, by rule set.
    nodes_of_all_games: [AtomicU64; Variant::ALL.len()],
    /// How often building was interrupted; each time multiplies the price by four.
    stopped: AtomicU8,
}

impl BuildBudget {
    /// Starts a new game.
    pub fn clear(&self) {
        self.nodes.store(0, Ordering::Relaxed);
        self.stopped.store(0, Ordering::Relaxed);
    }

    /// Adds the nodes of the games of an older budget.
    pub fn go_on_from(&self, old: &BuildBudget) {
        for (nodes, before) in self.nodes_of_all_games.iter().zip(&old.nodes_of_all_games) {
            nodes.fetch_add(before.load(Ordering::Relaxed), Ordering::Relaxed);
        }
    }

    /// Adds the nodes of a finished search.
    pub fn add_nodes<R: Rules>(&self, nodes: u64) {
        self.nodes.fetch_add(nodes, Ordering::Relaxed);
        self.nodes_of_all_games[R::VARIANT.index()].fetch_add(nodes, Ordering::Relaxed);
    }

    /// Records that building was interrupted before it was done, which raises the price.
    pub fn building_was_stopped(&self) {
        self.stopped.fetch_add(1, Ordering::Relaxed);
    }

    /// The seeds of the largest database that the nodes searched have paid for, `nodes` of the current search included, or that
    /// is small enough for a root with `root_seeds` seeds to build it at once. A search that need not be reproducible also
    /// counts the nodes of earlier games.
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
        // The larger databases could use up a quick move's whole time: they wait for a first result and are tried once.
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
                boards += endgames::database_size(seeds);
                boards * price <= paid
                    || at_once(boards) && seeds <= root_seeds && root_seeds <= MAX_ROOT_SEEDS
            })
            .last()
    }

    /// The same for the solver in an analysis, where databases may take as much memory as the table, of `bytes` bytes, if that is
    /// more than usual.
    pub fn affordable_in_analysis<R: Rules>(&self, nodes: u64, bytes: usize) -> Option<u8> {
        let nodes = self.nodes_of_all_games[R::VARIANT.index()].load(Ordering::Relaxed).saturating_add(nodes);
        let (mut boards, mut size) = (0, 0);
        (0..=R::SEEDS.min(endgames::MAX_SEEDS))
            .take_while(|&seeds| {
                boards += endgames::database_size(seeds);
                size += endgames::database_bytes::<R>(seeds);
                let usual = seeds <= MAX_ACYCLIC_SEEDS_IN_MEMORY;
                let a_node = if usual { BOARDS_A_NODE_IN_ANALYSIS } else { LARGER_BOARDS_A_NODE_IN_ANALYSIS };
                boards <= nodes.saturating_mul(a_node) && (usual || size <= bytes)
            })
            .last()
    }
}
