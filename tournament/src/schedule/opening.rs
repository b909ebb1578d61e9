//! An opening: the position from which two engines play.

use kroo::game::{Game, Move, MoveError, Position, SetupError, Variant};
use kroo::printable::counted;
use std::fmt;

/// A start position, and moves from it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opening {
    game: Game,
}

/// Why a text is not an opening.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OpeningError {
    /// It is not a position, but looks like one.
    #[error(transparent)]
    Position(#[from] SetupError),
    /// It is neither a position nor moves.
    #[error(
        "`{found}` is not a move: expected the letters A to F and a to f, or a position of fifteen fields"
    )]
    NotAMove {
        /// The character.
        found: char,
    },
    /// A move is illegal.
    #[error("move {number}, `{mv}`: {reason}")]
    Illegal {
        /// The move's number in the line, from 1.
        number: usize,
        /// The move.
        mv: Move,
        /// What is wrong with it.
        reason: MoveError,
    },
    /// The move limit leaves no move to the engines.
    #[error(
        "the opening has {}, and --max-moves {max_moves} counts them, so no move is left to play",
        counted(*.moves as u64, "move")
    )]
    TooLong {
        /// How many there are.
        moves: usize,
        /// How many a game may have.
        max_moves: usize,
    },
    /// The game is over.
    #[error("the game is over in this position; --opening-plies N uses only its first N moves")]
    Over,
}

impl Opening {
    /// The moves of a game.
    ///
    /// # Errors
    /// If the game is over.
    pub fn new(game: Game) -> Result<Opening, OpeningError> {
        if game.position().verdict().is_some() { Err(OpeningError::Over) } else { Ok(Opening { game }) }
    }

    /// Reads the fifteen fields of a position, or moves from the start, with or without blanks between them.
    ///
    /// # Errors
    /// What is wrong with the text.
    pub fn parse(variant: Variant, text: &str) -> Result<Opening, OpeningError> {
        Opening::parse_first(variant, text, usize::MAX)
    }

    /// The same, with at most this many moves.
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
    /// What is wrong with the first illegal one, or that the game is over after the last.
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

    /// The same opening, if it leaves a move to play under this move limit.
    ///
    /// # Errors
    /// If it does not.
    pub fn within(self, max_moves: usize) -> Result<Opening, OpeningError> {
        let moves = self.game.moves().len();
        if moves < max_moves { Ok(self) } else { Err(OpeningError::TooLong { moves, max_moves }) }
    }

    /// The game up to here.
    #[must_use]
    pub fn game(&self) -> &Game {
        &self.game
    }
}

impl fmt::Display for Opening {
    /// As [`Opening::parse`] reads it. Moves after a set-up position cannot be written so, and only their last position is.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let start = self.game.start();
        if *start != Position::start(start.variant()) {
            return write!(f, "{}", self.game.position());
        }
        self.game.moves().iter().try_for_each(|mv| write!(f, "{mv}"))
    }
}
