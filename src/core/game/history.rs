//! A game: where it began, the moves made, and the rule that needs its past.

use super::{Board, Cycle, Move, MoveError, Position, Rules, Variant, Visitor};

/// Moves after which a game that still goes on is decided by the stores: the rule of the tournaments of Davis and Kendall
/// (2002). Moves of either side count, and so do second moves of a turn.
pub const MOVE_LIMIT: usize = 250;

/// A game from its first position to its last.
///
/// It knows what a position alone does not: that a position has come back, which ends `oware`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    start: Position,
    moves: Vec<Move>,
    position: Position,
    /// The boards since the last capture, the current one last; sides alternate along it where cycles are possible.
    line: Vec<Board>,
}

impl Game {
    /// A game that begins at a position.
    #[must_use]
    pub fn new(start: Position) -> Game {
        Game { start, moves: Vec::new(), position: start, line: vec![start.board()] }
    }

    /// Where the game began.
    #[must_use]
    pub fn start(&self) -> &Position {
        &self.start
    }

    /// Where the game stands.
    #[must_use]
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// The moves made.
    #[must_use]
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// Whether the game has reached a move limit, at which the stores decide; 0 means no limit.
    #[must_use]
    pub fn is_at_limit(&self, move_limit: usize) -> bool {
        move_limit > 0 && self.moves.len() >= move_limit
    }

    /// The boards since the last capture, the current one last, each seen by its side to move.
    #[must_use]
    pub fn line(&self) -> &[Board] {
        &self.line
    }

    /// Makes a move.
    ///
    /// # Errors
    /// Why it is not legal; the game stays as it is.
    pub fn play(&mut self, mv: Move) -> Result<(), MoveError> {
        let before = self.position;
        let mut position = before.play(mv)?;
        if position.board().seeds() != before.board().seeds() {
            self.line.clear();
        }
        if position.verdict().is_none()
            && cycle(position.variant()) == Cycle::EndsGame
            && came_back(&self.line, self.line.len(), position.board()).is_some()
        {
            position = position.ended(position.cycle());
        }
        self.line.push(position.board());
        self.moves.push(mv);
        self.position = position;
        Ok(())
    }
}

/// Where in the line that led to it a board stands already, with the same side to move; `quiet` boards at the end of
/// the line lie behind the last capture.
///
/// Sides alternate where a position can come back at all, so that is every second board.
#[must_use]
#[inline]
pub fn came_back(line: &[Board], quiet: usize, board: Board) -> Option<usize> {
    (2..=quiet.min(line.len())).step_by(2).map(|back| line.len() - back).find(|&index| line[index] == board)
}

/// What a rule set makes of cycles.
fn cycle(variant: Variant) -> Cycle {
    struct CycleRule;
    impl Visitor for CycleRule {
        type Output = Cycle;
        fn visit<R: Rules>(self) -> Cycle {
            R::CYCLE
        }
    }
    variant.visit(CycleRule)
}
