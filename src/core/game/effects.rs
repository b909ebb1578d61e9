//! What a move does, told step by step: what a person at the board sees.
//!
//! The fast rules answer with the board after a move. Here the same rules are asked for the steps to it: what the sowing
//! alone makes of the board, and so what was captured; which seeds the end awards, and so why there is an end. No rule
//! is written a second time.

use super::sow::{MOVER_STORE, OTHER_FIRST, OTHER_STORE, Sowing};
use super::{Board, Flag, Game, Move, MoveError, Pit, Position, ROW, Rules, Side, Visitor};
use std::fmt::{self, Write};

/// A place where a seed can lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cell {
    /// A pit; a move from it would be written so.
    Pit(Move),
    /// A side's store.
    Store(Side),
}

impl fmt::Display for Cell {
    /// A pit by the letter of its move, a store by the letter of its side.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Cell::Pit(mv) => mv.fmt(f),
            Cell::Store(side) => f.write_char(side.letter()),
        }
    }
}

/// Why a game is over.
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
    /// This side has to feed the other and has no move that does.
    CannotFeed(Side),
    /// This side has seeds, but no sowing of them would end.
    Stuck(Side),
    /// The position has been there before since the last capture.
    Repetition,
}

/// A move and what it did. Numbers by side are South's first; pits are counted from their owner's left.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveEffects {
    /// The move.
    pub mv: Move,
    /// Seeds that were picked up from the pit.
    pub seeds: u8,
    /// Sowings, one after the other: more than one only where sowing is by relay.
    pub laps: u32,
    /// Where the seeds fell, one by one: a list for each lap. A lap begins where the one before it ended.
    pub falls: Vec<Vec<Cell>>,
    /// Where the last seed fell.
    pub last: Cell,
    /// The pits before the move.
    pub before: [[u8; ROW]; 2],
    /// The pits when the sowing was done and nothing captured yet.
    pub sown: [[u8; ROW]; 2],
    /// Seeds that were captured, by the pit they lay in.
    pub taken: [[u8; ROW]; 2],
    /// Seeds sown into the stores.
    pub stored: [u8; 2],
    /// Whether the same side is to move again, were the game not over.
    pub again: bool,
    /// Seeds that the end of the game awarded to the stores.
    pub awarded: [u8; 2],
    /// Why the game is over, if it is.
    pub end: Option<EndReason>,
}

impl MoveEffects {
    /// Seeds captured in all.
    #[must_use]
    pub fn captured(&self) -> u8 {
        self.taken.iter().flatten().sum()
    }
}

impl Position {
    /// What a move does here, as far as the position alone tells: a repetition is not among it.
    ///
    /// # Errors
    /// Why the move is not legal.
    pub fn effects(&self, mv: Move) -> Result<MoveEffects, MoveError> {
        let after = self.play(mv)?;
        Ok(self.variant().visit(Tell { before: self, after: &after, mv }))
    }

    /// The seeds in the pits, South's first.
    #[must_use]
    pub fn pits_by_side(&self) -> [[u8; ROW]; 2] {
        Side::BOTH.map(|side| self.row(side).pits())
    }
}

impl Game {
    /// What a move does where the game stands.
    ///
    /// # Errors
    /// Why the move is not legal.
    pub fn effects(&self, mv: Move) -> Result<MoveEffects, MoveError> {
        self.clone().play_telling(mv)
    }

    /// Makes a move and says what it did.
    ///
    /// # Errors
    /// Why the move is not legal; the game stays as it is.
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

struct Tell<'a> {
    before: &'a Position,
    after: &'a Position,
    mv: Move,
}

impl Visitor for Tell<'_> {
    type Output = MoveEffects;

    fn visit<R: Rules>(self) -> MoveEffects {
        let Tell { before, after, mv } = self;
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
}

/// South's first of what is a side's first.
fn by_side<T>(side: Side, [mine, theirs]: [T; 2]) -> [T; 2] {
    if side == Side::South { [mine, theirs] } else { [theirs, mine] }
}

/// The cell with this number in the ring, as the side that sows goes round it.
fn cell(side: Side, ring: u8) -> Cell {
    match ring {
        MOVER_STORE => Cell::Store(side),
        OTHER_STORE => Cell::Store(side.other()),
        0..MOVER_STORE => Cell::Pit(Move { side, pit: Pit::new(ring as usize) }),
        _ => Cell::Pit(Move { side: side.other(), pit: Pit::new((ring - OTHER_FIRST) as usize) }),
    }
}

/// Why a board is over, before any seeds are awarded; the side is the one that would be to move.
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
