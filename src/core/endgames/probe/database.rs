//! A database of the endgames: all boards with the same number of seeds, a byte a board, built in memory or mapped from a
//! file.
//!
//! If boards have thresholds instead of gains, the byte is a code: an index into the database's table of thresholds. A database
//! can have more than 256 different thresholds. Then the 255 most frequent ones get a code, and the last code refers the
//! remaining boards to a list. Nothing is rounded: the value of a board does not depend on the others.
//!
//! | byte of a board | `kalah`, `awari1978`, `avalanche`, `ayoayo` | `awari`, `oware` |
//! |---|---|---|
//! | 0 to 255 | the gain, a signed number of seeds | a code: below the number of thresholds an index into them, otherwise the list has the board |
//!
//! If a turn can have a second move (`awari1978`), the database has two planes: the bytes of all boards, then the bytes of all
//! boards with the second move due.

use super::error::EndgameFileError;
use super::indexing::CODES;
use super::storage::Storage;
use super::thresholds::Thresholds;
use crate::thread_pool::ThreadPool;
use once_cell::sync::OnceCell;

/// The values of the boards of a database.
#[derive(Debug)]
pub struct Database {
    /// By the index of a board: its gain, or the code of its thresholds.
    pub values: Storage,
    /// The thresholds by code. Empty where codes are gains; a code past the last one marks a board in the list.
    pub thresholds: Vec<Thresholds>,
    /// The boards whose thresholds have no code, by their indices, in order.
    pub rare: Vec<(u64, Thresholds)>,
}

impl Database {
    pub fn of_gains(gains: Vec<u8>) -> Database {
        Database { values: Storage::Memory(gains), thresholds: Vec::new(), rare: Vec::new() }
    }

    /// The byte with an index. If its block has not been read before, it is checked.
    #[inline]
    pub fn code(&self, index: usize) -> u8 {
        self.values.read(index, |from, codes| self.explains(from, codes))
    }

    /// Whether each of the codes from an index on represents thresholds, or a board in the list.
    fn explains(&self, from: usize, codes: &[u8]) -> bool {
        let next = self.thresholds.len();
        if next == 0 || next == CODES {
            return true;
        }
        if self.rare.is_empty() {
            return codes.iter().max().is_none_or(|&code| usize::from(code) < next);
        }
        let place = |index: usize| self.rare.partition_point(|&(rare, _)| rare < index as u64);
        let listed = &self.rare[place(from)..place(from + codes.len())];
        codes.iter().filter(|&&code| usize::from(code) >= next).count() == listed.len()
            && listed.iter().all(|&(index, _)| usize::from(codes[index as usize - from]) == next)
    }

    /// Checks all that has not been read yet.
    pub fn check_all(&self, pool: &ThreadPool) -> Result<(), EndgameFileError> {
        self.values.verify(pool, |from, codes| self.explains(from, codes))
    }

    /// The same with the values of a packed file in memory, for builds, which read them all over.
    pub fn unpacked(mut self) -> Database {
        if let Storage::Packed(_) = self.values {
            let all = self.values.all().into_owned();
            if self.is_sound() {
                self.values = Storage::Memory(all);
            }
        }
        self
    }

    #[inline]
    pub fn thresholds(&self, index: usize) -> Thresholds {
        match self.thresholds.get(usize::from(self.code(index))) {
            Some(&thresholds) => thresholds,
            None => self.rare_thresholds(index),
        }
    }

    #[cold]
    fn rare_thresholds(&self, index: usize) -> Thresholds {
        let found = self.rare.binary_search_by_key(&(index as u64), |&(index, _)| index);
        found.map(|place| self.rare[place].1).unwrap_or_else(|_| {
            // Another program has written into the file.
            self.lose();
            self.thresholds.first().copied().unwrap_or(Thresholds([0; 2]))
        })
    }

    /// The gain of a board, or of the byte with this index.
    #[inline]
    pub fn gain(&self, index: usize, seeds: u8) -> i8 {
        let gain = self.code(index) as i8;
        if gain.unsigned_abs() > seeds {
            self.lose();
            return 0;
        }
        gain
    }

    /// Whether the bytes read earlier are valid: its file was not cut off or overwritten meanwhile.
    #[inline]
    pub fn is_sound(&self) -> bool {
        self.values.file().is_none_or(|file| !file.is_lost())
    }

    /// Whether it is mapped from a file.
    #[inline]
    pub fn is_mapped(&self) -> bool {
        self.values.file().is_some()
    }

    /// Nothing of its file counts any more.
    #[cold]
    fn lose(&self) {
        if let Some(file) = self.values.file() {
            file.lose();
        }
    }

    /// Why its file is not used any more, once, if it is not.
    pub fn take_lost(&self) -> Option<EndgameFileError> {
        self.values.file()?.take_lost()
    }
}

/// The place of a database. A file that proves damaged counts as missing, and the database may then be built in memory.
#[derive(Debug, Default)]
pub struct DatabaseCell {
    first: OnceCell<Database>,
    rebuilt: OnceCell<Database>,
}

impl DatabaseCell {
    /// The database in use, if any; an unsound one only until another has been built.
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
