//! Deadlines: within how many plies each side is sure of a win, or of a draw, on boards with few seeds of games that can cycle.
//!
//! A database has the result of play without end. If the stores decide after a number of moves, that result may come too late,
//! and a side may lead at the limit only because the other had no time to answer. Deadlines give, for every board with any
//! stores, the plies after which a side is sure of a result *for any number of moves left* that is at least as large:
//!
//! - 0 if it has the result by the stores now, and can keep it at each later ply. These boards are the greatest set that its
//!   moves can stay in and the other's cannot leave (if a repetition ends the game, the result must be forced instead);
//! - otherwise the plies that it needs to come to such a board, or to the end of the game, against any defence (retrograde
//!   analysis; K. Thompson, "Retrograde Analysis of Certain Endgames", ICCA Journal 9, 1986).
//!
//! `building/deadlines.rs` counts them. The number falls by one with every ply of a side that follows it, and stays correct under
//! any later limit: a side that is in time stays in time. Without a limit, the results are those of the databases.

use super::indexing::Indexing;
use super::thresholds::open_stores;
use crate::game::{Board, Rules, Verdict};
use crate::value::{Value, by_margin};
use once_cell::sync::OnceCell;

/// The most seeds of boards with deadlines: 2.7 million boards with stores, a second and 11 MB in all.
pub const MAX_DEADLINE_SEEDS: u8 = 9;
/// A result that cannot be forced.
pub const NEVER: u8 = u8::MAX;

/// Plies within which a side is sure of a result: the side to move of a win, of a draw; the other side of a win, of a draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Deadline(pub [u8; 4]);

impl Deadline {
    /// The deadline of a board without a result known to be forced.
    pub const UNKNOWN: Deadline = Deadline([NEVER; 4]);

    /// Of a game that is over.
    pub fn of(verdict: Verdict) -> Deadline {
        Deadline(match verdict {
            Verdict::Win => [0, 0, NEVER, NEVER],
            Verdict::Draw => [NEVER, 0, NEVER, 0],
            Verdict::Loss => [NEVER, NEVER, 0, 0],
        })
    }

    /// The results that the stores give now.
    pub fn of_stores(board: Board) -> Deadline {
        let lead = board.lead();
        let sure = |holds: bool| if holds { 0 } else { NEVER };
        Deadline([sure(lead > 0), sure(lead >= 0), sure(lead < 0), sure(lead <= 0)])
    }

    /// Plies within which a side, the one to move or the other, is sure of a win or of a draw.
    pub fn plies(self, verdict: Verdict, mine: bool) -> Option<u16> {
        let index = 2 * usize::from(!mine) + usize::from(verdict != Verdict::Win);
        Some(self.0[index]).filter(|&plies| plies != NEVER).map(u16::from)
    }
}

/// The least win that a board with this lead can bring, or the greatest loss.
pub fn sure_value<R: Rules>(board: Board, verdict: Verdict) -> Value {
    let (lead, left) = (board.lead(), board.seeds() as i8);
    match verdict {
        Verdict::Draw => Value::DRAW,
        Verdict::Win if R::LEAD_ADDS => by_margin((lead - left).max(1)),
        Verdict::Loss if R::LEAD_ADDS => by_margin((lead + left).min(-1)),
        Verdict::Win => Value::ended(verdict, lead - left),
        Verdict::Loss => Value::ended(verdict, lead + left),
    }
}

/// The deadlines of a rule set that have been counted.
#[derive(Debug, Default)]
pub struct Deadlines {
    /// By seeds.
    pub levels: [OnceCell<Box<[Deadline]>>; MAX_DEADLINE_SEEDS as usize + 1],
}

impl Deadlines {
    /// The deadline of a board that is not over, if it has been counted. The board has all seeds of the usual game.
    #[inline]
    pub fn probe<R: Rules>(&self, board: Board) -> Option<Deadline> {
        let level = self.levels.get(usize::from(board.seeds()))?.get()?;
        if board.mover.store() + board.other.store() + board.seeds() != R::SEEDS {
            return None;
        }
        match decided::<R>(board) {
            Some(verdict) => Some(Deadline::of(verdict)),
            None => Some(level[place::<R>(board)]),
        }
    }

    /// The most seeds up to which all have been counted.
    pub fn counted(&self) -> Option<u8> {
        let counted = self.levels.iter().take_while(|level| level.get().is_some()).count();
        counted.checked_sub(1).map(|seeds| seeds as u8)
    }
}

/// The result of a board that nothing can change, by the rules or by the seeds left.
pub fn decided<R: Rules>(board: Board) -> Option<Verdict> {
    if let Some(ending) = R::ending(board) {
        return Some(ending.verdict);
    }
    if R::LEAD_ADDS && board.lead().unsigned_abs() > board.seeds() {
        return Some(if board.lead() > 0 { Verdict::Win } else { Verdict::Loss });
    }
    None
}

/// The place of a board that is not decided among those with as many seeds.
#[inline]
pub fn place<R: Rules>(board: Board) -> usize {
    let stores = open_stores::<R>(board.seeds());
    let count = usize::from(stores.end() - stores.start() + 1);
    Indexing::get().rank(board) * count + usize::from(board.mover.store() - stores.start())
}
