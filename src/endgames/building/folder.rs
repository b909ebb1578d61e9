//! The folder of a build: its lock, leftovers of an earlier build, and the loop over the missing databases.

use super::checkpoint::{CheckpointFile, checkpoint_path};
use super::needs::{checkpoint_bytes, enough_disk};
use super::plan::{EndgameBuildError, EndgamePlan, Missing};
use kroo_core::endgames::probe::database::Database;
use kroo_core::endgames::probe::endgames::largest_database;
use kroo_core::endgames::{EndgameFileError, Endgames, database_path, find_database};
use kroo_core::files::{self, LockError, WriteError};
use kroo_core::game::Rules;
use std::fs::{self, File};
use std::path::Path;

/// A way to build the databases of a folder: by this process, or together with others.
pub trait FolderBuild {
    type Made;
    /// Why it ended early.
    type Error: From<EndgameBuildError>;

    /// Builds the `seeds`-seed database from those below it, and writes its file.
    fn build<R: Rules>(&mut self, endgames: &Endgames, seeds: u8) -> Result<Self::Made, Self::Error>;

    /// Opens the file of the `seeds`-seed database.
    fn open<R: Rules>(&mut self, seeds: u8) -> Result<Database, Self::Error>;

    /// Reports that a database has its file, and whether it was built now. Returns whether to stop.
    fn finished(&mut self, seeds: u8, path: &Path, made: Option<Self::Made>) -> Result<bool, Self::Error>;
}

/// Builds the missing databases of a plan, each once the lower ones have their files, and returns all of them. A finished
/// database is used from its file, which frees its memory for the next.
pub fn build_missing<R: Rules, B: FolderBuild>(
    plan: &EndgamePlan,
    missing: Missing,
    build: &mut B,
) -> Result<Endgames, B::Error> {
    let endgames = Endgames::new();
    for seeds in 0..=plan.seeds {
        let made = if missing.contains(seeds) { Some(build.build::<R>(&endgames, seeds)?) } else { None };
        endgames.add::<R>(seeds, build.open::<R>(seeds)?);
        let path = database_path(&plan.folder, R::VARIANT, seeds);
        if build.finished(seeds, &path, made)? && seeds < plan.seeds {
            return Err(EndgameBuildError::Stopped { databases: Some(seeds), lost: None }.into());
        }
    }
    Ok(endgames)
}

/// Makes, locks and cleans the folder of a build, and checks that the files can be written, that each unfinished one is a
/// checkpoint, and that the disk has space for the missing files and for `scratch` bytes. The lock is held as long as the
/// returned file is open.
pub fn prepare<R: Rules>(
    plan: &EndgamePlan,
    scratch: impl Fn(Missing) -> u64,
) -> Result<(File, Missing), EndgameBuildError> {
    // Without room there will be no folder.
    let missing = plan.missing::<R>();
    enough_disk::<R>(plan, missing, scratch(missing))?;
    let lock = make_and_lock(&plan.folder)?;
    clean_up::<R>(&plan.folder);
    let missing = plan.missing::<R>();
    enough_disk::<R>(plan, missing, scratch(missing))?;
    for seeds in missing.seeds() {
        checkpoint::<R>(&plan.folder, seeds).claim()?;
    }
    if let Some(largest) = missing.largest() {
        let path = database_path(&plan.folder, R::VARIANT, largest);
        files::can_replace(&path).map_err(EndgameFileError::from)?;
    }
    Ok((lock, missing))
}

pub fn checkpoint<R: Rules>(folder: &Path, seeds: u8) -> CheckpointFile {
    let path = checkpoint_path(&database_path(folder, R::VARIANT, seeds));
    CheckpointFile::at(path, R::VARIANT, seeds, checkpoint_bytes::<R>(seeds) as usize)
}

pub fn make_and_lock(folder: &Path) -> Result<File, EndgameBuildError> {
    let unusable = |source| EndgameFileError::from(WriteError { path: folder.to_owned(), source });
    fs::create_dir_all(folder).map_err(unusable)?;
    lock(folder)
}

/// Keeps others from writing files of endgames in a folder as long as the returned file is open.
///
/// The system takes the lock away however the program ends.
pub fn lock(folder: &Path) -> Result<File, EndgameBuildError> {
    let unusable = |source| EndgameFileError::Read { path: folder.to_owned(), source };
    let file = files::open_to_lock(folder).map_err(unusable)?;
    files::lock(&file).map_err(|error| match error {
        LockError::Held { holder } => EndgameBuildError::Busy { folder: folder.to_owned(), holder },
        LockError::Io(source) => unusable(source).into(),
    })?;
    Ok(file)
}

/// Removes leftovers of a killed build, except checkpoints to resume from. No other build runs there.
fn clean_up<R: Rules>(folder: &Path) {
    for seeds in 0..=largest_database::<R>() {
        // Leftovers that cannot be deleted do no harm.
        let _ = files::remove_abandoned(&database_path(folder, R::VARIANT, seeds));
        let mut checkpoint = checkpoint::<R>(folder, seeds);
        // A file of that name which is no checkpoint stays.
        if find_database(folder, R::VARIANT, seeds).is_some() && checkpoint.claim().is_ok() {
            checkpoint.remove();
        }
    }
}
