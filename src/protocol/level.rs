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
//! its own in its file ([`About::handicaps`](kroo_core::game::About::handicaps)).
//!
//! # Measured
//! Elo of each level over the one below it: `tests/bench/benchmarks.md` has the table, `tests/bench/levels.sh` plays the matches again.
//! Each number was chosen by hand and kept where the matches showed the step that was wanted.

use kroo_core::game::{Handicap, Variant};

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

/// The handicaps of the four levels below the last in a rule set that was not calibrated: the middle of those that
/// were.
pub const UNCALIBRATED: [Handicap; 4] = [
    Handicap::new(1, 1_000, 600, 900),
    Handicap::new(2, 2_000, 200, 600),
    Handicap::new(4, 10_000, 50, 120),
    Handicap::new(6, 50_000, 5, 20),
];

/// The handicaps of the four levels below the last.
pub fn handicaps(variant: Variant) -> [Handicap; 4] {
    variant.about().handicaps.unwrap_or(UNCALIBRATED)
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
        handicaps(variant).get(self as usize).copied()
    }
}

/// The names of all levels, the weakest first.
#[must_use]
pub fn names() -> Vec<&'static str> {
    LEVELS.iter().map(|(_, name)| *name).collect()
}
