//! Building the files of a rule set, one database after the other.
//!
//! Each database is put in its place as soon as it is done. A database that is there already is checked and used. So a build
//! can be killed at any moment and begun again: it loses the database that was being built, and of a long one only what came
//! after the last checkpoint (`checkpoint.rs`). A database that has been written is read back, checked, and used from its
//! file, so that the memory it took is free for the next. The files depend on nothing but the rules: not on the number of
//! threads, and not on where a build was cut off.

use super::checkpoint::{Checkpoint, file_bytes};
use super::database::Database;
use super::database_builder::DatabaseBuilder;
use super::database_files::{check_database, find_database, write_database};
use super::endgames::{Endgames, largest_database};
use super::error::EndgameFileError;
use super::file::{DatabaseFile, database_path, is_packed};
use super::indexing::plain_bytes;
use super::thread_pool::{BuildStatus, ThreadPool};
use crate::files::{self, WriteError, shown};
use crate::game::{Rules, Variant, Visitor};
use crate::printable::{counted, gib};
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

/// The rule set, the size, the folder and the limits of a build.
#[derive(Clone, Debug, PartialEq)]
pub struct EndgamePlan {
    /// The rule set.
    pub variant: Variant,
    /// The largest database.
    pub seeds: u8,
    /// The folder of the files; the build makes it if it does not exist.
    pub folder: PathBuf,
    /// Threads to work with.
    pub threads: usize,
    /// Bytes of memory to use at most; none for what the system has available.
    pub memory: Option<u64>,
}

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

/// Why a build ended early.
#[derive(Debug, thiserror::Error)]
pub enum EndgameBuildError {
    /// A file or the folder cannot be used.
    #[error(transparent)]
    File(#[from] EndgameFileError),
    /// Another build is at work there.
    #[error("another build is at work in {}: wait for it, or build elsewhere with --out", shown(.folder))]
    Busy {
        /// The folder.
        folder: PathBuf,
    },
    /// It takes too much memory.
    #[error(
        "{variant} with {} takes at least {} of memory for its largest database, and {} are {}: {}{}",
        counted((*.seeds).into(), "seed"), gib(*.needed), gib(*.there), if *.told { "allowed by --memory" } else { "available" },
        .fits.map_or_else(String::new, |fits| format!("build up to {}, or ", counted(fits.into(), "seed"))),
        if *.told { "allow more" } else { "say with --memory how much may be used all the same" }
    )]
    Memory {
        /// The rule set.
        variant: Variant,
        /// The largest database.
        seeds: u8,
        /// Bytes it takes.
        needed: u64,
        /// Bytes there are.
        there: u64,
        /// Whether the user named it.
        told: bool,
        /// The largest database that it is enough for, if it is for any.
        fits: Option<u8>,
    },
    /// It takes too much room on the disk.
    #[error(
        "the files take {} more on the disk, and {} are free in {}: make room, or build elsewhere with --out",
        gib(*.needed), gib(*.there), shown(.folder)
    )]
    Disk {
        /// The folder.
        folder: PathBuf,
        /// Bytes it takes.
        needed: u64,
        /// Bytes that are free.
        there: u64,
    },
    /// The database is larger than this engine can work out.
    #[error("{variant} is worked out up to {}, not {seeds}", counted((*.most).into(), "seed"))]
    TooLarge {
        /// The rule set.
        variant: Variant,
        /// The database that was asked for.
        seeds: u8,
        /// The largest one.
        most: u8,
    },
    /// It was stopped on request.
    #[error(
        "stopped with {} on the disk; the same command goes on from there{}",
        .databases.map_or("no database".to_owned(), |seeds| format!("the databases up to {}", counted(seeds.into(), "seed"))),
        .lost.as_ref().map_or(String::new(), |error| format!(", but the checkpoint of the next database is lost: {error}"))
    )]
    Stopped {
        /// Up to how many seeds all databases are there.
        databases: Option<u8>,
        /// Why the checkpoint of the next database could not be saved.
        lost: Option<EndgameFileError>,
    },
}

