//! The files of the databases in a folder: plain ones and packed ones.

use super::database::Database;
use super::error::{EndgameFileError, build_command};
use super::file::{DatabaseFile, Header, database_path, is_packed, packed_path};
use super::indexing::MAX_SEEDS;
use super::packed_values::PackedValues;
use super::storage::Storage;
use crate::files::{self, shown};
use crate::game::Variant;
use crate::printable::counted;
use crate::thread_pool::ThreadPool;
use std::fmt;
use std::path::{Path, PathBuf};

/// The file of a database in a folder, if any: the plain one, which is quicker to read, or the packed one.
pub fn find_database(folder: &Path, variant: Variant, seeds: u8) -> Option<PathBuf> {
    let paths = [database_path(folder, variant, seeds), packed_path(folder, variant, seeds)];
    paths.into_iter().find(|path| path.exists())
}

/// The default folder of endgame files, for building and reading; `None` if the system has no folder for a user's data. It need
/// not exist.
pub fn user_folder() -> Option<PathBuf> {
    files::user_data_folder().map(|folder| folder.join("endgames"))
}

/// The database of a file, opened by its header; its values are checked when they are first read.
pub fn open_database(file: &DatabaseFile, path: &Path) -> Result<Database, EndgameFileError> {
    if !is_packed(path) {
        let (Header { thresholds, rare, .. }, values) = file.map(path)?;
        return Ok(Database { values: Storage::Plain(values), thresholds, rare });
    }
    let (Header { thresholds, rare, .. }, values) = PackedValues::open(file, path)?;
    Ok(Database { values: Storage::Packed(Box::new(values)), thresholds, rare })
}

/// The database of a file, checked.
pub fn check_database(
    file: &DatabaseFile,
    path: &Path,
    pool: &ThreadPool,
) -> Result<Database, EndgameFileError> {
    let database = open_database(file, path)?;
    database.check_all(pool).map(|()| database)
}

/// A gap in the files of a rule set. A database depends on all lower ones, so files above a gap are not read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gap {
    folder: PathBuf,
    variant: Variant,
    /// The first database without a file, by its seeds.
    missing: u8,
    /// The databases above it that have files: at least one.
    ignored: Vec<u8>,
}

impl Gap {
    /// The gap in the files of a rule set in a folder, if any.
    pub fn find(folder: &Path, variant: Variant) -> Option<Gap> {
        let has_file = |seeds: &u8| find_database(folder, variant, *seeds).is_some();
        let missing = (0..=MAX_SEEDS).find(|seeds| !has_file(seeds))?;
        let ignored: Vec<u8> = (missing + 1..=MAX_SEEDS).filter(has_file).collect();
        (!ignored.is_empty()).then(|| Gap { folder: folder.to_owned(), variant, missing, ignored })
    }
}

impl fmt::Display for Gap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Gap { folder, variant, missing, ignored } = self;
        let seeds = counted((*missing).into(), "seed");
        let runs = ignored.chunk_by(|one, next| one + 1 == *next);
        let runs: Vec<String> = runs
            .map(|run| match run {
                [first, .., last] => format!("{first} to {last}"),
                one => one.iter().map(u8::to_string).collect(),
            })
            .collect();
        let most = ignored.iter().max().expect("there is one");
        let (files, are) = if ignored.len() == 1 { ("file", "is") } else { ("files", "are") };
        write!(
            f,
            "there is no file of {variant} for {seeds} in {}, so the {files} for {} {are} ignored: `{}` closes the gap",
            shown(folder),
            runs.join(", "),
            build_command(*variant, *most, Some(folder))
        )
    }
}
