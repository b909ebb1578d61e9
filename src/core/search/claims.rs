//! The move limit, and the proofs that count under it.
//!
//! Nodes, table entries, endgames, the solver and compiled-in solutions all pass their [`Bounds`] to the root (`root.rs`), the
//! only way for a proof to reach a report. The root takes the bounds that the [`MoveLimit`] allows, and forgets none.
//!
//! At the limit the stores decide, and seeds left in the pits count for neither side. Within `NEAR` plies of it, a node at the
//! limit is the proven end of the game. Values then depend on the number of moves left, which is part of the table key
//! ([`MoveLimit::key`]), and neither databases nor the solver are used. Farther away the search values positions as if there were
//! no limit, and a proof that comes too late is an estimate. Deadlines (`../endgames/probe/deadlines.rs`) count anywhere; if they
//! show that no known result comes in time, the search sees the limit from farther away.
//!
//! Against the same engine without it: `awari` +19 ± 14 Elo (20,000 nodes a move; 254 games, 96 of which ended at the limit).

use super::request::Request;
use crate::game::{Board, Rules};
use crate::value::{Bounds, Plies, UNKNOWN_PLIES, Value, by_margin};

/// Distance to the limit, in plies, from which the search sees it: more than it looks ahead in a second (chosen, not measured).
const NEAR: u32 = 40;
/// Farther from the root than any ply of a tree.
const NEVER: usize = usize::MAX;

/// Plies within which a board with `seeds` seeds is decided; a later limit changes no result. For boards with more seeds than
/// were counted, [`Rules::PLIES_A_SEED`] is assumed (see protocol.md).
#[inline]
pub fn settling_plies<R: Rules>(board: Board, seeds: u8) -> Plies {
    let plies_a_seed = match R::OPTIONAL {
        Some(optional) if board.options().rest_to_opponent => optional.plies_a_seed,
        _ => R::PLIES_A_SEED,
    };
    plies_a_seed.map_or(UNKNOWN_PLIES, |plies| 2 + plies * Plies::from(seeds))
}

/// The move limit, as a search sees it.
#[derive(Clone, Copy, Debug)]
pub struct MoveLimit {
    /// Plies left from the root; `None` without a limit.
    left: Option<u32>,
    /// The ply of the limit in a tree; [`NEVER`] if it is distant or absent.
    ply: usize,
}

impl MoveLimit {
    pub fn new(request: &Request) -> MoveLimit {
        let left = request.game.moves_left(request.move_limit);
        MoveLimit { left, ply: left.filter(|&left| left <= NEAR).map_or(NEVER, |left| left as usize) }
    }

    /// The limit if the search is to reach it, however distant.
    #[must_use]
    pub fn in_sight(self) -> MoveLimit {
        MoveLimit { ply: self.left.map_or(NEVER, |left| left as usize), ..self }
    }

    /// Whether there is a limit.
    #[inline]
    pub fn is_there(self) -> bool {
        self.left.is_some()
    }

    /// Whether the search can reach the limit.
    #[inline]
    pub fn is_near(self) -> bool {
        self.ply != NEVER
    }

    /// Whether a proof of a position at a ply is realised before the limit.
    #[inline]
    pub fn allows(self, ply: usize, plies: Plies) -> bool {
        self.left.is_none_or(|left| plies < UNKNOWN_PLIES && ply + usize::from(plies) <= left as usize)
    }

    /// The part of the root's bounds that counts.
    #[must_use]
    pub fn allowed(self, bounds: Bounds) -> Bounds {
        let least = if self.allows(0, bounds.least_within) { bounds } else { bounds.only_most() };
        if self.allows(0, bounds.most_within) { least } else { least.only_least() }
    }

    /// The value of a board at a ply if the limit ends the game there.
    #[inline]
    pub fn decides(self, board: Board, ply: usize) -> Option<Value> {
        (ply >= self.ply).then(|| by_margin(board.lead()))
    }

    /// The part of a table key for the moves left at a ply.
    #[inline]
    pub fn key(self, ply: usize) -> u64 {
        if self.is_near() {
            (self.ply.saturating_sub(ply) as u64 + 1).wrapping_mul(0xd6e8_feb8_6659_fd93)
        } else {
            0
        }
    }
}
