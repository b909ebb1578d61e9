//! Building the files of a rule set, one database after the other.
//!
//! Each database is put in its place as soon as it is done. An existing database is checked and used. A build can therefore be
//! killed at any moment and started again: it loses the database in progress, and of a long one only the work after the last
//! checkpoint (`checkpoint.rs`). A finished database is read back, checked, and used from its file, which frees its memory for
//! the next. The files depend on the rules only, not on the number of threads or on interruptions.

#[doc(hidden)]
pub mod checkpoint;
#[doc(hidden)]
pub mod distributed;
pub(crate) mod folder;
#[doc(hidden)]
pub mod memory;
mod needs;
mod out_of_core;
pub(crate) mod plan;

use crate::writer::write_database;
use folder::{FolderBuild, build_missing, checkpoint, prepare};
use kroo_core::endgames::building::database_builder::{DatabaseBuilder, shares_values};
use kroo_core::endgames::probe::database::Database;
use kroo_core::endgames::probe::database_files::check_database;
use kroo_core::endgames::probe::endgames::largest_database;
use kroo_core::endgames::probe::error::build_command;
use kroo_core::endgames::probe::file::DatabaseFile;
use kroo_core::endgames::{
    BuildStatus, Endgames, ThreadPool, WatchedPool, database_path, find_database, user_folder,
};
use kroo_core::game::{Rules, Variant};
use kroo_core::thread_pool::Stopped;
use kroo_core::under;
use memory::available_memory;
use needs::{besides, enough_disk, enough_memory, memory_needed, scratch};
use out_of_core::OutOfCoreError;
use plan::{EndgameBuildError, EndgamePlan};
use std::path::Path;

/// Something that happens in a build.
#[derive(Clone, Copy, Debug)]
pub enum BuildEvent<'a> {
    /// A database that was there already has been checked.
    Found(u8),
    /// The progress of the database that is being built.
    Status(BuildStatus),
    /// A database is built with most of its values on the disk, since it needs more memory than may be used.
    OutOfCore {
        /// The database, by its seeds.
        seeds: u8,
        /// Bytes of memory that it would take.
        needed: u64,
        /// Bytes of memory there are.
        there: u64,
    },
    /// A database is on the disk: its file.
    Written(u8, &'a Path),
}

/// Builds the missing databases, and returns the endgames with all of them.
///
/// `watch` gets every event, and the progress of the database often. It returns whether to stop.
///
/// # Errors
/// The reason for an early end. The files on the disk are then sound.
pub fn build(
    plan: &EndgamePlan,
    watch: &mut dyn FnMut(BuildEvent<'_>) -> bool,
) -> Result<Endgames, EndgameBuildError> {
    under!(plan.variant, R => build_under::<R>(plan, watch))
}

/// Advice about a position with `seeds` seeds, which the endgames in a folder do not reach: the command that
/// builds them, if this machine has room for them. Without a folder, the user's is meant.
pub fn advice(variant: Variant, seeds: u8, folder: Option<&Path>) -> String {
    if let Some(why) = Endgames::why_no_files(variant) {
        return format!("{why}; `kroo analyse` searches a position without them");
    }
    let command = build_command(variant.rule_set(), seeds, folder);
    let folder = folder.map(Path::to_owned).or_else(user_folder).unwrap_or_default();
    let plan = EndgamePlan { variant, seeds, folder, threads: 1, memory: None };
    match under!(variant, R => has_room::<R>(&plan)) {
        Ok(()) => format!("`{command}` builds them"),
        Err(_) => {
            "they are more than this machine has room for; `kroo analyse` searches a position without them"
                .to_owned()
        }
    }
}

fn has_room<R: Rules>(plan: &EndgamePlan) -> Result<(), EndgameBuildError> {
    let memory = available_memory();
    within_reach::<R>(plan, memory)?;
    let missing = plan.missing::<R>();
    enough_disk::<R>(plan, missing, scratch::<R>(plan, memory, missing))
}

/// Whether the engine can work out the databases of a plan in `memory` bytes.
fn within_reach<R: Rules>(plan: &EndgamePlan, memory: Option<u64>) -> Result<(), EndgameBuildError> {
    let most = largest_database::<R>();
    if plan.seeds > most {
        return Err(EndgameBuildError::TooLarge { variant: R::VARIANT, seeds: plan.seeds, most });
    }
    plan.missing::<R>().largest().map_or(Ok(()), |largest| enough_memory::<R>(plan, memory, largest))
}

fn build_under<R: Rules>(
    plan: &EndgamePlan,
    watch: &mut dyn FnMut(BuildEvent<'_>) -> bool,
) -> Result<Endgames, EndgameBuildError> {
    let memory = plan.memory.or_else(available_memory);
    within_reach::<R>(plan, memory)?;
    let (_lock, missing) = prepare::<R>(plan, |missing| scratch::<R>(plan, memory, missing))?;
    let builder = DatabaseBuilder::new(R::VARIANT, plan.seeds);
    let threads = ThreadPool::new(plan.threads);
    build_missing::<R, _>(plan, missing, &mut OneMachine { plan, memory, threads, builder, watch })
}

/// A build by the threads of this process.
struct OneMachine<'a> {
    plan: &'a EndgamePlan,
    /// Bytes of memory to use at most, if that is known.
    memory: Option<u64>,
    threads: ThreadPool,
    builder: DatabaseBuilder,
    watch: &'a mut dyn FnMut(BuildEvent<'_>) -> bool,
}

