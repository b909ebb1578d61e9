//! The place of a level: empty, the level that came first, or the one built after its file was lost.

use super::error::EndgameFileError;
use super::level::EndgameLevel;
use once_cell::sync::OnceCell;

/// The place of a level. A file that proves damaged counts as missing, so the level may be built in memory then.
#[derive(Debug, Default)]
pub struct LevelCell {
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

impl From<EndgameLevel> for LevelCell {
    fn from(level: EndgameLevel) -> LevelCell {
        LevelCell { first: OnceCell::with_value(level), rebuilt: OnceCell::new() }
    }
}