/// The folder in which files are built and looked for unless another one is named; none where the system has no folder for a
/// user's data. It need not exist.
#[must_use]
pub fn user_folder() -> Option<PathBuf> {
    files::user_data_folder().map(|folder| folder.join("endgames"))
}

/// Builds what is missing, and returns the endgames with all the databases.
///
/// `watch` gets every event, and the progress of the database often. It returns whether to stop.
///
/// # Errors
/// Why it ended early; what is on the disk then is sound.
pub fn build(
    plan: &EndgamePlan,
    watch: &mut dyn FnMut(BuildEvent<'_>) -> bool,
) -> Result<Endgames, EndgameBuildError> {
    plan.variant.visit(Build { plan, watch })
}

/// Advice about a position with `seeds` seeds, which the endgames in a folder do not reach: the command that
/// builds them, if this machine has room for them. Without a folder, the user's is meant.
#[must_use]
pub fn advice(variant: Variant, seeds: u8, folder: Option<&Path>) -> String {
    let out = folder.map(|folder| format!(" --out {}", folder.display().to_string().escape_debug()));
    let folder = folder.map(Path::to_owned).or_else(user_folder).unwrap_or_default();
    let plan = EndgamePlan { variant, seeds, folder, threads: 1, memory: None };
    match variant.visit(HasRoom(&plan)) {
        Ok(()) => format!(
            "`kroo endgame build --variant {variant} --seeds {seeds}{}` builds them",
            out.unwrap_or_default()
        ),
        Err(_) => {
            "they are more than this machine has room for; `kroo analyse` searches a position without them"
                .to_owned()
        }
    }
}

/// Whether a build can begin.
struct HasRoom<'a>(&'a EndgamePlan);

impl Visitor for HasRoom<'_> {
    type Output = Result<(), EndgameBuildError>;

    fn visit<R: Rules>(self) -> Self::Output {
        let HasRoom(plan) = self;
        let memory = available_memory();
        within_reach::<R>(plan, memory)?;
        let missing = missing::<R>(plan);
        enough_disk::<R>(plan, &missing, scratch::<R>(plan, memory, &missing))
    }
}

/// The databases of a plan that have no file yet.
fn missing<R: Rules>(plan: &EndgamePlan) -> Vec<u8> {
    (0..=plan.seeds).filter(|&seeds| find_database(&plan.folder, R::VARIANT, seeds).is_none()).collect()
}

/// Bytes on the disk that the largest of the missing databases takes while it is built.
fn scratch<R: Rules>(plan: &EndgamePlan, memory: Option<u64>, missing: &[u8]) -> u64 {
    missing.last().map_or(0, |&seeds| {
        let is_in_memory = memory_needed::<R>(&plan.folder, seeds) <= memory.unwrap_or(u64::MAX);
        if is_in_memory { 0 } else { DatabaseBuilder::<R>::scratch_bytes(seeds) }
    })
}

/// Whether the engine can work out the databases of a plan in `memory` bytes.
fn within_reach<R: Rules>(plan: &EndgamePlan, memory: Option<u64>) -> Result<(), EndgameBuildError> {
    let most = largest_database::<R>();
    if plan.seeds > most {
        return Err(EndgameBuildError::TooLarge { variant: R::VARIANT, seeds: plan.seeds, most });
    }
    missing::<R>(plan).last().map_or(Ok(()), |&largest| enough_memory::<R>(plan, memory, largest))
}

struct Build<'a> {
    plan: &'a EndgamePlan,
    watch: &'a mut dyn FnMut(BuildEvent<'_>) -> bool,
}

