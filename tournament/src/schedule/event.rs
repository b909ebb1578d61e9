//! The kinds of events.

use serde::{Deserialize, Serialize};
use std::fmt;

/// Who is to meet whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Event {
    /// Everybody against everybody else, once a round; two engines make a match.
    RoundRobin,
    /// The first engines of the list against all others, once a round, and not among themselves.
    Gauntlet {
        /// How many come first.
        seeds: usize,
    },
    /// In each round whoever has the same number of points, and nobody twice while that can be avoided.
    Swiss,
    /// Who loses is out.
    Knockout,
}

/// An event that cannot be held with so many engines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EventError {
    /// A name that is no event's.
    #[error("the events are {}", Event::NAMES.join(", "))]
    Unknown,
    /// A match of many.
    #[error("a match has two engines, not {engines}")]
    MatchOfMany {
        /// How many there are.
        engines: usize,
    },
    /// A gauntlet without opponents.
    #[error("a gauntlet of {engines} engines has from 1 to {} seeds, not {seeds}", .engines - 1)]
    Seeds {
        /// How many engines come first.
        seeds: usize,
        /// How many there are.
        engines: usize,
    },
}

impl Event {
    /// The names on the command line.
    pub const NAMES: [&str; 5] = ["match", "round-robin", "gauntlet", "swiss", "knockout"];

    /// The event of this name for so many engines, `seeds` of which come first in a gauntlet.
    ///
    /// # Errors
    /// If there is none, or it is for other numbers of engines.
    pub fn named(name: &str, engines: usize, seeds: usize) -> Result<Event, EventError> {
        match name {
            "match" if engines == 2 => Ok(Event::RoundRobin),
            "match" => Err(EventError::MatchOfMany { engines }),
            "round-robin" => Ok(Event::RoundRobin),
            "gauntlet" if (1..engines).contains(&seeds) => Ok(Event::Gauntlet { seeds }),
            "gauntlet" => Err(EventError::Seeds { seeds, engines }),
            "swiss" => Ok(Event::Swiss),
            "knockout" => Ok(Event::Knockout),
            _ => Err(EventError::Unknown),
        }
    }

    /// What people call it.
    #[must_use]
    pub fn title(self, engines: usize) -> &'static str {
        match self {
            Event::RoundRobin if engines == 2 => "Match",
            Event::RoundRobin => "Round robin",
            Event::Gauntlet { .. } => "Gauntlet",
            Event::Swiss => "Swiss",
            Event::Knockout => "Knockout",
        }
    }

    /// Whether who meets whom depends on who has won.
    #[must_use]
    pub fn takes_results(self) -> bool {
        matches!(self, Event::Swiss | Event::Knockout)
    }

    /// How many pairs of games so many rounds have, with so many pairs a meeting; a knockout has at least as many.
    #[must_use]
    pub fn pairs(self, engines: usize, rounds: u64, pairs: u64) -> u64 {
        let engines = engines as u64;
        match self {
            Event::RoundRobin => rounds * pairs * (engines * engines.saturating_sub(1) / 2),
            Event::Gauntlet { seeds } => rounds * pairs * seeds as u64 * engines.saturating_sub(seeds as u64),
            Event::Swiss => rounds * pairs * (engines / 2),
            Event::Knockout => pairs * engines.saturating_sub(1),
        }
    }
}

impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Event::RoundRobin => f.write_str("round robin"),
            Event::Gauntlet { seeds: 1 } => f.write_str("gauntlet"),
            Event::Gauntlet { seeds } => write!(f, "gauntlet with {seeds} seeds"),
            Event::Swiss => f.write_str("Swiss"),
            Event::Knockout => f.write_str("knockout"),
        }
    }
}
