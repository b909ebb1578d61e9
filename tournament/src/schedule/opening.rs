//! What stands on the board when the engines begin.

use kroo::game::{Game, Move, MoveError, Position, SetupError, Variant};
use std::fmt;

/// A position and moves from it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opening {
    game: Game,
}

/// Why a text is no opening.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OpeningError {
    /// It looks like a position.
    #[error(transparent)]
    Position(#[from] SetupError),
    /// Something that is neither a position nor a move.
    #[error("`{found}` is no move: expected the letters A to F and a to f, or a position of fifteen fields")]
    NotAMove {
        /// The character.
        found: char,
    },
    /// A move that cannot be made.
    #[error("move {number}, `{mv}`: {reason}")]
    Illegal {
        /// The move's number in the line, from 1.
        number: usize,
        /// The move.
        mv: Move,
        /// What is wrong with it.
        reason: MoveError,
    },
    /// The limit of moves leaves none to the engines.
    #[error(
        "an opening of {moves} moves, but --max-moves {max_moves} counts them, too, and leaves none to play"
    )]
    TooLong {
        /// How many there are.
        moves: usize,
        /// How many a game may have.
        max_moves: usize,
    },
    /// Nothing is left to play.
    #[error("the game is over in this position; --opening-plies N takes its first N moves only")]
    Over,
}

impl Opening {
    /// A game that has been begun.
    ///
    /// # Errors
    /// If it is over.
    pub fn new(game: Game) -> Result<Opening, OpeningError> {
        if game.position().verdict().is_some() { Err(OpeningError::Over) } else { Ok(Opening { game }) }
    }

    /// Reads the fifteen fields of a position, or moves from the start with or without blanks between.
    ///
    /// # Errors
    /// What is wrong with the text.
    pub fn parse(variant: Variant, text: &str) -> Result<Opening, OpeningError> {
        Opening::parse_first(variant, text, usize::MAX)
    }

    /// The same, but no more than so many moves of it.
    ///
    /// # Errors
    /// What is wrong with the text up to there.
    pub fn parse_first(variant: Variant, text: &str, plies: usize) -> Result<Opening, OpeningError> {
        if text.contains(|c: char| c == '-' || c.is_ascii_digit()) {
            return Opening::new(Game::new(Position::parse(variant, text)?));
        }
        let letters = text.chars().filter(|letter| !letter.is_whitespace()).take(plies);
        let moves =
            letters.map(|letter| Move::from_letter(letter).ok_or(OpeningError::NotAMove { found: letter }));
        Opening::played(Position::start(variant), moves)
    }

    /// Moves from a position.
    ///
    /// # Errors
    /// What is wrong with the first that cannot be made; or that the game is over after the last.
    pub fn played(
        start: Position,
        moves: impl IntoIterator<Item = Result<Move, OpeningError>>,
    ) -> Result<Opening, OpeningError> {
        let mut game = Game::new(start);
        for (number, mv) in (1..).zip(moves) {
            let mv = mv?;
            game.play(mv).map_err(|reason| OpeningError::Illegal { number, mv, reason })?;
        }
        Opening::new(game)
    }

    /// The same, if a game of so many moves goes on after it.
    ///
    /// # Errors
    /// If it does not.
    pub fn within(self, max_moves: usize) -> Result<Opening, OpeningError> {
        let moves = self.game.moves().len();
        if moves < max_moves { Ok(self) } else { Err(OpeningError::TooLong { moves, max_moves }) }
    }

    /// The game so far.
    #[must_use]
    pub fn game(&self) -> &Game {
        &self.game
    }
}

impl fmt::Display for Opening {
    /// What [`Opening::parse`] reads, but for a set-up with moves after it, which has no line of its own.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let start = self.game.start();
        if *start != Position::start(start.variant()) {
            return write!(f, "{}", self.game.position());
        }
        self.game.moves().iter().try_for_each(|mv| write!(f, "{mv}"))
    }
}
