//! How well the engine plays, for those who would like to win a game: five levels, one table.
//!
//! A weak player is not a strong one who blunders now and then. Weak players search fewer plies. Of the moves that they do
//! look at they overlook some, a quiet move that changes half the board rather than a capture in front of them. What they
//! see they misjudge by a seed or two. And newcomers may hoard, because seeds in their own row look like theirs.
//! [`Handicap`] is these four in numbers; `players/handicap.rs` searches by them.
//!
//! The levels below [`Level::Full`] have a search and an evaluation of their own, which counts little but seeds. So they
//! stay as strong as they are when the engine's get better. The games forgive differently: a ply or a seed of error is
//! worth 400 Elo in `awari` and 100 in `kalah`, so one row for all would not keep the steps apart, and each rule set has
//! its own in its file ([`About::ladder`](kroo_core::game::About::ladder)).
//!
//! # Measured
//! Elo of each level over the one below it: `tests/bench/benchmarks.md` has the table, `tests/bench/levels.sh` plays the matches again.
//! Each number was chosen by hand and kept where the matches showed the step that was wanted.

use kroo_core::game::{Handicap, Ladder, Variant};
use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

/// A strength of play.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// Sees what it can capture, most of the time. A child can beat it.
    Initiation,
    /// Sees most answers to its moves.
    Beginner,
    /// Plans a few moves ahead.
    Amateur,
    /// Overlooks nothing near and little that is far.
    Grandmaster,
    /// Everything the engine has.
    #[default]
    Full,
}

/// The levels with their names, the weakest first.
pub const LEVELS: &[(Level, &str)] = &[
    (Level::Initiation, "initiation"),
    (Level::Beginner, "beginner"),
    (Level::Amateur, "amateur"),
    (Level::Grandmaster, "grandmaster"),
    (Level::Full, "full"),
];

/// The ladder of a rule set that was not calibrated: the middle of those that were.
pub const UNCALIBRATED: Ladder = Ladder {
    levels: [
        Handicap::new(1, 1_000, 600, 900),
        Handicap::new(2, 2_000, 200, 600),
        Handicap::new(4, 10_000, 50, 120),
        Handicap::new(6, 50_000, 5, 20),
    ],
    scale: &[(0, 250), (1000, 550), (2000, 950), (3000, 1250)],
};

/// Elo that can be asked for: from the weakest level of any rule set to the strongest below the full one.
pub const ELO: RangeInclusive<u16> = 0..=2000;

/// The strengths of a rule set below the full one.
#[must_use]
pub fn ladder(variant: Variant) -> Ladder {
    variant.about().ladder.unwrap_or(UNCALIBRATED)
}

/// How well to play: by the name of a level, or by Elo.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strength {
    /// A level.
    Level(Level),
    /// Elo above a random player, on the [ladder] of the rule set.
    Elo(u16),
}

impl Strength {
    /// Everything the engine has.
    pub const FULL: Strength = Strength::Level(Level::Full);

    /// What holds it back in a rule set; none for [`Strength::FULL`].
    #[must_use]
    pub fn handicap(self, variant: Variant) -> Option<Handicap> {
        match self {
            Strength::Level(level) => level.handicap(variant),
            Strength::Elo(elo) => Some(ladder(variant).handicap(elo)),
        }
    }
}

/// A word that is no strength.
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
    #[must_use]
    pub fn name(self) -> &'static str {
        LEVELS[self as usize].1
    }

    /// What holds it back in a rule set; none for [`Level::Full`].
    #[must_use]
    pub fn handicap(self, variant: Variant) -> Option<Handicap> {
        ladder(variant).levels.get(self as usize).copied()
    }
}

/// The names of all levels, the weakest first.
#[must_use]
pub fn names() -> Vec<&'static str> {
    LEVELS.iter().map(|(_, name)| *name).collect()
}
