//! The databases that are there, of every rule set: mapped from files or built (`building/database_builder.rs`), and probed.

use super::database::{Database, DatabaseCell};
use super::database_files::{check_database, find_database, open_database};
use super::deadlines::{Deadline, Deadlines};
use super::error::EndgameFileError;
use super::file::DatabaseFile;
use super::indexing::{Indexing, MAX_SEEDS, board_count};
use crate::game::{Board, Flag, RuleOptions, Rules, Variant};
use crate::thread_pool::ThreadPool;
use crate::under;
use crate::value::{Proof, Score, Value, by_margin};
use once_cell::sync::OnceCell;
use std::path::Path;
use std::sync::Arc;
use std::{fmt, fs};

/// The databases of every rule set that have been built or mapped. Shared by all searches.
///
/// They are about games with the same optional rules. Only those of the usual rules come from files.
pub struct Endgames {
    databases: [Vec<DatabaseCell>; Variant::ALL.len()],
    pub(in crate::endgames) deadlines: [Deadlines; Variant::ALL.len()],
    options: RuleOptions,
}

impl Default for Endgames {
    fn default() -> Endgames {
        let databases = std::array::from_fn(|_| (0..=MAX_SEEDS).map(|_| DatabaseCell::default()).collect());
        let deadlines = std::array::from_fn(|_| Deadlines::default());
        Endgames { databases, deadlines, options: RuleOptions::default() }
    }
}

/// Shows the number of databases only; their contents would be gigabytes of text.
impl fmt::Debug for Endgames {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let there =
            self.databases.iter().map(|databases| databases.iter().filter_map(DatabaseCell::get).count());
        f.debug_list().entries(there).finish()
    }
}

impl Endgames {
    pub fn new() -> Endgames {
        Endgames::default()
    }

    /// No databases, for games with these optional rules.
    pub fn with_options(options: RuleOptions) -> Endgames {
        Endgames { options, ..Endgames::default() }
    }

