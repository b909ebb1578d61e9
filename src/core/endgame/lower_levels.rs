//! The levels below the one that is being built: what captures lead to.

use super::level::EndgameLevel;
use super::level_cell::LevelCell;
use super::thresholds::Thresholds;
use std::borrow::Cow;

/// The levels with fewer seeds. All of them are there.
#[derive(Clone, Copy)]
pub struct LowerLevels<'a> {
    pub levels: &'a [LevelCell],
}

impl<'a> LowerLevels<'a> {
    /// Checks those that are in files, as far as they have not been read yet, and says whether all of them count. From then on
    /// they are read as they are.
    pub fn are_sound(self, threads: usize) -> bool {
        self.levels.iter().filter_map(LevelCell::get).all(|level| level.check_all(threads).is_ok())
    }

    #[inline]
    fn level(self, seeds: u8) -> &'a EndgameLevel {
        self.levels[usize::from(seeds)].get().expect("levels are built from below")
    }

    /// The byte of a board: its gain, or the code of its thresholds.
    #[inline]
    pub fn code(self, seeds: u8, index: usize) -> u8 {
        self.level(seeds).values.get(index)
    }

    /// The bytes of all boards of a level. Those of a packed file are unpacked.
    pub fn bytes(self, seeds: u8) -> Cow<'a, [u8]> {
        self.level(seeds).values.all()
    }

    /// The thresholds of a board.
    pub fn thresholds(self, seeds: u8, index: usize) -> Thresholds {
        self.level(seeds).thresholds(index)
    }

    /// The thresholds that the codes of a level stand for.
    pub fn coded(self, seeds: u8) -> &'a [Thresholds] {
        &self.level(seeds).thresholds
    }
}
