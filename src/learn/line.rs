//! One lesson as one line of text.
//!
//! # Format
//! ```text
//! kroo learn 1
//! classic1978 N 10-13 BfFcCEdF.
//! kroo kalah S startpos CFaB… 3 200 x3.
//! ```
//!
//! The first line of the file is `kroo learn 1`. Every other line is a lesson, a comment that begins with `#`, or empty. The words
//! of a lesson are separated by single spaces, and a full stop ends it:
//!
//! | word | `classic1978` | `kroo` |
//! |---|---|---|
//! | 1 | `classic1978` | `kroo` |
//! | 2 | the side it played, `S` or `N` | the rule set |
//! | 3 | the stores at the end, South's first: `10-13` | the side it played, `S` or `N` |
//! | 4 | all moves from the start, as one word | the first position: `startpos` or fifteen fields |
//! | 5 | | all moves from there, as one word |
//! | 6 | | the number of the blamed move, counted from 1 |
//! | 7 | | the penalty for that move, in hundredths of a seed, 1 to 10000 |
//! | last | `xN` if the lesson was learned N times | the same |
//!
//! So the third line of the example says: as South, the engine failed three times to win this game of `kalah`. The third move
//! is blamed, and loses 200 hundredths of a seed for each of them.

use crate::game::{Game, Move, Position, Side, Variant};
use crate::printable::{MAX_WORD, clipped};
use std::fmt;

/// First word of a lesson of the 1978 program.
const CLASSIC: &str = "classic1978";
/// First word of a lesson of this engine.
const KROO: &str = "kroo";
/// The rule set's start position, as the protocol writes it.
const STARTPOS: &str = "startpos";
/// The largest penalty, in hundredths of a seed: 100 seeds, more than any game has.
const LARGEST_PENALTY: u32 = 10_000;

/// The lesson of one game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Lesson {
    /// A game of `awari1978` that the 1978 program failed to win.
    Classic1978 {
        /// The side that it played.
        side: Side,
        /// Seeds in the stores at the end, South's first.
        stores: [u8; 2],
        /// All moves from the start position; at least one.
        moves: Vec<Move>,
    },
    /// A game that this engine failed to win.
    Kroo {
        /// The side that it played.
        side: Side,
        /// The first position, with its rule set.
        start: Position,
        /// All moves from there; at least one.
        moves: Vec<Move>,
        /// The blamed move: a move of that side, counted from 1 over both sides' moves.
        blamed: usize,
        /// The penalty of that move, in hundredths of a seed.
        penalty: u32,
    },
}

/// A game that was learned from: one line of the file, whose format is in `src/formats.md`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LearnedGame {
    /// Its lesson.
    pub lesson: Lesson,
    /// How often the same game was not won, at least once.
    pub times: u32,
}

/// Why a line is no lesson.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct LessonError {
    /// The byte offset of the fault, from 0.
    pub at: usize,
    /// The expected text.
    pub expected: &'static str,
    /// The text found, clipped.
    pub found: String,
}

impl LearnedGame {
    /// A lesson learned once.
    #[must_use]
    pub fn once(lesson: Lesson) -> LearnedGame {
        LearnedGame { lesson, times: 1 }
    }