impl Visitor for Build<'_> {
    type Output = Result<Endgames, EndgameBuildError>;

    fn visit<R: Rules>(self) -> Self::Output {
        let Build { plan, watch } = self;
        let memory = plan.memory.or_else(available_memory);
        within_reach::<R>(plan, memory)?;
        let _lock = lock(&plan.folder)?;
        clean_up::<R>(&plan.folder);
        let missing = missing::<R>(plan);
        enough_disk::<R>(plan, &missing, scratch::<R>(plan, memory, &missing))?;
        let endgames = Endgames::new();
        let builder = DatabaseBuilder::up_to(plan.seeds);
        for seeds in 0..=plan.seeds {
            let stopped = |lost| EndgameBuildError::Stopped { databases: seeds.checked_sub(1), lost };
            let database = match find_database(&plan.folder, R::VARIANT, seeds) {
                Some(path) => {
                    check_database(&DatabaseFile::of_database::<R>(seeds), &path, plan.threads)?.unpacked()
                }
                None => endgames.build_file::<R>(plan, memory, seeds, &builder, watch)?.map_err(stopped)?,
            };
            endgames.add::<R>(seeds, database);
            let path = database_path(&plan.folder, R::VARIANT, seeds);
            let event = if missing.contains(&seeds) {
                BuildEvent::Written(seeds, &path)
            } else {
                BuildEvent::Found(seeds)
            };
            if watch(event) && seeds < plan.seeds {
                return Err(EndgameBuildError::Stopped { databases: Some(seeds), lost: None });
            }
        }
        Ok(endgames)
    }
}

