//! A lesson as a line of text.

use super::error::clipped;
use crate::game::{Game, Move, Position, Side, Variant};
use std::fmt;

/// The first word of a line of the program of 1978.
const CLASSIC: &str = "classic1978";
/// The first word of a line of this engine.
const KROO: &str = "kroo";
/// How the start of a game is written.
const STARTPOS: &str = "startpos";
/// No penalty is larger, in hundredths of a seed.
const LARGEST_PENALTY: u32 = 10_000;

/// Something learned from one game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Lesson {
    /// A game of `awari1978` that the program of 1978 did not win.
    Game {
        /// The side that it played.
        side: Side,
        /// The seeds in the stores at the end, South's first.
        stores: [u8; 2],
        /// All moves from the start; at least one.
        moves: Vec<Move>,
    },
    /// A game that this engine did not win.
    Lost {
        /// The side that it played.
        side: Side,
        /// Where the game began, rule set and all.
        start: Position,
        /// All moves from there.
        moves: Vec<Move>,
        /// The move of that side that it is put down to, by its place in the game, from 1.
        blamed: usize,
        /// By how much less that move is thought of, in hundredths of a seed.
        penalty: u32,
    },
}

/// A lesson, and how often it was learned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// The lesson.
    pub lesson: Lesson,
    /// How often; at least once.
    pub times: u32,
}

/// What is wrong with a line: the byte, and what was expected there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Wrong {
    pub at: usize,
    pub expected: &'static str,
    pub found: String,
}

impl Record {
    /// A lesson that was learned once.
    #[must_use]
    pub fn once(lesson: Lesson) -> Record {
        Record { lesson, times: 1 }
    }

    /// Reads a line without its end.
    pub(super) fn read(line: &str) -> Result<Record, Wrong> {
        let wrong = |word: &str, expected| Wrong { at: offset(line, word), expected, found: clipped(word) };
        let Some(text) = line.strip_suffix('.') else {
            return Err(Wrong { at: line.len(), expected: "a full stop", found: String::new() });
        };
        let mut words = text.split(' ');
        let first = words.next().unwrap_or(text);
        let mut next = || words.next().unwrap_or(&text[text.len()..]);
        let lesson = match first {
            CLASSIC => {
                let side = next();
                let side = side_of(side).ok_or_else(|| wrong(side, "`S` or `N`"))?;
                let stores = next();
                let stores = stores_of(stores).ok_or_else(|| wrong(stores, "the stores, as `10-13`"))?;
                let moves = next();
                let moves = moves_of(moves).ok_or_else(|| wrong(moves, "moves, as `BfFc`"))?;
                Lesson::Game { side, stores, moves }
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
                let moves = moves_of(word).ok_or_else(|| wrong(word, "moves, as `BfFc`"))?;
                if let Some(illegal) = first_illegal(start, &moves) {
                    return Err(wrong(&word[illegal..], "a move that is legal there"));
                }
                let word = next();
                let blamed = number(word, moves.len() as u32).map_or(0, |number| number as usize);
                if blamed == 0 || moves[blamed - 1].side != side {
                    return Err(wrong(word, "the number of a move of that side"));
                }
                let penalty = next();
                let penalty = number(penalty, LARGEST_PENALTY)
                    .ok_or_else(|| wrong(penalty, "a number from 1 to 10000"))?;
                Lesson::Lost { side, start, moves, blamed, penalty }
            }
            _ => return Err(wrong(first, "`classic1978` or `kroo`")),
        };
        let times = match words.next() {
            None => 1,
            Some(word) => word
                .strip_prefix('x')
                .and_then(|digits| number(digits, u32::MAX))
                .ok_or_else(|| wrong(word, "how often, as `x3`"))?,
        };
        match words.next() {
            None => Ok(Record { lesson, times }),
            Some(word) => Err(wrong(word, "a full stop")),
        }
    }
}

/// Where a part of a line begins in it.
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

/// Where in a list of moves the first stands that cannot be made.
fn first_illegal(start: Position, moves: &[Move]) -> Option<usize> {
    let mut game = Game::new(start);
    moves.iter().position(|&mv| game.play(mv).is_err())
}

fn moves_of(word: &str) -> Option<Vec<Move>> {
    let moves: Option<Vec<Move>> = word.chars().map(Move::from_letter).collect();
    moves.filter(|moves| !moves.is_empty())
}

/// A number from 1 on.
fn number(word: &str, most: u32) -> Option<u32> {
    let digits = !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
    word.parse().ok().filter(|number| digits && (1..=most).contains(number))
}

impl fmt::Display for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.lesson {
            Lesson::Game { side, stores: [south, north], moves } => {
                write!(f, "{CLASSIC} {} {south}-{north} ", side.letter())?;
                moves.iter().try_for_each(|mv| write!(f, "{mv}"))?;
            }
            Lesson::Lost { side, start, moves, blamed, penalty } => {
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
