//! What a reader leaves out of a game, so that nothing is lost without a word.

use super::error::Place;
use std::fmt;

/// Parts that are listed; the others are counted.
const MAX_LISTED: usize = 10;

/// Parts of a game's text that were left out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Omitted {
    count: usize,
    listed: Vec<(Place, String)>,
}

impl Omitted {
    /// Adds a part, in words.
    pub(super) fn add(&mut self, place: Place, part: impl Into<String>) {
        self.count += 1;
        if self.listed.len() < MAX_LISTED {
            self.listed.push((place, part.into()));
        }
    }

    /// How many parts there are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.count
    }
}

impl fmt::Display for Omitted {
    /// A line for each part, without an end: `line 3, column 9: left out: a variation without moves`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, (Place { line, column }, part)) in self.listed.iter().enumerate() {
            let end = if index == 0 { "" } else { "\n" };
            write!(f, "{end}line {line}, column {column}: left out: {part}")?;
        }
        match self.count - self.listed.len() {
            0 => Ok(()),
            more => write!(f, "\n{more} more parts were left out"),
        }
    }
}