/// Makes the folder, and keeps others from building there as long as the returned file is open.
///
/// The system takes the lock away however the program ends.
pub(super) fn lock(folder: &Path) -> Result<File, EndgameBuildError> {
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
pub(super) fn clean_up<R: Rules>(folder: &Path) {
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

/// The file of the checkpoint of a database, in the same folder as the database.
pub fn checkpoint_path(database: &Path) -> PathBuf {
    database.with_extension("part")
}

impl Endgames {
    /// Builds a database, writes its file, and returns it as the file has it. If it was stopped: why the checkpoint could not
    /// be saved, if so.
    fn build_file<R: Rules>(
        &self,
        plan: &EndgamePlan,
        memory: Option<u64>,
        seeds: u8,
        builder: &DatabaseBuilder<R>,
        watch: &mut dyn FnMut(BuildEvent<'_>) -> bool,
    ) -> Result<Result<Database, Option<EndgameFileError>>, EndgameBuildError> {
        let path = database_path(&plan.folder, R::VARIANT, seeds);
        let bytes = DatabaseBuilder::<R>::checkpoint_bytes(seeds) as usize;
        let mut checkpoint = Checkpoint::at(checkpoint_path(&path), R::VARIANT, seeds, bytes);
        let needed = memory_needed::<R>(&plan.folder, seeds);
        let lower = self.lower::<R>(seeds);
        // The other rule sets have been refused (`least_memory`), and nothing is compiled for them.
        if const { DatabaseBuilder::<R>::SHARES_VALUES }
            && let Some(there) = memory.filter(|&there| there < needed)
        {
            if watch(BuildEvent::OutOfCore { seeds, needed, there }) {
                return Ok(Err(None));
            }
            let watch = &mut |status| watch(BuildEvent::Status(status));
            let mut pool = ThreadPool { threads: plan.threads, watch };
            let within = (there.saturating_sub(besides::<R>(&plan.folder, seeds)), &*path);
            if builder.build_file(seeds, lower, &mut pool, &mut checkpoint, within)?.is_err() {
                return Ok(Err(None));
            }
        } else {
            let watch = &mut |status| watch(BuildEvent::Status(status));
            let mut pool = ThreadPool { threads: plan.threads, watch };
            let Ok(database) = builder.build(seeds, lower, &mut pool, &mut checkpoint) else {
                return Ok(Err(checkpoint.failed));
            };
            write_database(&database, &path, R::VARIANT, seeds)?;
        }
        checkpoint.remove();
        Ok(Ok(check_database(&DatabaseFile::of_database::<R>(seeds), &path, plan.threads)?))
    }
}

/// Bytes of memory that building a database takes: what its values, its tables and the moves take, plus 16 MiB. The databases
/// below it are mapped from their files, and the system keeps as much of them in memory as there is room for. Only those
/// that are packed are unpacked into memory.
fn memory_needed<R: Rules>(folder: &Path, seeds: u8) -> u64 {
    DatabaseBuilder::<R>::memory_needed(seeds) + besides::<R>(folder, seeds)
}

/// The least bytes of memory that a database can be built in, part of it on the disk where the rule set allows that.
fn least_memory<R: Rules>(folder: &Path, seeds: u8) -> u64 {
    DatabaseBuilder::<R>::least_memory(seeds) + besides::<R>(folder, seeds)
}

/// Bytes of memory needed in addition to the database that is being built.
fn besides<R: Rules>(folder: &Path, seeds: u8) -> u64 {
    let is_packed =
        |seeds: &u8| find_database(folder, R::VARIANT, *seeds).is_some_and(|path| is_packed(&path));
    let unpacked: u64 = (0..seeds).filter(is_packed).map(plain_bytes::<R>).sum();
    (16 << 20) + unpacked
}

fn enough_memory<R: Rules>(
    plan: &EndgamePlan,
    memory: Option<u64>,
    seeds: u8,
) -> Result<(), EndgameBuildError> {
    let Some(there) = memory else { return Ok(()) };
    let needed = |seeds| least_memory::<R>(&plan.folder, seeds);
    if needed(seeds) <= there {
        return Ok(());
    }
    let fits = (0..seeds).rev().find(|&seeds| needed(seeds) <= there);
    let (needed, told) = (needed(seeds), plan.memory.is_some());
    Err(EndgameBuildError::Memory { variant: R::VARIANT, seeds, needed, there, told, fits })
}

/// Bytes that the system can give without taking them from others, as far as it says so.
pub(super) fn available_memory() -> Option<u64> {
    // Two numbers of two files: the engine needs no crate for that.
    let number = |text: &str| text.split_whitespace().next()?.parse::<u64>().ok();
    let info = fs::read_to_string("/proc/meminfo").ok()?;
    let system = info.lines().find_map(|line| number(line.strip_prefix("MemAvailable:")?))? << 10;
    // A container may be allowed less than the machine has.
    let most = fs::read_to_string("/sys/fs/cgroup/memory.max").ok().and_then(|text| number(&text));
    Some(most.map_or(system, |most| most.min(system)))
}

/// Whether there is room for the files that are missing, for a checkpoint, and for `scratch` bytes.
pub(super) fn enough_disk<R: Rules>(
    plan: &EndgamePlan,
    missing: &[u8],
    scratch: u64,
) -> Result<(), EndgameBuildError> {
    let files: u64 = missing.iter().map(|&seeds| 4096 + plain_bytes::<R>(seeds)).sum();
    let checkpoint =
        missing.last().map_or(0, |&seeds| file_bytes(DatabaseBuilder::<R>::checkpoint_bytes(seeds)));
    let needed = files + checkpoint + scratch;
    // Before the build makes the folder, the disk is that of the first folder above it.
    match free_disk(plan.folder.ancestors().find(|folder| folder.exists()).unwrap_or(Path::new("."))) {
        Ok(there) if there < needed => {
            Err(EndgameBuildError::Disk { folder: plan.folder.clone(), needed, there })
        }
        // A system that does not tell will say so when a file is written.
        _ => Ok(()),
    }
}

#[cfg(target_os = "linux")]
fn free_disk(folder: &Path) -> io::Result<u64> {
    let disk = rustix::fs::statvfs(folder)?;
    Ok(disk.f_bavail * disk.f_frsize)
}

#[cfg(not(target_os = "linux"))]
fn free_disk(_folder: &Path) -> io::Result<u64> {
    Ok(u64::MAX)
}
