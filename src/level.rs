//! How well the engine plays, for those who would like to win a game: five levels, one table.
//!
//! A weak player is not a strong one who blunders now and then. He looks less far; what he does look at he overlooks
//! in part, a quiet move that changes half the board rather than a capture in front of him; and what he sees he
//! misjudges by a seed or two; and a newcomer may hoard, because seeds in his own row look as if they were his.
//! [`Sight`] is these four in numbers, and the search plays by them.
//!
//! The levels below [`Level::Full`] have an eye of their own, which counts little but seeds: they stay as strong as
//! they are when the engine's search or evaluation gets better. To calibrate them again, edit the table in `sights`.
//!
//! # Measured
//! Elo of each level over the one below it; README.md has the table, `tests/bench/levels.sh` plays the matches again.

use crate::game::Variant;

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

/// What a player of some level sees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sight {
    /// Plies looked ahead.
    pub depth: u8,
    /// Nodes visited at the most, so that an answer comes at once in every rule set.
    pub nodes: u64,
    /// The chance that a quiet move which changes six pits is overlooked, in thousandths. It grows with the pits that
    /// change, and shrinks with the seeds captured.
    pub blind: u32,
    /// By how much a position is misjudged at the most, in hundredths of a seed, either way.
    pub blur: i32,
    /// What a seed in one's own row seems to be worth, in hundredths of one in the store. Who believes in much hoards.
    pub hoard: i32,
}

/// The levels with their names, the weakest first.
pub const LEVELS: &[(Level, &str)] = &[
    (Level::Initiation, "initiation"),
    (Level::Beginner, "beginner"),
    (Level::Amateur, "amateur"),
    (Level::Grandmaster, "grandmaster"),
    (Level::Full, "full"),
];

/// What the levels below the last see, a row a rule set: depth, nodes, blind and blur. The games forgive differently: a
/// ply or a seed of error is worth 400 Elo in `awari` and 100 in `kalah`, so one row for all would not keep the steps
/// apart.
///
/// From chance to perfect play `awari1978` is no more than 700 Elo, and blindness and blur alone left its steps at 125
/// to 151. So its lower levels hoard as well, in a game where what lies in a row at the end is nobody's, and the lowest
/// is no better than chance.
const fn sights(variant: Variant) -> [Sight; 4] {
    match variant {
        Variant::Awari | Variant::Oware => [
            sight(1, 1_000, 600, 500),
            sight(2, 2_000, 200, 250),
            sight(4, 10_000, 60, 80),
            sight(7, 200_000, 5, 20),
        ],
        Variant::Awari1978 => [
            sight(1, 1_000, 300, 700).hoarding(200),
            sight(2, 2_000, 300, 700).hoarding(100),
            sight(3, 10_000, 100, 515).hoarding(20),
            sight(4, 50_000, 20, 120).hoarding(20),
        ],
        Variant::Ayoayo => [
            sight(1, 1_000, 900, 1200),
            sight(2, 2_000, 50, 700),
            sight(4, 10_000, 50, 150),
            sight(6, 50_000, 0, 30),
        ],
        Variant::Kalah => [
            sight(1, 1_000, 900, 1200),
            sight(2, 2_000, 150, 1200),
            sight(4, 10_000, 50, 120),
            sight(7, 100_000, 0, 20),
        ],
    }
}

const fn sight(depth: u8, nodes: u64, blind: u32, blur: i32) -> Sight {
    Sight { depth, nodes, blind, blur, hoard: 8 }
}

impl Sight {
    const fn hoarding(self, hoard: i32) -> Sight {
        Sight { hoard, ..self }
    }
}

impl Level {
    /// Its name in the protocol.
    #[must_use]
    pub fn name(self) -> &'static str {
        LEVELS[self as usize].1
    }

    /// What it sees of a rule set; none for the level that nothing holds back.
    #[must_use]
    pub fn sight(self, variant: Variant) -> Option<Sight> {
        sights(variant).get(self as usize).copied()
    }
}

/// The names of all levels, the weakest first.
#[must_use]
pub fn names() -> Vec<&'static str> {
    LEVELS.iter().map(|(_, name)| *name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_in_order() {
        for (index, (level, name)) in LEVELS.iter().enumerate() {
            assert_eq!((*level as usize, level.name()), (index, *name));
            assert!(
                Variant::ALL.iter().all(|&variant| level.sight(variant).is_none() == (*level == Level::Full))
            );
        }
    }

    #[test]
    fn each_level_sees_more_than_the_one_below() {
        for &variant in Variant::ALL {
            for pair in sights(variant).windows(2) {
                assert!(
                    pair[0].depth < pair[1].depth && pair[0].blind >= pair[1].blind,
                    "{variant} {pair:?}"
                );
                assert!(pair[0].blur >= pair[1].blur && pair[0].nodes < pair[1].nodes, "{variant} {pair:?}");
                assert!(pair[0].hoard >= pair[1].hoard, "{variant} {pair:?}");
            }
        }
    }
}
