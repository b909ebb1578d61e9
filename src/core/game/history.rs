//! A game: its start, its moves, and the rules that depend on its past.

use super::{Board, Cycle, Ending, Move, MoveError, Position};

/// The move limit of the tournaments of Davis and Kendall (2002), at which the stores decide a game. It counts moves of both
/// sides, including second moves of a turn.
pub const MOVE_LIMIT: usize = 250;

/// A game from its first position to the current one.
///
/// Unlike a position, it knows repetitions, which end `oware`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    start: Position,
    moves: Vec<Move>,
    position: Position,
    /// The boards since the start, the current one last; sides alternate where cycles are possible.
    boards: Vec<Board>,
    /// The index of the first board since the last capture.
    quiet: usize,
    /// For each move, the position before it and `quiet` there.
    past: Vec<(Position, usize)>,
}

impl Game {
    /// A new game from a position.
    pub fn new(start: Position) -> Game {
        Game {
            start,
            moves: Vec::new(),
            position: start,
            boards: vec![start.board()],
            quiet: 0,
            past: Vec::new(),
        }
    }

    /// The first position.
    pub fn start(&self) -> &Position {
        &self.start
    }

    /// The current position.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// The moves made.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// Whether the game has reached a move limit, at which the stores decide; 0 means no limit.
    pub fn is_at_limit(&self, move_limit: usize) -> bool {
        move_limit > 0 && self.moves.len() >= move_limit
    }

    /// The moves left under a move limit; `None` if the limit is 0, or if the game has passed it.
    pub fn moves_left(&self, move_limit: usize) -> Option<u32> {
        let left = move_limit.checked_sub(self.moves.len()).filter(|&left| left > 0)?;
        Some(u32::try_from(left).unwrap_or(u32::MAX))
    }

    /// The current position of a game with a move limit: at the limit it is over, and the stores decide. 0 means no limit.
    pub fn position_at_limit(&self, move_limit: usize) -> Position {
        let position = self.position;
        if position.verdict().is_none() && self.is_at_limit(move_limit) {
            return position.ended(Ending::by_stores(position.board()));
        }
        position
    }

    /// The boards since the last capture, the current one last, each seen by its side to move.
    pub fn line(&self) -> &[Board] {
        &self.boards[self.quiet..]
    }

    /// Makes a move.
    ///
    /// # Errors
    /// If it is illegal; the game is unchanged.
    pub fn play(&mut self, mv: Move) -> Result<(), MoveError> {
        let before = self.position;
        let mut position = before.play(mv)?;
        self.past.push((before, self.quiet));
        if position.board().seeds() != before.board().seeds() {
            self.quiet = self.boards.len();
        }
        if position.verdict().is_none()
            && position.variant().cycle() == Cycle::EndsGame
            && came_back(self.line(), self.line().len(), position.board()).is_some()
        {
            position = position.ended(position.cycle());
        }
        self.boards.push(position.board());
        self.moves.push(mv);
        self.position = position;
        Ok(())
    }

    /// Takes the last move back, and returns it; `None` at the start.
    pub fn undo(&mut self) -> Option<Move> {
        (self.position, self.quiet) = self.past.pop()?;
        self.boards.pop();
        self.moves.pop()
    }
}

/// The index of a board's earlier occurrence in the line that led to it, with the same side to move; the last `quiet` boards of
/// the line are those since the last capture.
///
/// Sides alternate where repetitions are possible, so only every second board is compared.
#[inline]
pub fn came_back(line: &[Board], quiet: usize, board: Board) -> Option<usize> {
    (2..=quiet.min(line.len())).step_by(2).map(|back| line.len() - back).find(|&index| line[index] == board)
}