impl FolderBuild for OneMachine<'_> {
    type Made = ();
    type Error = EndgameBuildError;

    fn build<R: Rules>(&mut self, endgames: &Endgames, seeds: u8) -> Result<(), EndgameBuildError> {
        let OneMachine { plan, memory, threads, builder, watch } = self;
        let path = database_path(&plan.folder, R::VARIANT, seeds);
        let mut checkpoint = checkpoint::<R>(&plan.folder, seeds);
        checkpoint.claim()?;
        let needed = memory_needed::<R>(&plan.folder, seeds);
        let lower = endgames.lower::<R>(seeds);
        let stopped = |lost| EndgameBuildError::Stopped { databases: seeds.checked_sub(1), lost };
        // The other rule sets have been refused (`least_memory`), and nothing is compiled for them.
        if const { shares_values::<R>() }
            && let Some(there) = memory.filter(|&there| there < needed)
        {
            if watch(BuildEvent::OutOfCore { seeds, needed, there }) {
                return Err(stopped(None));
            }
            let watch = &mut |status| watch(BuildEvent::Status(status));
            let mut pool = WatchedPool { threads, watch };
            let within = (there.saturating_sub(besides::<R>(&plan.folder, seeds)), &*path);
            let tables = builder.tables();
            match out_of_core::build_file::<R>(seeds, lower, tables, &mut pool, &mut checkpoint, within) {
                Ok(()) => {}
                Err(OutOfCoreError::Stopped) => return Err(stopped(None)),
                Err(OutOfCoreError::File(error)) => return Err(error.into()),
            }
        } else {
            let watch = &mut |status| watch(BuildEvent::Status(status));
            let mut pool = WatchedPool { threads, watch };
            match builder.build(seeds, lower, &mut pool, &mut checkpoint) {
                Ok(database) => write_database(&database, &path, R::VARIANT, seeds)?,
                Err(Stopped) => return Err(stopped(checkpoint.failed)),
            }
        }
        checkpoint.remove();
        Ok(())
    }

    fn open<R: Rules>(&mut self, seeds: u8) -> Result<Database, EndgameBuildError> {
        let (file, folder) = (DatabaseFile::of_database::<R>(seeds), &self.plan.folder);
        let path = find_database(folder, R::VARIANT, seeds);
        let path = path.unwrap_or_else(|| database_path(folder, R::VARIANT, seeds));
        Ok(check_database(&file, &path, &self.threads)?.unpacked())
    }

    fn finished(&mut self, seeds: u8, path: &Path, made: Option<()>) -> Result<bool, EndgameBuildError> {
        Ok((self.watch)(made.map_or(BuildEvent::Found(seeds), |()| BuildEvent::Written(seeds, path))))
    }
}
