//! How well the engine plays, for those who would like to win a game: five levels, one table.
//!
//! A weak player is not a strong one who blunders now and then. He searches fewer plies. Of the moves that he does look
//! at he overlooks some, a quiet move that changes half the board rather than a capture in front of him. What he sees he
//! misjudges by a seed or two. And a newcomer may hoard, because seeds in his own row look as if they were his.
//! [`Handicap`] is these four in numbers; `players/handicap.rs` searches by them.
//!
//! The levels below [`Level::Full`] have a search and an evaluation of their own, which counts little but seeds. So they
//! stay as strong as they are when the engine's get better. To calibrate them again, edit the table in `handicaps`.
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

/// What holds a level back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Handicap {
    /// Plies searched.
    pub depth: u8,
    /// Nodes visited at the most, so that an answer comes at once in every rule set.
    pub max_nodes: u64,
    /// The chance that a quiet move which changes six pits is overlooked, in thousandths. It grows with the pits that
    /// change, and shrinks with the seeds captured.
    pub overlook: u32,
    /// The largest error of the evaluation, in hundredths of a seed, either way.
    pub eval_error: i32,
    /// The value of a seed in one's own row, in hundredths of one in the store. Who overrates them hoards.
    pub row_seed: i32,
}

/// The levels with their names, the weakest first.
pub const LEVELS: &[(Level, &str)] = &[
    (Level::Initiation, "initiation"),
    (Level::Beginner, "beginner"),
    (Level::Amateur, "amateur"),
    (Level::Grandmaster, "grandmaster"),
    (Level::Full, "full"),
];

/// The handicaps of the levels below the last, a row for each rule set: depth, nodes, overlooking and error of the
/// evaluation. The games forgive differently: a ply or a seed of error is worth 400 Elo in `awari` and 100 in `kalah`,
/// so one row for all would not keep the steps apart. Each number was chosen by hand and kept where the matches of
/// `tests/bench/levels.sh` showed the step that was wanted.
///
/// From chance to perfect play `awari1978` is no more than 700 Elo, and overlooking and errors alone left its steps at
/// 125 to 151. So its lower levels hoard as well, in a game where what lies in a row at the end is nobody's, and the
/// lowest is no better than chance.
const fn handicaps(variant: Variant) -> [Handicap; 4] {
    match variant {
        Variant::Awari | Variant::Oware => [
            handicap(1, 1_000, 600, 500),
            handicap(2, 2_000, 200, 250),
            handicap(4, 10_000, 60, 80),
            handicap(7, 200_000, 5, 20),
        ],
        Variant::Awari1978 => [
            handicap(1, 1_000, 300, 700).hoarding(200),
            handicap(2, 2_000, 300, 700).hoarding(100),
            handicap(3, 10_000, 100, 515).hoarding(20),
            handicap(4, 50_000, 20, 120).hoarding(20),
        ],
        Variant::Ayoayo => [
            handicap(1, 1_000, 900, 1200),
            handicap(2, 2_000, 50, 700),
            handicap(4, 10_000, 50, 150),
            handicap(6, 50_000, 0, 30),
        ],
        Variant::Kalah => [
            handicap(1, 1_000, 900, 1200),
            handicap(2, 2_000, 150, 1200),
            handicap(4, 10_000, 50, 120),
            handicap(7, 100_000, 0, 20),
        ],
    }
}

const fn handicap(depth: u8, max_nodes: u64, overlook: u32, eval_error: i32) -> Handicap {
    Handicap { depth, max_nodes, overlook, eval_error, row_seed: 8 }
}

impl Handicap {
    const fn hoarding(self, row_seed: i32) -> Handicap {
        Handicap { row_seed, ..self }
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
        handicaps(variant).get(self as usize).copied()
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
            for &variant in Variant::ALL {
                assert_eq!(level.handicap(variant).is_none(), *level == Level::Full);
            }
        }
    }

    #[test]
    fn each_level_is_held_back_less_than_the_one_below() {
        for &variant in Variant::ALL {
            for pair in handicaps(variant).windows(2) {
                let (lower, upper) = (pair[0], pair[1]);
                assert!(lower.depth < upper.depth && lower.max_nodes < upper.max_nodes, "{variant} {pair:?}");
                assert!(lower.overlook >= upper.overlook, "{variant} {pair:?}");
                assert!(lower.eval_error >= upper.eval_error, "{variant} {pair:?}");
                assert!(lower.row_seed >= upper.row_seed, "{variant} {pair:?}");
            }
        }
    }
}
