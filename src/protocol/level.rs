//! Playing strengths below the full one: four named levels, and an Elo scale that includes them.
//!
//! Weak players search fewer plies. They overlook moves: a quiet move that changes half the board more often than a capture.
//! They misjudge positions by a seed or two. And newcomers may hoard seeds in their own row. [`Handicap`] has these four as
//! numbers; `players/handicap.rs` searches by them. Between two levels, the numbers are interpolated ([`Ladder::handicap`]).
//!
//! These strengths have their own search and an evaluation of little but seeds, and improvements of the engine do not change
//! them. A ply or a seed of error costs 400 Elo in `awari` and 100 in `kalah`, so each rule set has its own ladder
//! ([`About::ladder`](kroo_core::game::About::ladder)).
//!
//! The numbers of the levels were chosen by hand, the points of the scales measured: `docs/experiments.csv` has the
//! rows, `tests/bench/levels.sh` repeats the matches.

use kroo_core::game::{Handicap, Ladder, Variant};
use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

/// One row per level, the weakest first: its name in the protocol, and its description for people.
macro_rules! levels {
    ($($(#[$attribute:meta])? $level:ident, $name:literal, $gist:literal;)*) => {
        /// A strength of play.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Level {
            $(#[doc = $gist] $(#[$attribute])? $level,)*
        }

        /// The levels with their names, the weakest first.
        pub const LEVELS: &[(Level, &str)] = &[$((Level::$level, $name)),*];

        /// The descriptions of the levels.
        const GISTS: &[&str] = &[$($gist),*];
    };
}

levels! {
    Initiation, "initiation", "sees what it can capture; a child can beat it";
    Beginner, "beginner", "sees your answer to its move";
    Amateur, "amateur", "plans a few moves ahead";
    Grandmaster, "grandmaster", "overlooks little";
    #[default] Full, "full", "as strong as Kroo can be";
}

/// The ladder of an uncalibrated rule set: about the middle of the calibrated ones.
pub const UNCALIBRATED: Ladder = Ladder {
    levels: [
        Handicap::new(1, 1_000, 600, 900),
        Handicap::new(2, 2_000, 200, 600),
        Handicap::new(4, 10_000, 50, 120),
        Handicap::new(6, 50_000, 5, 20),
    ],
    scale: &[(0, 250), (1000, 550), (2000, 950), (3000, 1250)],
};

/// Allowed Elo: from the weakest level of any rule set to the strongest below the full one.
pub const ELO: RangeInclusive<u16> = 0..=2000;

/// The strengths of a rule set below the full one.
pub fn ladder(variant: Variant) -> Ladder {
    variant.about().ladder.unwrap_or(UNCALIBRATED)
}

/// A playing strength: a level or an Elo.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strength {
    /// A level.
    Level(Level),
    /// Elo above a random player, on the [ladder] of the rule set.
    Elo(u16),
}

impl Strength {
    /// The engine's full strength.
    pub const FULL: Strength = Strength::Level(Level::Full);

    /// Its handicap in a rule set; `None` for [`Strength::FULL`].
    pub fn handicap(self, variant: Variant) -> Option<Handicap> {
        match self {
            Strength::Level(level) => level.handicap(variant),
            Strength::Elo(elo) => Some(ladder(variant).handicap(elo)),
        }
    }
}

/// A word that names no strength.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no level, and no Elo from {} to {}", ELO.start(), ELO.end())]
pub struct UnknownStrength;

impl FromStr for Strength {
    type Err = UnknownStrength;

    /// Reads the name of a level, or an Elo.
    fn from_str(text: &str) -> Result<Strength, UnknownStrength> {
        let level = LEVELS.iter().find(|(_, name)| name.eq_ignore_ascii_case(text)).map(|(level, _)| *level);
        let elo = || text.parse().ok().filter(|elo| ELO.contains(elo));
        level.map(Strength::Level).or_else(|| elo().map(Strength::Elo)).ok_or(UnknownStrength)
    }
}

impl fmt::Display for Strength {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Strength::Level(level) => f.write_str(level.name()),
            Strength::Elo(elo) => elo.fmt(f),
        }
    }
}

impl Level {
    /// Its name in the protocol.
    pub fn name(self) -> &'static str {
        LEVELS[self as usize].1
    }

    /// Its description for people.
    pub fn gist(self) -> &'static str {
        GISTS[self as usize]
    }

    /// Its handicap in a rule set; `None` for [`Level::Full`].
    pub fn handicap(self, variant: Variant) -> Option<Handicap> {
        ladder(variant).levels.get(self as usize).copied()
    }
}

/// The names of all levels, the weakest first.
pub fn names() -> Vec<&'static str> {
    LEVELS.iter().map(|(_, name)| *name).collect()
}
