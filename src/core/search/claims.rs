//! Claims: what is proven of a position, and the one door through which every proof reaches a report.
//!
//! A [`Claim`] is a value, the sides of it that are proven, and the plies within which the proof is realised against any play. It
//! holds for every game with at least as many moves left. Nodes, table entries, endgames, the solver and compiled-in solutions
//! all hand over claims; [`Claims`] takes those that the [`MoveLimit`] allows, keeps the best bounds, and forgets none.
//!
//! At the limit the stores decide, and seeds left in the pits count for neither side. Within `NEAR` plies of it, a node at the
//! limit is the proven end of the game. Values then depend on the moves left, so these are part of the table key
//! ([`MoveLimit::key`]), and neither databases nor the solver are used. Farther away the search values positions as if there
//! were no limit, and a proof that comes too late is an estimate. Deadlines (`../endgames/probe/deadlines.rs`) count anywhere; where
//! they say that nothing known comes in time, the search sees the limit from farther away.
//!
//! Against the same engine without it: `awari` +19 ± 14 Elo (20,000 nodes a move; 254 games, 96 of which ended at the limit).

use super::request::Request;
use crate::game::{Board, Rules};
use crate::value::{Kind, Proof, Score, Value, by_margin};

/// A number of plies after a node.
pub type Plies = u16;
/// An unknown number of plies: only a game without a limit allows it.
pub const UNKNOWN_PLIES: Plies = 1023;
/// Distance to the limit, in plies, from which the search sees it: more than it looks ahead in a second (chosen, not measured).
const NEAR: u32 = 40;
/// Farther from the root than any ply of a tree.
const NEVER: usize = usize::MAX;

/// Plies within which a board with `seeds` seeds is decided, so that a limit beyond them changes no result:
/// [`Rules::PLIES_A_SEED`], which is assumed for larger boards than were counted; protocol.md says so.
#[inline]
pub fn settling_plies<R: Rules>(board: Board, seeds: u8) -> Plies {
    let plies_a_seed = match R::OPTIONAL {
        Some(optional) if board.options().rest_to_opponent => optional.plies_a_seed,
        _ => R::PLIES_A_SEED,
    };
    plies_a_seed.map_or(UNKNOWN_PLIES, |plies| 2 + plies * Plies::from(seeds))
}

/// A value and what is proven of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Claim {
    pub value: Value,
    pub proof: Proof,
    /// Plies within which the proof is realised, against any play.
    pub plies: Plies,
}

impl Claim {
    /// The claim of a move that leads to a position with this one; `again` if the same side moves there.
    #[must_use]
    pub fn before_move(self, again: bool) -> Claim {
        let plies = (self.plies + 1).min(UNKNOWN_PLIES);
        match again {
            true => Claim { plies, ..self },
            false => Claim { value: self.value.turned(), proof: self.proof.turned(), plies },
        }
    }
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
        let left = request.moves_left;
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

/// The best bounds that are proven of a position or a move, each with the plies within which it is realised.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Claims {
    at_least: Option<(Value, Plies)>,
    at_most: Option<(Value, Plies)>,
}

impl Claims {
    /// Adds what a claim of a position at the root or after its first move proves, if the limit allows it.
    pub fn add(&mut self, limit: MoveLimit, claim: Claim) {
        let Claim { value, proof, plies } = claim;
        if !limit.allows(0, plies) {
            return;
        }
        // Of two proofs of the same bound, the sooner one is kept.
        let is_better = |before: Option<(Value, Plies)>, higher: bool| {
            before.is_none_or(
                |(known, within)| {
                    if value == known { plies < within } else { (value > known) == higher }
                },
            )
        };
        if proof.at_least && is_better(self.at_least, true) {
            self.at_least = Some((value, plies));
        }
        if proof.at_most && is_better(self.at_most, false) {
            self.at_most = Some((value, plies));
        }
    }

    /// Adds the claims of another thread, which have passed the same limit.
    pub fn add_all(&mut self, limit: MoveLimit, other: Claims) {
        for (bound, proof) in [(other.at_least, Proof::AT_LEAST), (other.at_most, Proof::AT_MOST)] {
            if let Some((value, plies)) = bound {
                self.add(limit, Claim { value, proof, plies });
            }
        }
    }

    #[inline]
    pub fn at_least(&self) -> Option<Value> {
        self.at_least.map(|(value, _)| value)
    }

    #[inline]
    pub fn at_most(&self) -> Option<Value> {
        self.at_most.map(|(value, _)| value)
    }

    /// The least win that is proven, with the plies within which it is realised.
    pub fn win(&self) -> Option<(Value, Plies)> {
        self.at_least.filter(|(least, _)| matches!(least.kind(), Kind::Win(_)))
    }

    /// The result that is proven, if any, with `at_most` as the upper bound.
    pub fn result(&self, at_most: Option<Value>) -> Option<Score> {
        let at_least = self.at_least();
        let exact = at_least.filter(|&least| at_most.is_some_and(|most| most <= least));
        let is_won = self.win().map(|(value, _)| Score { value, proof: Proof::AT_LEAST });
        let is_lost = at_most.filter(|most| matches!(most.kind(), Kind::Loss(_)));
        let lost = is_lost.map(|value| Score { value, proof: Proof::AT_MOST });
        exact.map(|value| Score { value, proof: Proof::EXACT }).or(is_won).or(lost)
    }

    /// A value with what is proven of it; one that a proof excludes becomes the bound.
    pub fn score(&self, value: Value, at_most: Option<Value>) -> Score {
        self.result(at_most).unwrap_or_else(|| {
            let value = self.at_least().map_or(value, |least| value.max(least));
            let value = at_most.map_or(value, |most| value.min(most));
            let at_least = self.at_least().is_some_and(|least| least >= value);
            Score { value, proof: Proof { at_least, at_most: at_most.is_some_and(|most| most <= value) } }
        })
    }
}
