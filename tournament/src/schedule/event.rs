//! The kinds of events: match, round robin, gauntlet, Swiss, knockout.

use crate::failure::Failure;
use serde::{Deserialize, Serialize};
use std::fmt;

/// A kind of event: which engines meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Event {
    /// Every engine meets every other one, once in each round. With two engines this is a match.
    RoundRobin,
    /// The first engines of the list meet all others, once in each round, but not each other.
    Gauntlet {
        /// How many first engines there are.
        #[serde(rename = "seeds")]
        gauntlet_seeds: usize,
    },
    /// In each round, engines with the same number of points meet, and no two engines meet twice if that can be avoided.
    Swiss,
    /// The loser of a tie is out.
    Knockout,
}

impl Event {
    /// The names on the command line.
    pub const NAMES: [&str; 5] = ["match", "round-robin", "gauntlet", "swiss", "knockout"];

    /// The event of this name for `engines` engines; `gauntlet_seeds` matters only to a gauntlet.
    pub fn named(name: &str, engines: usize, gauntlet_seeds: usize) -> Result<Event, Failure> {
        match name {
            "match" if engines == 2 => Ok(Event::RoundRobin),
            "match" => Err(Failure::new(format!("a match has two engines, not {engines}"))),
            "round-robin" => Ok(Event::RoundRobin),
            "gauntlet" if (1..engines).contains(&gauntlet_seeds) => Ok(Event::Gauntlet { gauntlet_seeds }),
            "gauntlet" => {
                let most = engines - 1;
                Err(Failure::new(format!(
                    "a gauntlet of {engines} engines has from 1 to {most} gauntlet seeds, not {gauntlet_seeds}"
                )))
            }
            "swiss" => Ok(Event::Swiss),
            "knockout" => Ok(Event::Knockout),
            _ => Err(Failure::new(format!("the events are {}", Event::NAMES.join(", ")))),
        }
    }

    /// Its name as a title.
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

    /// The event with this title; that of a gauntlet with any number of seeds is the same.
    pub fn titled(title: &str) -> Option<Event> {
        match title {
            "Match" | "Round robin" => Some(Event::RoundRobin),
            "Gauntlet" => Some(Event::Gauntlet { gauntlet_seeds: 1 }),
            "Swiss" => Some(Event::Swiss),
            "Knockout" => Some(Event::Knockout),
            _ => None,
        }
    }

    /// Whether pairings depend on results.
    #[must_use]
    pub fn needs_results(self) -> bool {
        matches!(self, Event::Swiss | Event::Knockout)
    }

    /// The rounds of a knockout, which leave one engine.
    pub fn rounds_of_knockout(engines: usize) -> u64 {
        engines.next_power_of_two().ilog2().into()
    }

    /// How many pairs of games there are, with `pairs` of them at each pairing. A knockout may have more.
    #[must_use]
    pub fn pairs(self, engines: usize, rounds: u64, pairs: u64) -> u64 {
        let engines = engines as u64;
        match self {
            Event::RoundRobin => rounds * pairs * (engines * engines.saturating_sub(1) / 2),
            Event::Gauntlet { gauntlet_seeds } => {
                let first = gauntlet_seeds as u64;
                rounds * pairs * first * engines.saturating_sub(first)
            }
            Event::Swiss => rounds * pairs * (engines / 2),
            Event::Knockout => pairs * engines.saturating_sub(1),
        }
    }
}

impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Event::RoundRobin => f.write_str("round robin"),
            Event::Gauntlet { gauntlet_seeds: 1 } => f.write_str("gauntlet"),
            Event::Gauntlet { gauntlet_seeds } => write!(f, "gauntlet with {gauntlet_seeds} seeds"),
            Event::Swiss => f.write_str("Swiss"),
            Event::Knockout => f.write_str("knockout"),
        }
    }
}
