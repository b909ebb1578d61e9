//! A position: a rule set, a board, a side to move, and the end of the game.

use super::perft::perft_unless;
use super::{Board, Ending, Fields, Flag, Move, Pit, Pits, Row, Rules, SetupError, Side, Variant, Verdict};
use crate::under;
use std::fmt;

/// A position under a rule set. It is always settled: the stores contain the seeds awarded at the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    variant: Variant,
    side: Side,
    board: Board,
    verdict: Option<Verdict>,
}

/// Why a move is illegal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say what the variants are")]
pub enum MoveError {
    #[error("the game is over")]
    GameOver,
    #[error("it is {to_move}'s turn")]
    NotYourSide { to_move: Side },
    #[error("the pit is empty")]
    EmptyPit,
    /// The other side has no seeds, and this move gives it none.
    #[error("the other row is empty and must be fed")]
    MustFeed,
    #[error("the sowing never ends")]
    NeverEnding,
}

impl MoveError {
    /// The reason in a word of the protocol, with the side that it concerns.
    pub fn word(self) -> String {
        match self {
            MoveError::GameOver => "over".to_owned(),
            MoveError::NotYourSide { to_move } => format!("turn {}", to_move.letter()),
            MoveError::EmptyPit => "empty".to_owned(),
            MoveError::MustFeed => "feed".to_owned(),
            MoveError::NeverEnding => "endless".to_owned(),
        }
    }
}

impl Position {
    /// The position at the start of a game.
    pub fn start(variant: Variant) -> Position {
        let board = Board::filled(variant.seeds_a_pit()).with_options(variant.options());
        under!(variant, R => Position::settled::<R>(variant, board, Side::South))
    }

    /// Parses the fifteen fields of a position.
    ///
    /// # Errors
    /// Names the wrong field and what is expected there.
    pub fn parse(variant: Variant, text: &str) -> Result<Position, SetupError> {
        text.parse::<Fields>()?.position(variant)
    }

    /// The position of a board, settled.
    pub fn new<R: Rules>(board: Board, side: Side) -> Position {
        Position::settled::<R>(Variant { options: board.options(), ..R::VARIANT }, board, side)
    }

    /// The position of a board in a game of these rules, settled.
    fn settled<R: Rules>(variant: Variant, board: Board, side: Side) -> Position {
        let position = Position { variant, side, board, verdict: None };
        match ending::<R>(board) {
            Some(ending) => position.ended(ending),
            None => position,
        }
    }

    /// The same position, ended in a way that its board does not show.
    #[must_use]
    pub fn ended(self, ending: Ending) -> Position {
        Position { board: ending.board, verdict: Some(ending.verdict), ..self }
    }

    /// The rule set.
    pub fn variant(&self) -> Variant {
        self.variant
    }

    /// The side to move, or that would move were the game not over.
    pub fn side(&self) -> Side {
        self.side
    }

    /// The board, seen by the side to move.
    pub fn board(&self) -> Board {
        self.board
    }

    /// A side's row.
    pub fn row(&self, side: Side) -> Row {
        if side == self.side { self.board.mover } else { self.board.other }
    }

    /// The seeds in a side's store.
    pub fn store(&self, side: Side) -> u8 {
        self.row(side).store()
    }

    /// Whether the next move is the second of its turn.
    pub fn is_second_move(&self) -> bool {
        self.board.has(Flag::SecondMove)
    }

    /// The result for the side that would be to move; `None` during the game.
    pub fn verdict(&self) -> Option<Verdict> {
        self.verdict
    }

    /// The result for a side; `None` during the game.
    pub fn verdict_for(&self, side: Side) -> Option<Verdict> {
        self.verdict.map(|verdict| if side == self.side { verdict } else { verdict.turned() })
    }

    /// The legal moves, from the mover's left; none if the game is over.
    pub fn moves(&self) -> Vec<Move> {
        let legal = || under!(self.variant, R => legal::<R>(self.board));
        let pits = if self.verdict.is_some() { Pits::NONE } else { legal() };
        pits.into_iter().map(|pit| Move { side: self.side, pit }).collect()
    }

    /// The position after a move.
    ///
    /// # Errors
    /// If the move is illegal.
    pub fn play(&self, mv: Move) -> Result<Position, MoveError> {
        if self.verdict.is_some() {
            return Err(MoveError::GameOver);
        }
        if mv.side != self.side {
            return Err(MoveError::NotYourSide { to_move: self.side });
        }
        under!(self.variant, R => play::<R>(*self, mv.pit))
    }

    /// The end of the game if the position repeated and the rules ended the game for that.
    pub fn cycle(&self) -> Ending {
        under!(self.variant, R => R::cycle(self.board))
    }

    /// Counts move sequences of length `depth`; `None` if `stop` interrupts it.
    pub fn perft(&self, depth: u32, stop: &dyn Fn() -> bool) -> Option<u64> {
        match (self.verdict, depth) {
            (_, 0) => Some(1),
            (Some(_), _) => Some(0),
            (None, _) => under!(self.variant, R => perft_unless::<R>(self.board, depth, stop)),
        }
    }

    /// The position's fields.
    pub fn fields(&self) -> Fields {
        Fields {
            pits: Side::BOTH.map(|side| self.row(side).pits()),
            stores: Side::BOTH.map(|side| self.store(side)),
            side: self.side,
            second: self.is_second_move(),
        }
    }
}

impl Fields {
    /// The position of these fields under a rule set.
    ///
    /// A finished position is settled: the stores contain the seeds that the rules award at the end.
    ///
    /// # Errors
    /// If the seeds do not add up, or the second move of a turn is impossible.
    pub fn position(self, variant: Variant) -> Result<Position, SetupError> {
        under!(variant, R => self.set_up::<R>(variant))
    }

    fn set_up<R: Rules>(self, variant: Variant) -> Result<Position, SetupError> {
        let Fields { pits, stores, side, second } = self;
        let found = pits.iter().flatten().chain(&stores).map(|&seeds| u32::from(seeds)).sum();
        if second && !R::SECOND_MOVE {
            let found = format!("{}2", side.letter());
            return Err(SetupError::SecondMove { found, variant });
        }
        if !variant.accepts(found) {
            return Err(SetupError::Sum { found, variant });
        }
        let row = |side: Side| Row::new(pits[side.index()], stores[side.index()]);
        let board = Board { mover: row(side), other: row(side.other()) }.with_options(variant.options());
        Ok(Position::settled::<R>(variant, board.flag_if(Flag::SecondMove, second), side))
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.fields().fmt(f)
    }
}

/// How a board ended, which may require trying moves.
fn ending<R: Rules>(board: Board) -> Option<Ending> {
    R::ending(board).or_else(|| legal::<R>(board).is_empty().then(|| R::stuck(board)))
}

/// The legal moves of a board that is not over.
fn legal<R: Rules>(board: Board) -> Pits {
    R::moves(board).filter(|pit| R::play(board, pit).is_some())
}

fn play<R: Rules>(position: Position, pit: Pit) -> Result<Position, MoveError> {
    let board = position.board;
    if board.mover.pit(pit) == 0 {
        return Err(MoveError::EmptyPit);
    }
    let step = R::play(board, pit).ok_or(MoveError::NeverEnding)?;
    if !R::moves(board).contains(pit) {
        return Err(MoveError::MustFeed);
    }
    let side = if step.again { position.side } else { position.side.other() };
    Ok(Position::settled::<R>(position.variant, step.board, side))
}
