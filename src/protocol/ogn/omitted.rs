//! The parts that a reader omits from a game and reports.

use super::error::{OgnFault, Place};
use std::fmt;

/// Maximum nesting of variations; deeper ones are omitted.
pub(super) const DEEPEST: usize = 32;

/// Parts that are listed; the others are counted.
const MAX_LISTED: usize = 10;

/// A part of a game's text that is left out.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Part {
    /// A line that begins with `%`.
    #[error("a line for another program")]
    Line,
    /// An annotation that is no judgement.
    #[error("the annotation `{0}`")]
    Annotation(String),
    /// A word in a variation that is neither move nor annotation.
    #[error("`{0}` in a variation")]
    Word(String),
    /// A second tag of this name.
    #[error("a second tag {0}")]
    SecondTag(String),
    /// A variation before the first move.
    #[error("a variation that follows no move")]
    Loose,
    /// A variation within too many others.
    #[error("a variation within {DEEPEST} others")]
    Deep,
    /// A variation that cannot be played.
    #[error("a variation that is illegal: {0}")]
    Illegal(OgnFault),
    /// An illegal move, and those after it.
    #[error("all moves from here on: {0}")]
    Rest(OgnFault),
    /// A number or a result that contradicts the moves.
    #[error("{0}")]
    Wrong(OgnFault),
}

impl Part {
    /// A word and its values, for programs that have sentences of their own.
    pub fn word(&self) -> String {
        match self {
            Part::Line => "line".to_owned(),
            Part::Annotation(found) | Part::Word(found) => format!("annotation {found}"),
            Part::SecondTag(name) => format!("twice {name}"),
            Part::Loose => "loose".to_owned(),
            Part::Deep => format!("deep {DEEPEST}"),
            Part::Illegal(fault) => format!("illegal {}", fault.word()),
            Part::Rest(fault) => format!("rest {}", fault.word()),
            Part::Wrong(fault) => fault.word(),
        }
    }
}

/// Parts of a game's text that were left out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Omitted {
    count: usize,
    listed: Vec<(Place, Part)>,
}

impl Omitted {
    pub(super) fn add(&mut self, place: Place, part: Part) {
        self.count += 1;
        if self.listed.len() < MAX_LISTED {
            self.listed.push((place, part));
        }
    }

    /// The first parts with their places, and how many more there are.
    pub fn listed(&self) -> (&[(Place, Part)], usize) {
        (&self.listed, self.count - self.listed.len())
    }

    /// How many parts there are.
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
        match self.listed().1 {
            0 => Ok(()),
            more => write!(f, "\n{more} more parts were left out"),
        }
    }
}
