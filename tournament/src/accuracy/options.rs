//! What `referee accuracy` is asked for.

use crate::plan::Contestant;
use kroo::game::Variant;
use std::ops::RangeInclusive;
use std::path::PathBuf;

/// What is to be measured.
#[derive(Clone, Debug)]
pub struct AccuracyOptions {
    /// The engines, with their limits.
    pub contestants: Vec<Contestant>,
    /// The rule set; `None` for that of the games.
    pub variant: Option<Variant>,
    /// The game files that the positions are from.
    pub games: Vec<PathBuf>,
    /// How many positions at most.
    pub positions: usize,
    /// How many seeds they have in their pits.
    pub seeds: RangeInclusive<u8>,
    /// The random seed of the choice.
    pub seed: u64,
    /// The folder with the endgame files.
    pub endgame: PathBuf,
}
