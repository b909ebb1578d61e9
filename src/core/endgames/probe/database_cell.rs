//! The place of a database: empty, the database that came first, or the one built after its file was lost.

use super::database::Database;
use super::error::EndgameFileError;
use once_cell::sync::OnceCell;

/// The place of a database. A file that proves damaged counts as missing, so the database may be built in memory then.
#[derive(Debug, Default)]
pub struct DatabaseCell {
    first: OnceCell<Database>,
    rebuilt: OnceCell<Database>,
}

impl DatabaseCell {
    /// The database in use, if there is one; an unsound one only while no other has been built.
    #[inline]
    pub fn get(&self) -> Option<&Database> {
        let first = self.first.get()?;
        if first.is_sound() { Some(first) } else { Some(self.rebuilt.get().unwrap_or(first)) }
    }

    /// Whether a database is there that can be used.
    pub fn is_sound(&self) -> bool {
        self.get().is_some_and(Database::is_sound)
    }

    /// Sets a database where none is, or where the file of the first one was lost. Returns whether it was needed.
    pub fn set(&self, database: Database) -> bool {
        let place =
            if self.first.get().is_some_and(|first| !first.is_sound()) { &self.rebuilt } else { &self.first };
        place.set(database).is_ok()
    }

    /// Why the file of the first database is not used any more, once, if it is not.
    pub fn take_lost(&self) -> Option<EndgameFileError> {
        self.first.get()?.take_lost()
    }
}

impl From<Database> for DatabaseCell {
    fn from(database: Database) -> DatabaseCell {
        DatabaseCell { first: OnceCell::with_value(database), rebuilt: OnceCell::new() }
    }
}
