//! The place of a level: empty, the level that came first, or the one built after its file was lost.

use super::error::EndgameFileError;
use super::level::EndgameLevel;
use once_cell::sync::OnceCell;

/// The place of a level. A file that proves damaged counts as missing, so the level may be built in memory then.
#[derive(Debug, Default)]
pub(super) struct LevelCell {
    first: OnceCell<EndgameLevel>,
    rebuilt: OnceCell<EndgameLevel>,
}

impl LevelCell {
    /// The level in use, if there is one; an unsound one only while no other has been built.
    #[inline]
    pub fn get(&self) -> Option<&EndgameLevel> {
        let first = self.first.get()?;
        if first.is_sound() { Some(first) } else { Some(self.rebuilt.get().unwrap_or(first)) }
    }

    /// Whether a level is there that can be used.
    pub fn is_sound(&self) -> bool {
        self.get().is_some_and(EndgameLevel::is_sound)
    }

    /// Sets a level where none is, or where the file of the first one was lost. Returns whether it was needed.
    pub fn set(&self, level: EndgameLevel) -> bool {
        let place =
            if self.first.get().is_some_and(|first| !first.is_sound()) { &self.rebuilt } else { &self.first };
        place.set(level).is_ok()
    }

    /// Why the file of the first level is not used any more, once, if it is not.
    pub fn take_lost(&self) -> Option<EndgameFileError> {
        self.first.get()?.take_lost()
    }
}

#[cfg(test)]
impl From<EndgameLevel> for LevelCell {
    fn from(level: EndgameLevel) -> LevelCell {
        LevelCell { first: OnceCell::with_value(level), rebuilt: OnceCell::new() }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Endgames;
    use super::super::file::level_path;
    use crate::game::{Awari, Board, Kalah, Rules};
    use crate::value::Score;
    use std::fs;

    fn probes<R: Rules>(endgames: &Endgames, seeds: u8) -> Vec<Option<Score>> {
        let boards = super::super::Boards::with(seeds).map(|board| {
            let stored = R::SEEDS - seeds;
            Board { mover: board.mover.bank(stored / 2), other: board.other.bank(stored - stored / 2) }
        });
        boards
            .filter(|&board| R::ending(board).is_none())
            .map(|board| endgames.probe::<R>(board, seeds))
            .collect()
    }

    fn goes_on_without<R: Rules>(damaged: u8) {
        let folder = tempfile::tempdir().expect("a folder");
        let whole = Endgames::new();
        assert!(whole.build::<R>(6, &mut || false));
        (0..=6).for_each(|seeds| whole.save::<R>(folder.path(), seeds).expect("room"));
        let path = level_path(folder.path(), R::VARIANT, damaged);
        let mut bytes = fs::read(&path).expect("a file");
        // Behind the header, so that it is found when it is read.
        let behind = bytes.len() - 40;
        bytes[behind] ^= 0x55;
        fs::write(&path, bytes).expect("room");
        let endgames = Endgames::new();
        endgames.open_by_headers::<R>(folder.path(), 6).expect("the headers are right");
        assert!(probes::<R>(&endgames, damaged).contains(&None), "its values are not used");
        assert_eq!(
            (endgames.built::<R>(), endgames.take_lost_files::<R>().len()),
            (damaged.checked_sub(1), 1)
        );
        assert!(endgames.build::<R>(6, &mut || false), "the level is built in memory");
        assert_eq!(endgames.built::<R>(), Some(6));
        for seeds in 0..=6 {
            assert!(probes::<R>(&endgames, seeds) == probes::<R>(&whole, seeds), "{seeds} seeds");
        }
        assert!(endgames.take_lost_files::<R>().is_empty());
    }

    #[test]
    fn a_damaged_file_counts_as_missing() {
        goes_on_without::<Awari>(4);
        goes_on_without::<Kalah>(5);
    }
}
