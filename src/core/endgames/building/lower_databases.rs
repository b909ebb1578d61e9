//! The databases below the one that is being built: what captures lead to.

use crate::endgames::probe::database::{Database, DatabaseCell};
use crate::endgames::probe::thresholds::Thresholds;
use crate::thread_pool::ThreadPool;
use std::borrow::Cow;

/// Databases, at least all those with fewer seeds than the one that is being built.
#[derive(Clone, Copy)]
pub struct LowerDatabases<'a> {
    pub databases: &'a [DatabaseCell],
}

impl<'a> LowerDatabases<'a> {
    /// Checks those in files that have not been read yet, and returns whether all are valid. From then on they are read
    /// unchecked.
    pub fn are_sound(self, pool: &ThreadPool) -> bool {
        self.databases.iter().filter_map(DatabaseCell::get).all(|database| database.check_all(pool).is_ok())
    }

    #[inline]
    fn database(self, seeds: u8) -> &'a Database {
        self.databases[usize::from(seeds)].get().expect("databases are built from below")
    }

    /// The byte of a board: its gain, or the code of its thresholds.
    #[inline]
    pub fn code(self, seeds: u8, index: usize) -> u8 {
        self.database(seeds).values.get(index)
    }

    /// The bytes of all boards of a database. Those of a packed file are unpacked.
    pub fn bytes(self, seeds: u8) -> Cow<'a, [u8]> {
        self.database(seeds).values.all()
    }

    /// The thresholds of a board.
    pub fn thresholds(self, seeds: u8, index: usize) -> Thresholds {
        self.database(seeds).thresholds(index)
    }

    /// The thresholds of a database by code.
    pub fn coded(self, seeds: u8) -> &'a [Thresholds] {
        &self.database(seeds).thresholds
    }
}
