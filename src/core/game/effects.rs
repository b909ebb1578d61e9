//! The effects of a move, step by step, as seen by a player.
//!
//! The fast rules return the board after a move. This module gets the steps from the same rules: the board after sowing alone,
//! hence the captures; the seeds awarded at the end, hence its reason. No rule is implemented twice.

use super::sow::{MOVER_STORE, OTHER_FIRST, OTHER_STORE, Sowing};
use super::{Board, Flag, Game, Move, MoveError, Pit, Position, ROW, Rules, Side};
use crate::under;
use std::fmt::{self, Write};

/// A place on the board that holds seeds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cell {
    /// A pit, named by the move from it.
    Pit(Move),
    /// A side's store.
    Store(Side),
}

impl fmt::Display for Cell {
    /// A pit's letter or a side's letter.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Cell::Pit(mv) => mv.fmt(f),
            Cell::Store(side) => f.write_char(side.letter()),
        }
    }
}

/// Why a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EndReason {
    /// A side has more than half of the seeds.
    Majority(Side),
    /// Both stores hold half of the seeds.
    Halves,
    /// A capture of every seed in this side's row wins.
    Swept(Side),
    /// This side's row is empty.
    Bare(Side),
    /// This side must feed the other and has no move that does.
    CannotFeed(Side),
    /// This side has seeds, but no sowing of them would end.
    Stuck(Side),
    /// The position has occurred since the last capture.
    Repetition,
}

/// A move and its effects. Numbers by side have South's first; pits are counted from their owner's left.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveEffects {
    /// The move.
    pub mv: Move,
    /// Seeds picked up from the pit.
    pub seeds: u8,
    /// Laps; more than one only in relay sowing.
    pub laps: u32,
    /// Where the seeds fell, in order: a list for each lap. A lap begins where the previous one ended.
    pub falls: Vec<Vec<Cell>>,
    /// Where the last seed fell.
    pub last: Cell,
    /// The pits before the move.
    pub before: [[u8; ROW]; 2],
    /// The pits after sowing, before captures.
    pub sown: [[u8; ROW]; 2],
    /// Captured seeds, by the pit that held them.
    pub taken: [[u8; ROW]; 2],
    /// Seeds sown into the stores.
    pub stored: [u8; 2],
    /// Whether the same side would move again, were the game not over.
    pub again: bool,
    /// Seeds awarded to the stores at the end of the game.
    pub awarded: [u8; 2],
    /// Why the game ended, if it did.
    pub end: Option<EndReason>,
}

impl MoveEffects {
    /// Seeds captured in total.
    pub fn captured(&self) -> u8 {
        self.taken.iter().flatten().sum()
    }
}

impl Position {
    /// The effects of a move, except the end by repetition.
    ///
    /// # Errors
    /// If the move is illegal.
    pub fn effects(&self, mv: Move) -> Result<MoveEffects, MoveError> {
        let after = self.play(mv)?;
        Ok(under!(self.variant(), R => effects::<R>(self, &after, mv)))
    }

    /// The seeds in the pits, South's first.
    pub fn pits_by_side(&self) -> [[u8; ROW]; 2] {
        Side::BOTH.map(|side| self.row(side).pits())
    }
}

impl Game {
    /// The effects of a move in the current position.
    ///
    /// # Errors
    /// If the move is illegal.
    pub fn effects(&self, mv: Move) -> Result<MoveEffects, MoveError> {
        self.clone().play_telling(mv)
    }

    /// Makes a move and returns its effects.
    ///
    /// # Errors
    /// If the move is illegal; the game is unchanged.
    pub fn play_telling(&mut self, mv: Move) -> Result<MoveEffects, MoveError> {
        let before = *self.position();
        let mut effects = before.effects(mv)?;
        self.play(mv)?;
        if effects.end.is_none() && self.position().verdict().is_some() {
            let plain = before.play(mv)?;
            effects.end = Some(EndReason::Repetition);
            effects.awarded = Side::BOTH.map(|side| self.position().store(side) - plain.store(side));
        }
        Ok(effects)
    }
}

fn effects<R: Rules>(before: &Position, after: &Position, mv: Move) -> MoveEffects {
    let board = before.board();
    let sowing = R::sow(board, mv.pit).expect("a legal move ends");
    let Sowing { board: sown, last, .. } = sowing;
    let mut falls = Vec::new();
    let by_hand = R::COURSE.by_hand_telling(board, mv.pit, u32::MAX, &mut |lap, ring| {
        falls.resize(lap as usize, Vec::new());
        falls.last_mut().expect("a lap").push(cell(mv.side, ring));
    });
    let (_, _, laps) = by_hand.expect("the sowing of a legal move ends");
    let step = R::capture(sowing);
    let done = step.seen_by_mover();
    let taken = [(sown.mover, done.mover), (sown.other, done.other)]
        .map(|(sown, done)| Pit::ALL.map(|pit| sown.pit(pit) - done.pit(pit)));
    let awarded = |side: Side| {
        let row = if side == mv.side { done.mover } else { done.other };
        after.store(side) - row.store()
    };
    MoveEffects {
        mv,
        seeds: board.mover.pit(mv.pit),
        laps,
        falls,
        before: before.pits_by_side(),
        last: cell(mv.side, last),
        sown: by_side(mv.side, [sown.mover.pits(), sown.other.pits()]),
        taken: by_side(mv.side, taken),
        stored: by_side(
            mv.side,
            [sown.mover.store() - board.mover.store(), sown.other.store() - board.other.store()],
        ),
        again: step.again,
        awarded: Side::BOTH.map(awarded),
        end: after.verdict().map(|_| end::<R>(step.board, after.side())),
    }
}

/// Puts South's first in a pair that has one side's first.
fn by_side<T>(side: Side, [mine, theirs]: [T; 2]) -> [T; 2] {
    if side == Side::South { [mine, theirs] } else { [theirs, mine] }
}

/// The cell at an index of the ring, for the side that sows.
fn cell(side: Side, ring: u8) -> Cell {
    match ring {
        MOVER_STORE => Cell::Store(side),
        OTHER_STORE => Cell::Store(side.other()),
        0..MOVER_STORE => Cell::Pit(Move { side, pit: Pit::new(ring as usize) }),
        _ => Cell::Pit(Move { side: side.other(), pit: Pit::new((ring - OTHER_FIRST) as usize) }),
    }
}

/// Why a board is over, before seeds are awarded; the side is the one that would be to move.
fn end<R: Rules>(board: Board, side: Side) -> EndReason {
    let (mine, theirs) = (board.mover.store(), board.other.store());
    let (counts, left) = (!R::LEAD_ADDS, board.seeds());
    if counts && mine > theirs + left {
        EndReason::Majority(side)
    } else if counts && theirs > mine + left {
        EndReason::Majority(side.other())
    } else if counts && left == 0 {
        EndReason::Halves
    } else if board.has(Flag::Swept) {
        EndReason::Swept(side)
    } else if board.mover.is_bare() {
        EndReason::Bare(side)
    } else if !board.other.is_bare() {
        EndReason::Stuck(side)
    } else if R::moves(board).is_empty() {
        EndReason::CannotFeed(side)
    } else {
        EndReason::Bare(side.other())
    }
}
