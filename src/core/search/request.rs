//! What is asked of a search.

use crate::endgame::{Endgames, MAX_SEEDS};
use crate::evaluate::Weights;
use crate::game::{Board, Game, Pit, Position};
use std::sync::Arc;

/// The greatest depth of a search, in plies: an entry of the table has room for it, and for marks above it.
pub const MAX_DEPTH: u8 = 127;

/// What to search, and how far.
#[derive(Clone, Debug)]
pub struct Request {
    /// Where to search from.
    pub position: Position,
    /// The boards since the last capture, the position's last: [`crate::game::Game::line`].
    pub history: Vec<Board>,
    /// Only these moves of the root are searched; all of them if there are none.
    pub search_moves: Vec<Pit>,
    /// Plies to search at the most.
    pub depth: u8,
    /// Nodes to visit at the most.
    pub nodes: u64,
    /// Moves of both sides together after which the stores decide the game, if there is a move limit.
    pub moves_left: Option<u32>,
    /// Stop as soon as a win is proven, however large it may be.
    pub until_won: bool,
    /// Best lines to find.
    pub multipv: usize,
    /// Threads to search with. Only one alone gives the same nodes every time.
    pub threads: usize,
    /// Nodes for the solver, in hundredths of those of iterative deepening.
    pub solver_share: u64,
    /// What to evaluate with.
    pub weights: Arc<Weights>,
    /// The endgame tablebase. Searches that share it share the levels that they build.
    pub endgames: Arc<Endgames>,
    /// Boards with more seeds are not looked up in the endgame tablebase; 0 for none at all.
    pub endgame_seeds: u8,
    /// Which levels of the endgame tablebase may be used from the beginning.
    pub tablebase: TablebasePolicy,
    /// Whether the values of a solved game's first plies, if they are compiled in, are taken for known.
    pub solution: bool,
    /// It goes on with a search that was stopped: what that one has left in the table counts as its own.
    pub goes_on: bool,
}

impl Request {
    /// Nodes for the solver in an ordinary search, in hundredths of those of iterative deepening. Chosen, not measured;
    /// with it `awari1978` is solved from the start in 0.6 to 0.8 s (commit 06352f7).
    pub const SOLVER_SHARE: u64 = 25;

    /// The same in a search without limits: nobody waits for a move, so ten nodes of eleven go to solving (chosen, not
    /// measured).
    pub const SOLVER_SHARE_OF_ANALYSIS: u64 = 1000;

    /// The moves that are left of a game with a move limit, for [`Request::moves_left`]; none are if it is 0, and a game
    /// that goes on past the limit has none either.
    #[must_use]
    pub fn moves_left(game: &Game, move_limit: usize) -> Option<u32> {
        let left = move_limit.checked_sub(game.moves().len()).filter(|&left| left > 0)?;
        Some(u32::try_from(left).unwrap_or(u32::MAX))
    }

    /// A search of where a game stands, without any limit.
    #[must_use]
    pub fn new(game: &Game) -> Request {
        Request {
            position: *game.position(),
            history: game.line().to_vec(),
            search_moves: Vec::new(),
            depth: MAX_DEPTH,
            nodes: u64::MAX,
            moves_left: None,
            until_won: false,
            multipv: 1,
            threads: 1,
            solver_share: Request::SOLVER_SHARE,
            weights: Weights::built_in(game.position().variant()),
            endgames: Arc::clone(Endgames::shared()),
            endgame_seeds: MAX_SEEDS,
            tablebase: TablebasePolicy::Earned,
            solution: false,
            goes_on: false,
        }
    }
}

/// Which levels of the endgame tablebase a search may use before its nodes have paid for building them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TablebasePolicy {
    /// None. The search is the same every time.
    Earned,
    /// Those with up to so many seeds, which have been built. The search is the same every time.
    UpTo(u8),
    /// Whatever has been built when an iteration begins; the search builds nothing, so no time is lost with it.
    Available,
}
