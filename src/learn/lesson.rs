//! A lesson as a line of text: the side that the program played, a space, and the moves of the whole game.

use crate::game::{Game, Move, Position, Side, Variant, Verdict};
use crate::printable::{MAX_WORD, clipped};
use std::fmt;

const NORTH_BEGINS: &str = "3-3-3-3-3-3-3-3-3-3-3-3-0-0-N";

/// A game of `awari1978` from its start position that the program failed to win.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lesson {
    /// The side that it played.
    pub side: Side,
    /// All moves of the game.
    pub moves: Vec<Move>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct LessonFault {
    /// The byte offset of the fault, from 0; the length of the line if its end is missing.
    pub at: usize,
    /// The expected text.
    pub expected: &'static str,
    /// The text found, clipped.
    pub found: String,
}

impl Lesson {
    /// The lesson of a game; `None` if the game began elsewhere, is not over, or was won by the side.
    ///
    /// Either side may have moved first: the program numbers the moves from there.
    pub fn of(game: &Game, side: Side) -> Option<Lesson> {
        let failed = matches!(game.position().verdict_for(side), Some(Verdict::Loss | Verdict::Draw));
        (failed && begins_at_start(game)).then(|| Lesson { side, moves: game.moves().to_vec() })
    }

    /// Parses a line without its line feed.
    pub(super) fn parse(line: &[u8]) -> Result<Lesson, LessonFault> {
        let wrong = |at: usize, expected| {
            let found = String::from_utf8_lossy(line.get(at..).unwrap_or_default());
            LessonFault { at, expected, found: clipped(&found, MAX_WORD) }
        };
        let letter = |at: usize| line.get(at).map(|&byte| char::from(byte));
        let side = Side::BOTH.into_iter().find(|side| letter(0) == Some(side.letter()));
        let side = side.ok_or_else(|| wrong(0, "`S` or `N`"))?;
        if letter(1) != Some(' ') {
            return Err(wrong(1, "a space"));
        }
        let first = letter(2).and_then(Move::from_letter).ok_or_else(|| wrong(2, "a move"))?;
        let mut game = Game::new(start(first.side));
        for at in 2..line.len() {
            let mv = letter(at).and_then(Move::from_letter);
            let is_legal = mv.is_some_and(|mv| game.play(mv).is_ok());
            if !is_legal {
                return Err(wrong(at, "a legal move"));
            }
        }
        if game.position().verdict().is_none() {
            return Err(wrong(line.len(), "the rest of the game"));
        }
        Lesson::of(&game, side).ok_or_else(|| wrong(0, "the side that did not win"))
    }
}

impl fmt::Display for Lesson {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ", self.side.letter())?;
        self.moves.iter().try_for_each(|mv| write!(f, "{mv}"))
    }
}

/// Whether a game began at the start position, whichever side moved first.
pub fn begins_at_start(game: &Game) -> bool {
    game.start().board() == Position::start(Variant::Awari1978).board()
}

fn start(first: Side) -> Position {
    match first {
        Side::South => Position::start(Variant::Awari1978),
        Side::North => Position::parse(Variant::Awari1978, NORTH_BEGINS).expect("it is a position"),
    }
}
