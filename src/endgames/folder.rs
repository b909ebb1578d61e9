//! The folder of a build: its lock, what an earlier build has left there, and the loop over what is missing.

use crate::checkpoint::checkpoint_path;
use crate::needs::enough_disk;
use crate::plan::{EndgameBuildError, EndgamePlan, Missing};
use kroo_core::endgame::database::Database;
use kroo_core::endgame::endgames::largest_database;
use kroo_core::endgame::{EndgameFileError, Endgames, database_path};
use kroo_core::files::{self, WriteError};
use kroo_core::game::Rules;
use std::fs::{self, File, TryLockError};
use std::path::Path;

/// A way to build the databases of a folder: by this process, or together with others.
pub trait FolderBuild {
    /// A database that was built.
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

/// Builds the missing databases of a plan, each once those below it have their files, and returns all of them. A database that
/// has been written is used from its file, so that the memory it took is free for the next.
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

/// Locks and cleans the folder of a build, and checks that there is room on the disk for what is missing and for `scratch`
/// bytes. The lock is held as long as the file is open.
pub fn prepare<R: Rules>(
    plan: &EndgamePlan,
    scratch: impl FnOnce(Missing) -> u64,
) -> Result<(File, Missing), EndgameBuildError> {
    let lock = lock(&plan.folder)?;
    clean_up::<R>(&plan.folder);
    let missing = plan.missing::<R>();
    enough_disk::<R>(plan, missing, scratch(missing))?;
    Ok((lock, missing))
}

/// Makes the folder, and keeps others from building there as long as the returned file is open.
///
/// The system takes the lock away however the program ends.
pub fn lock(folder: &Path) -> Result<File, EndgameBuildError> {
    let unusable = |source| EndgameFileError::from(WriteError { path: folder.to_owned(), source });
    fs::create_dir_all(folder).map_err(unusable)?;
    let file = files::open_to_lock(folder).map_err(unusable)?;
    file.try_lock().map_err(|error| match error {
        TryLockError::WouldBlock => EndgameBuildError::Busy { folder: folder.to_owned() },
        TryLockError::Error(source) => unusable(source).into(),
    })?;
    Ok(file)
}

/// Takes away what a build that was killed has left, but for checkpoints to go on from. No other build runs there.
fn clean_up<R: Rules>(folder: &Path) {
    for seeds in 0..=largest_database::<R>() {
        let path = database_path(folder, R::VARIANT, seeds);
        let checkpoint = checkpoint_path(&path);
        // Leftovers that cannot be deleted do no harm.
        let _ = files::remove_abandoned(&path).and_then(|()| files::remove_abandoned(&checkpoint));
        if path.exists() {
            let _ = fs::remove_file(checkpoint);
        }
    }
}
