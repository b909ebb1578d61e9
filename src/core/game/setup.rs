//! Parsing of positions in stages: text, [`Fields`], [`Position`](super::Position).

use super::pit::ROW;
use super::{LARGEST_GAME, Side, Variant};
use crate::printable::clipped;
use std::fmt;
use std::str::FromStr;

/// Maximum characters of a wrong word in an error.
const MAX_FOUND: usize = 20;

const FIELDS: usize = 2 * ROW + 3;

/// Why a position cannot be set up. Each message names the field.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say what the variants are")]
pub enum SetupError {
    #[error("field {} ({}) is `{found}`, expected a number of seeds from 0 to {LARGEST_GAME}", .field.number(), .field)]
    Number {
        field: Field,
        /// Its text, clipped.
        found: String,
    },
    /// A field between two dashes is empty. A negative number has one before it.
    #[error(
        "field {} ({}) is empty or negative, expected a number of seeds from 0 to {LARGEST_GAME}",
        .field.number(), .field
    )]
    Empty { field: Field },
    #[error(
        "{found} field{}, expected 15 joined by `-`: pits A to F, pits a to f, South's store, North's store, \
         side to move",
        if *.found == 1 { "" } else { "s" }
    )]
    FieldCount { found: usize },
    #[error("field 15 (side to move) is `{found}`, expected S or N (in awari1978 also S2 or N2)")]
    Side {
        /// Its text, clipped.
        found: String,
    },
    #[error(
        "field 15 (side to move) is `{found}`, but {variant} has no second move in a turn; expected S or N"
    )]
    SecondMove { found: String, variant: Variant },
    #[error(
        "pits and stores add up to {found} seed{}, expected {}",
        if *.found == 1 { "" } else { "s" }, .variant.accepted()
    )]
    Sum { found: u32, variant: Variant },
}

impl SetupError {
    /// The reason in words of the protocol: a word, and its values.
    pub fn word(&self) -> String {
        match self {
            SetupError::Number { field, .. } | SetupError::Empty { field } => {
                format!("field {} {LARGEST_GAME}", field.letter())
            }
            SetupError::FieldCount { found } => format!("fields {found}"),
            SetupError::Side { .. } => "side".to_owned(),
            SetupError::SecondMove { .. } => "second".to_owned(),
            SetupError::Sum { found, variant } => {
                let (seeds, is_most) = variant.accepted_seeds();
                format!("{} {found} {seeds}", if is_most { "most" } else { "sum" })
            }
        }
    }
}

/// A field with a number of seeds, for messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field(usize);

impl Field {
    /// Its number in the text, from 1.
    pub fn number(self) -> usize {
        self.0 + 1
    }

    /// The letter of its pit, or of the side with its store.
    fn letter(self) -> char {
        char::from(b"ABCDEFabcdefSN"[self.0])
    }
}

impl fmt::Display for Field {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            12 => f.write_str("South's store"),
            13 => f.write_str("North's store"),
            _ => write!(f, "pit {}", self.letter()),
        }
    }
}

/// Fifteen well-formed fields, which need not be legal in any game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fields {
    /// The rows, South's first, each from its owner's left.
    pub pits: [[u8; ROW]; 2],
    /// The stores, South's first.
    pub stores: [u8; 2],
    /// The side to move.
    pub side: Side,
    /// Whether the move is the second of its turn.
    pub second: bool,
}

impl FromStr for Fields {
    type Err = SetupError;

    fn from_str(text: &str) -> Result<Fields, SetupError> {
        let found = text.split('-').count();
        let mut words = text.split('-');
        let mut numbers = [0; FIELDS - 1];
        for (index, number) in numbers.iter_mut().enumerate() {
            let Some(word) = words.next() else { return Err(SetupError::FieldCount { found }) };
            // A truncated position ends in its side: report the count, not that field.
            if found < FIELDS && side(word).is_some() {
                return Err(SetupError::FieldCount { found });
            }
            *number = seeds(Field(index), word)?;
        }
        let Some(last) = words.next() else { return Err(SetupError::FieldCount { found }) };
        if found > FIELDS {
            return Err(SetupError::FieldCount { found });
        }
        let (side, second) =
            side(last).ok_or_else(|| SetupError::Side { found: clipped(last, MAX_FOUND) })?;
        let [a, b, c, d, e, f, g, h, i, j, k, l, south, north] = numbers;
        Ok(Fields { pits: [[a, b, c, d, e, f], [g, h, i, j, k, l]], stores: [south, north], side, second })
    }
}

fn seeds(field: Field, word: &str) -> Result<u8, SetupError> {
    if word.is_empty() {
        return Err(SetupError::Empty { field });
    }
    let digits = word.bytes().all(|byte| byte.is_ascii_digit());
    match word.parse() {
        Ok(number @ 0..=LARGEST_GAME) if digits => Ok(number),
        _ => Err(SetupError::Number { field, found: clipped(word, MAX_FOUND) }),
    }
}

/// The side to move, and whether its move is the second of its turn.
fn side(word: &str) -> Option<(Side, bool)> {
    match word {
        "S" => Some((Side::South, false)),
        "N" => Some((Side::North, false)),
        "S2" => Some((Side::South, true)),
        "N2" => Some((Side::North, true)),
        _ => None,
    }
}

impl fmt::Display for Fields {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for seeds in self.pits.iter().flatten().chain(&self.stores) {
            write!(f, "{seeds}-")?;
        }
        write!(f, "{}{}", self.side.letter(), if self.second { "2" } else { "" })
    }
}