    /// The one set for the usual rules that all searches of this process share that are not given another: the contents of a
    /// database do not depend on the search that built it.
    pub fn shared() -> &'static Arc<Endgames> {
        Endgames::shared_with(RuleOptions::default())
    }

    /// The shared set for games with these optional rules.
    pub fn shared_with(options: RuleOptions) -> &'static Arc<Endgames> {
        static SHARED: [OnceCell<Arc<Endgames>>; RuleOptions::ALL.len()] =
            [const { OnceCell::new() }; RuleOptions::ALL.len()];
        SHARED[options.index()].get_or_init(|| Arc::new(Endgames::with_options(options)))
    }

    /// The optional rules of the games that the databases are about.
    pub fn options(&self) -> RuleOptions {
        self.options
    }

    /// Up to how many seeds all databases of a rule set are there.
    pub fn built<R: Rules>(&self) -> Option<u8> {
        let databases = self.of::<R>().iter().take_while(|cell| cell.is_sound()).count();
        databases.checked_sub(1).map(|seeds| seeds as u8)
    }

    /// Whether databases are about the positions of a game: where half of the seeds decide, they are about the usual number.
    pub fn cover(variant: Variant) -> bool {
        under!(variant, R => R::LEAD_ADDS || variant.seeds() == R::SEEDS)
    }

    /// Why no endgame files are about a game; `None` if those of its rule set are.
    pub fn why_no_files(variant: Variant) -> Option<String> {
        let usual = variant.rule_set();
        if !variant.options().are_usual() {
            Some("games with optional rules have no endgame files".to_owned())
        } else if Endgames::cover(variant) {
            None
        } else {
            Some(format!("endgames of {usual} are about games with {} seeds", usual.seeds()))
        }
    }

    /// Maps the databases up to `seeds` seeds from their files in a folder, from the first database on without a gap, and
    /// checks them. Databases that are there already are left as they are. Returns up to how many seeds all databases are there
    /// now.
    ///
    /// # Errors
    /// If the folder cannot be read, or a needed file is invalid. Then no database has been added.
    pub fn open<R: Rules>(
        &self,
        folder: &Path,
        seeds: u8,
        pool: &ThreadPool,
    ) -> Result<Option<u8>, EndgameFileError> {
        let check = |file: &DatabaseFile, path: &Path| check_database(file, path, pool);
        strictly(self.open_with::<R>(folder, seeds, check)?)?.add();
        Ok(self.built::<R>())
    }

    /// The same without reading the values, which would be a pass over all bytes: they are checked when they are first read. A
    /// file that is found damaged then is not used any more, and [`Endgames::take_lost_files`] reports it.
    ///
    /// # Errors
    /// If the folder cannot be read, or the header or the length of a needed file is invalid. Then no database has been added.
    pub fn open_by_headers<R: Rules>(
        &self,
        folder: &Path,
        seeds: u8,
    ) -> Result<Option<u8>, EndgameFileError> {
        strictly(self.open_with::<R>(folder, seeds, open_database)?)?.add();
        Ok(self.built::<R>())
    }

    /// The same for all files up to the first one that is damaged, and the fault of that.
    pub fn open_sound<R: Rules>(&self, folder: &Path) -> Result<Option<EndgameFileError>, EndgameFileError> {
        let (opened, fault) = self.open_with::<R>(folder, MAX_SEEDS, open_database)?;
        opened.add();
        Ok(fault)
    }

    /// [`Endgames::open_by_headers`] with the rule set as a value. [Some games](Endgames::why_no_files) have no files.
    pub fn open_headers_of(
        &self,
        variant: Variant,
        folder: &Path,
        seeds: u8,
    ) -> Result<Option<u8>, EndgameFileError> {
        if Endgames::why_no_files(variant).is_some() {
            return Ok(None);
        }
        under!(variant, R => self.open_by_headers::<R>(folder, seeds))
    }

    /// Opens the files up to the first one that is not there or has a fault, and returns that.
    fn open_with<R: Rules>(
        &self,
        folder: &Path,
        seeds: u8,
        open: impl Fn(&DatabaseFile, &Path) -> Result<Database, EndgameFileError>,
    ) -> Result<(Opened<'_>, Option<EndgameFileError>), EndgameFileError> {
        let mut found = Vec::new();
        if !self.options.are_usual() {
            return Ok((Opened(found), None));
        }
        fs::read_dir(folder).map_err(|source| EndgameFileError::Read { path: folder.to_owned(), source })?;
        for seeds in 0..=seeds.min(largest_database::<R>()) {
            let cell = &self.of::<R>()[usize::from(seeds)];
            if cell.get().is_none() {
                let Some(path) = find_database(folder, R::VARIANT, seeds) else { break };
                match open(&DatabaseFile::of_database::<R>(seeds), &path) {
                    Ok(database) => found.push((cell, database)),
                    Err(fault) => return Ok((Opened(found), Some(fault))),
                }
            }
        }
        Ok((Opened(found), None))
    }

    /// The certain bounds of a board that is not over, if its database has been built.
    #[inline]
    pub fn probe<R: Rules>(&self, board: Board, seeds: u8) -> Option<Score> {
        if R::LEAD_ADDS {
            let gain = self.place::<R>(board, seeds)?.gain()?;
            return Some(Score { value: by_margin(board.lead() + gain), proof: Proof::EXACT });
        }
        let database = self.database::<R>(seeds)?;
        if !Endgames::is_about::<R>(board) {
            return None;
        }
        let score = database.thresholds(Indexing::get().rank(board)).score::<R>(board, seeds);
        score.filter(|_| database.is_sound())
    }

    /// The place of a board's gain, if its database has been built.
    #[inline]
    pub fn place<R: Rules>(&self, board: Board, seeds: u8) -> Option<Place<'_>> {
        let database = self.database::<R>(seeds)?;
        let index = Indexing::get().rank(board);
        let second = R::SECOND_MOVE && board.has(Flag::SecondMove);
        Some(Place { database, index: if second { index + board_count(seeds) } else { index }, seeds })
    }

    /// The certain bounds of a board by the rules or its database.
    pub fn result<R: Rules>(&self, board: Board) -> Option<Score> {
        match R::ending(board) {
            Some(ending) => Some(Score { value: Value::of(&ending), proof: Proof::EXACT }),
            None => self.probe::<R>(board, board.seeds()),
        }
    }

    /// Within how many plies the sides are sure of a result on a board that is not over, if that has been counted.
    #[inline]
    pub fn deadline<R: Rules>(&self, board: Board) -> Option<Deadline> {
        self.deadlines[R::VARIANT.index()].probe::<R>(board)
    }

    /// The most seeds up to which all deadlines have been counted.
    pub fn counted_deadlines<R: Rules>(&self) -> Option<u8> {
        self.deadlines[R::VARIANT.index()].counted()
    }

    /// Whether databases are about the game that a board is of: where half of the seeds decide, they are about the usual one.
    #[inline]
    pub fn is_about<R: Rules>(board: Board) -> bool {
        R::LEAD_ADDS || board.mover.store() + board.other.store() + board.seeds() == R::SEEDS
    }

    /// The files of a rule set that are not used any more, each once: they are damaged, or were cut off or overwritten since
    /// they were mapped. To be asked before a search, which then does without them.
    pub fn take_lost_files<R: Rules>(&self) -> Vec<EndgameFileError> {
        self.of::<R>().iter().filter_map(DatabaseCell::take_lost).collect()
    }

    /// Whether the values of this database are in a file, and may have to be read from the disk.
    #[inline]
    pub(crate) fn is_mapped<R: Rules>(&self, seeds: u8) -> bool {
        self.database::<R>(seeds).is_some_and(Database::is_mapped)
    }

    #[inline]
    pub fn database<R: Rules>(&self, seeds: u8) -> Option<&Database> {
        self.of::<R>().get(usize::from(seeds))?.get()
    }

    /// Adds a database that is not there yet.
    ///
    /// # Panics
    /// If it is there.
    pub fn add<R: Rules>(&self, seeds: u8, database: Database) {
        assert!(self.of::<R>()[usize::from(seeds)].set(database), "it was not there");
    }

    /// The places of a rule set's databases, by their seeds.
    #[doc(hidden)]
    #[inline]
    pub fn of<R: Rules>(&self) -> &[DatabaseCell] {
        &self.databases[R::VARIANT.index()]
    }
}

