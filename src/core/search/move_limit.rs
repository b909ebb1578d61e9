//! The end of a game that is decided by its length: at the move limit the stores decide, and seeds in the pits count for
//! nobody.
//!
//! Where the limit is far the search knows nothing of it. From [`NEAR`] plies before it on, a node at the limit is the end of
//! the game, and proven. Then the value of a board depends on the moves that are left, so these are part of its key in the
//! table ([`MoveLimit::key`]), and what knows games without a limit is not asked: the endgame tablebase and the solver.
//!
//! Farther away the search goes on as if there were no limit, and counts the plies within which each proof comes about
//! (`settles`). A result that the limit may cut short is not called proven: a win in 60 plies is none with 50 left.
//!
//! Against the same engine without it: `awari` +19 ± 14 Elo (20,000 nodes a move; 254 games, 96 of which ended at the limit).

use super::request::Request;
use super::result::Plies;
use crate::game::{Board, Rules};
use crate::value::{Value, by_margin};

/// Plies before the limit from which on the search sees it: more than it looks ahead in a second, and few enough that a
/// won endgame is converted by the tablebase before (chosen, not measured).
const NEAR: u32 = 40;
/// No ply of a tree is so far from the root.
const NEVER: usize = usize::MAX;

/// Plies within which every board with so many seeds settles, so that a limit after them changes no result:
/// [`Rules::PLIES_A_SEED`].
#[inline]
pub fn settling_plies<R: Rules>(seeds: u8) -> Plies {
    2 + R::PLIES_A_SEED * Plies::from(seeds)
}

/// Plies that a request leaves for a proof to come about, where the search does not see the limit; `None` for any number.
pub fn plies_to_settle(request: &Request) -> Option<u32> {
    request.moves_left.filter(|&left| left > NEAR)
}

/// Where in the tree the stores decide.
#[derive(Clone, Copy)]
pub struct MoveLimit {
    /// The ply from the root; [`NEVER`] if the limit is far, or there is none.
    ply: usize,
}

impl MoveLimit {
    pub fn new(request: &Request) -> MoveLimit {
        let near = request.moves_left.filter(|&left| left <= NEAR);
        MoveLimit { ply: near.map_or(NEVER, |left| left as usize) }
    }

    /// Whether the search can see the limit.
    #[inline]
    pub fn is_near(self) -> bool {
        self.ply != NEVER
    }

    /// The value of a board at a ply, if the game ends there.
    #[inline]
    pub fn decides(self, board: Board, ply: usize) -> Option<Value> {
        (ply >= self.ply).then(|| by_margin(board.lead()))
    }

    /// What the moves that are left at a ply add to the key of a board.
    #[inline]
    pub fn key(self, ply: usize) -> u64 {
        if self.is_near() {
            (self.ply.saturating_sub(ply) as u64 + 1).wrapping_mul(0xd6e8_feb8_6659_fd93)
        } else {
            0
        }
    }
}
