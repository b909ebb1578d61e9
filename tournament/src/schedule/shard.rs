//! A part of a schedule, for one of several machines.
//!
//! Pairs of games go to the parts in turn. So every part has games of all engines and of all rounds, and the two games of a
//! pair stay together.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// One of several equal parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Shard {
    /// Which one, from 1.
    pub part: u64,
    /// How many parts there are.
    pub of: u64,
}

impl Shard {
    /// Everything.
    pub const WHOLE: Shard = Shard { part: 1, of: 1 };
    /// The allowed form of a part.
    pub const EXPECTED: &'static str = "expected K/N, the K-th of N parts, such as 1/8";
    /// The largest number of parts.
    const MAX_PARTS: u64 = 1_000_000;

    /// Whether there is such a part.
    #[must_use]
    pub fn is_valid(self) -> bool {
        (1..=Shard::MAX_PARTS).contains(&self.of) && (1..=self.of).contains(&self.part)
    }

    /// Whether a pair, counted from 0, belongs to it.
    #[must_use]
    pub fn has(self, pair: u64) -> bool {
        pair % self.of == self.part - 1
    }

    /// The place of one of its games among the games of this part, from 0. Games are numbered from 1.
    #[must_use]
    pub fn place(self, number: u64) -> u64 {
        let game = number - 1;
        game / 2 / self.of * 2 + game % 2
    }

    /// The first place of the whole, not before this one, that has a game of it.
    #[must_use]
    pub fn first_from(self, place: u64) -> u64 {
        let pairs = (self.part - 1 + self.of - place / 2 % self.of) % self.of;
        if pairs == 0 { place } else { 2 * (place / 2 + pairs) }
    }

    /// How many of the first `pairs` pairs belong to it.
    #[must_use]
    pub fn pairs_of(self, pairs: u64) -> u64 {
        (pairs + self.of - self.part) / self.of
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.part, self.of)
    }
}

impl FromStr for Shard {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Shard, &'static str> {
        let number = |text: &str| text.parse::<u64>().ok();
        let read =
            text.split_once('/').and_then(|(part, of)| Some(Shard { part: number(part)?, of: number(of)? }));
        read.filter(|shard| shard.is_valid()).ok_or(Shard::EXPECTED)
    }
}