/// The place of a board's gain, which can be fetched before it is read.
#[derive(Clone, Copy, Debug)]
pub struct Place<'a> {
    database: &'a Database,
    index: usize,
    seeds: u8,
}

impl Place<'_> {
    /// Prefetches the gain.
    #[inline]
    pub fn prefetch(self) {
        self.database.values.prefetch(self.index);
    }

    /// The gain of the side to move; `None` if its file is lost.
    #[inline]
    pub fn gain(self) -> Option<i8> {
        let gain = self.database.gain(self.index, self.seeds);
        self.database.is_sound().then_some(gain)
    }

    /// Whether the gain is in a file, and may have to be read from the disk.
    #[inline]
    pub fn is_mapped(self) -> bool {
        self.database.is_mapped()
    }
}

/// Databases with opened files, and their places.
struct Opened<'a>(Vec<(&'a DatabaseCell, Database)>);

impl Opened<'_> {
    fn add(self) {
        for (cell, database) in self.0 {
            // Another thread may have been quicker, and has found the same.
            cell.set(database);
        }
    }
}

/// What has been opened, if no file has a fault.
fn strictly<'a>(
    (opened, fault): (Opened<'a>, Option<EndgameFileError>),
) -> Result<Opened<'a>, EndgameFileError> {
    fault.map_or(Ok(opened), Err)
}

/// The largest database of a rule set that has indices.
pub fn largest_database<R: Rules>() -> u8 {
    R::SEEDS.min(MAX_SEEDS)
}
