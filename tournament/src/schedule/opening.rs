//! An opening: the position from which two engines play.

use crate::failure::Failure;
use kroo::game::{Game, Move, Position, Variant};
use kroo::printable::counted;
use kroo::protocol::parse_game;
use std::fmt;

/// A start position, and moves from it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opening {
    game: Game,
}

impl Opening {
    /// The moves of a game.
    pub fn new(game: Game) -> Result<Opening, Failure> {
        if game.position().verdict().is_none() {
            return Ok(Opening { game });
        }
        Err(Failure::new("the game is over in this position; --opening-plies N uses only its first N moves"))
    }

    /// Reads at most this many moves of a game in the words of the `position` command, or of moves from the start, with or without
    /// blanks between them.
    pub fn parse(variant: Variant, text: &str, plies: usize) -> Result<Opening, Failure> {
        let (start, moves) = text.split_once(" moves ").unwrap_or((text, ""));
        let first =
            |moves: &str| moves.chars().filter(|letter| !letter.is_whitespace()).take(plies).collect();
        if start.contains(|c: char| c == '-' || c.is_ascii_digit()) || start.trim() == "startpos" {
            let moves: String = first(moves);
            let words = if moves.is_empty() { start.to_owned() } else { format!("{start} moves {moves}") };
            return Opening::new(parse_game(variant, &words).map_err(Failure::new)?);
        }
        let letters: String = first(text);
        Opening::played(Position::start(variant), moves_of(letters.chars()))
    }

    /// Moves from a position.
    ///
    /// # Errors
    /// The fault of the first illegal one, or that the game is over after the last.
    pub fn played(
        start: Position,
        moves: impl IntoIterator<Item = Result<Move, Failure>>,
    ) -> Result<Opening, Failure> {
        let mut game = Game::new(start);
        for (number, mv) in (1..).zip(moves) {
            let mv = mv?;
            game.play(mv).map_err(|reason| Failure::at(format!("move {number}, `{mv}`"), reason))?;
        }
        Opening::new(game)
    }

    /// The same opening, if it leaves a move to play under this move limit.
    pub fn within(self, max_moves: usize) -> Result<Opening, Failure> {
        let moves = self.game.moves().len();
        if moves < max_moves {
            return Ok(self);
        }
        let moves = counted(moves as u64, "move");
        Err(Failure::new(format!(
            "the opening has {moves}, and --max-moves {max_moves} counts them, so no move is left to play"
        )))
    }

    /// The game up to here.
    pub fn game(&self) -> &Game {
        &self.game
    }
}

/// Moves, a letter each.
pub fn moves_of(letters: impl IntoIterator<Item = char>) -> impl Iterator<Item = Result<Move, Failure>> {
    letters.into_iter().map(|letter| {
        let problem = || {
            format!(
                "`{letter}` is not a move: expected the letters A to F and a to f, or a position of fifteen fields"
            )
        };
        Move::from_letter(letter).ok_or_else(|| Failure::new(problem()))
    })
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
