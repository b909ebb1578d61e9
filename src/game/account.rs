//! What a move does, told step by step: what a person at the board sees.
//!
//! The fast rules answer with the board that comes of a move. Here the same rules are asked for the way there: what the
//! sowing alone makes of the board, and so what was captured; what the end hands out, and so why there is an end. No
//! rule is written a second time.

use super::rules::Sown;
use super::sow::{MOVER_STORE, OTHER_FIRST, OTHER_STORE};
use super::{Board, Flag, Game, Move, MoveError, Pit, Position, ROW, Rules, Side, Visitor};

/// A place where a seed can lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cell {
    /// A pit; a move from it would be written so.
    Pit(Move),
    /// A side's store.
    Store(Side),
}

/// Why a game is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
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

/// A move and what came of it. Numbers by side are South's first; pits are counted from their owner's left.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Account {
    /// The move.
    pub mv: Move,
    /// Seeds that were taken up from the pit.
    pub seeds: u8,
    /// Sowings, one after the other: more than one only where sowing is by relay.
    pub laps: u32,
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
    /// Seeds that the end of the game put into the stores.
    pub handed: [u8; 2],
    /// Why the game is over, if it is.
    pub end: Option<End>,
}

impl Account {
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
    pub fn account(&self, mv: Move) -> Result<Account, MoveError> {
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
    pub fn account(&self, mv: Move) -> Result<Account, MoveError> {
        let before = self.position();
        let mut account = before.account(mv)?;
        let mut game = self.clone();
        game.play(mv)?;
        if account.end.is_none() && game.position().verdict().is_some() {
            let plain = before.play(mv)?;
            account.end = Some(End::Repetition);
            account.handed = Side::BOTH.map(|side| game.position().store(side) - plain.store(side));
        }
        Ok(account)
    }
}

struct Tell<'a> {
    before: &'a Position,
    after: &'a Position,
    mv: Move,
}

impl Visitor for Tell<'_> {
    type Output = Account;

    fn visit<R: Rules>(self) -> Account {
        let Tell { before, after, mv } = self;
        let board = before.board();
        let Sown { board: sown, last, laps } = R::sown(board, mv.pit).expect("a legal move ends");
        let step = R::play(board, mv.pit).expect("a legal move ends");
        // Seen by the side that has moved, as the board before.
        let done = if step.again { step.board } else { step.board.turned() };
        let taken = [(sown.mover, done.mover), (sown.other, done.other)]
            .map(|(sown, done)| Pit::ALL.map(|pit| sown.pit(pit) - done.pit(pit)));
        let handed = |side: Side| {
            let row = if side == mv.side { done.mover } else { done.other };
            after.store(side) - row.store()
        };
        Account {
            mv,
            seeds: board.mover.pit(mv.pit),
            laps,
            before: before.pits_by_side(),
            last: cell(mv.side, last),
            sown: by_side(mv.side, [sown.mover.pits(), sown.other.pits()]),
            taken: by_side(mv.side, taken),
            stored: by_side(
                mv.side,
                [sown.mover.store() - board.mover.store(), sown.other.store() - board.other.store()],
            ),
            again: step.again,
            handed: Side::BOTH.map(handed),
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

/// Why a board is over, before anything is handed out; the side is the one that would be to move.
fn end<R: Rules>(board: Board, side: Side) -> End {
    let (mine, theirs) = (board.mover.store(), board.other.store());
    let counts = !R::LEAD_ADDS;
    if counts && mine >= R::MAJORITY {
        End::Majority(side)
    } else if counts && theirs >= R::MAJORITY {
        End::Majority(side.other())
    } else if counts && mine == R::MAJORITY - 1 && mine == theirs {
        End::Halves
    } else if board.has(Flag::Swept) {
        End::Swept(side)
    } else if board.mover.is_bare() {
        End::Bare(side)
    } else if !board.other.is_bare() {
        End::Stuck(side)
    } else if R::moves(board).is_empty() {
        End::CannotFeed(side)
    } else {
        End::Bare(side.other())
    }
}