    /// Parses a line without its line feed.
    pub(super) fn parse(line: &str) -> Result<LearnedGame, LessonError> {
        let wrong = |word: &str, expected| LessonError {
            at: offset(line, word),
            expected,
            found: clipped(word, MAX_WORD),
        };
        let Some(text) = line.strip_suffix('.') else {
            return Err(LessonError { at: line.len(), expected: "a full stop", found: String::new() });
        };
        let mut words = text.split(' ');
        let first = words.next().unwrap_or(text);
        let mut next = || words.next().unwrap_or(&text[text.len()..]);
        let lesson = match first {
            CLASSIC => {
                let side = next();
                let side = side_of(side).ok_or_else(|| wrong(side, "`S` or `N`"))?;
                let stores = next();
                let stores = stores_of(stores).ok_or_else(|| wrong(stores, "the stores, such as `10-13`"))?;
                let moves = next();
                let moves = moves_of(moves).ok_or_else(|| wrong(moves, "moves, such as `BfFc`"))?;
                Lesson::Classic1978 { side, stores, moves }
            }
            KROO => {
                let variant = next();
                let variant: Variant = variant.parse().map_err(|_| wrong(variant, "a rule set"))?;
                let side = next();
                let side = side_of(side).ok_or_else(|| wrong(side, "`S` or `N`"))?;
                let start = next();
                let start = start_of(variant, start)
                    .ok_or_else(|| wrong(start, "`startpos` or a position of that rule set"))?;
                let word = next();
                let moves = moves_of(word).ok_or_else(|| wrong(word, "moves, such as `BfFc`"))?;
                if let Some(illegal) = first_illegal(start, &moves) {
                    return Err(wrong(&word[illegal..], "a legal move"));
                }
                let word = next();
                let blamed = number(word, moves.len() as u32).map_or(0, |number| number as usize);
                if blamed == 0 || moves[blamed - 1].side != side {
                    return Err(wrong(word, "the number of one of that side's moves"));
                }
                let penalty = next();
                let penalty = number(penalty, LARGEST_PENALTY)
                    .ok_or_else(|| wrong(penalty, "a number from 1 to 10000"))?;
                Lesson::Kroo { side, start, moves, blamed, penalty }
            }
            _ => return Err(wrong(first, "`classic1978` or `kroo`")),
        };
        let times = match words.next() {
            None => 1,
            Some(word) => word
                .strip_prefix('x')
                .and_then(|digits| number(digits, u32::MAX))
                .ok_or_else(|| wrong(word, "how often, such as `x3`"))?,
        };
        match words.next() {
            None => Ok(LearnedGame { lesson, times }),
            Some(word) => Err(wrong(word, "a full stop")),
        }
    }
}

/// The byte offset of a part of a line.
fn offset(line: &str, part: &str) -> usize {
    (part.as_ptr() as usize).saturating_sub(line.as_ptr() as usize).min(line.len())
}

fn side_of(word: &str) -> Option<Side> {
    Side::BOTH.into_iter().find(|side| word.len() == 1 && word.starts_with(side.letter()))
}

fn stores_of(word: &str) -> Option<[u8; 2]> {
    let (south, north) = word.split_once('-')?;
    let seeds = |word: &str| word.parse().ok().filter(|&seeds| seeds <= 36 && !word.starts_with('+'));
    Some([seeds(south)?, seeds(north)?])
}

fn start_of(variant: Variant, word: &str) -> Option<Position> {
    match word {
        STARTPOS => Some(Position::start(variant)),
        fields => Position::parse(variant, fields).ok(),
    }
}

fn first_illegal(start: Position, moves: &[Move]) -> Option<usize> {
    let mut game = Game::new(start);
    moves.iter().position(|&mv| game.play(mv).is_err())
}

fn moves_of(word: &str) -> Option<Vec<Move>> {
    let moves: Option<Vec<Move>> = word.chars().map(Move::from_letter).collect();
    moves.filter(|moves| !moves.is_empty())
}

/// A number from 1 to a maximum.
fn number(word: &str, most: u32) -> Option<u32> {
    let digits = !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
    word.parse().ok().filter(|number| digits && (1..=most).contains(number))
}

impl fmt::Display for LearnedGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.lesson {
            Lesson::Classic1978 { side, stores: [south, north], moves } => {
                write!(f, "{CLASSIC} {} {south}-{north} ", side.letter())?;
                moves.iter().try_for_each(|mv| write!(f, "{mv}"))?;
            }
            Lesson::Kroo { side, start, moves, blamed, penalty } => {
                let variant = start.variant();
                write!(f, "{KROO} {variant} {} ", side.letter())?;
                if *start == Position::start(variant) {
                    f.write_str(STARTPOS)?;
                } else {
                    write!(f, "{start}")?;
                }
                f.write_str(" ")?;
                moves.iter().try_for_each(|mv| write!(f, "{mv}"))?;
                write!(f, " {blamed} {penalty}")?;
            }
        }
        match self.times {
            1 => f.write_str("."),
            times => write!(f, " x{times}."),
        }
    }
}
