//! The input of a search.

use crate::endgames::{Endgames, MAX_SEEDS};
use crate::evaluate::Weights;
use crate::game::{Game, Pit, Position};
use std::sync::Arc;

/// The greatest depth of a search, in plies; a table entry has room for it and for the depths above it that mark proofs.
pub const MAX_DEPTH: u8 = 127;

/// A position to search, its limits and its resources.
#[derive(Clone, Debug)]
pub struct Request {
    /// The game; its current position is searched.
    pub game: Arc<Game>,
    /// The moves of the root to search, in this order at first; all if empty.
    pub search_moves: Vec<Pit>,
    /// Maximum plies to search.
    pub depth: u8,
    /// Maximum nodes to visit.
    pub nodes: u64,
    /// Moves of the game after which the stores decide it; 0 means no limit.
    pub move_limit: usize,
    /// What the search is for.
    pub purpose: Purpose,
    /// How many best lines to find.
    pub multipv: usize,
    /// Threads to search with. Only one thread gives reproducible nodes.
    pub threads: usize,
    /// Whether to use the solver.
    pub solver: bool,
    pub weights: Arc<Weights>,
    /// The endgame tablebase. Searches that share it also share the databases that they build.
    pub endgames: Arc<Endgames>,
    /// Maximum seeds of boards to probe in the tablebase; 0 for no probes.
    pub endgame_seeds: u8,
    /// The endgame databases to use from the beginning.
    pub tablebase: TablebasePolicy,
    /// Whether to use the compiled-in solution of a solved game's first plies.
    pub solution: bool,
    /// Resumes a stopped search: the table generation is not advanced.
    pub goes_on: bool,
}

impl Request {
    /// The position to search.
    pub fn position(&self) -> &Position {
        self.game.position()
    }

    /// Whether the solver gets most of the nodes: no move is pending.
    pub fn is_analysis(&self) -> bool {
        matches!(self.purpose, Purpose::Analysis | Purpose::Value | Purpose::FirstWin)
    }

    /// A search of a game's current position, without limits.
    pub fn new(game: &Game) -> Request {
        Request {
            game: Arc::new(game.clone()),
            search_moves: Vec::new(),
            depth: MAX_DEPTH,
            nodes: u64::MAX,
            move_limit: 0,
            purpose: Purpose::Move,
            multipv: 1,
            threads: 1,
            solver: true,
            weights: Weights::built_in(game.position().variant()),
            endgames: Arc::clone(Endgames::shared_with(game.position().variant().options())),
            endgame_seeds: MAX_SEEDS,
            tablebase: TablebasePolicy::Earned,
            solution: false,
            goes_on: false,
        }
    }
}

/// The purpose of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// A move is awaited.
    Move,
    /// No move is awaited: the search should find the exact result.
    Analysis,
    /// Only the value is wanted, not the soonest way to a result that a database knows.
    Value,
    /// The shortest win, however large: the search stops at the first that is proven.
    FirstWin,
}

/// The endgame databases that a search may use before its nodes have paid for building them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TablebasePolicy {
    /// None. The search is reproducible.
    Earned,
    /// Those with up to this many seeds, already built. The search is reproducible.
    UpTo(u8),
    /// All that exist when an iteration begins; the search builds none and loses no time.
    Available,
}
