//! Builds the files of a folder by several ranks, one database after the other, like `builder.rs` on one machine.

use super::exchange::{Exchange, PeerLost, Reduction};
use super::iterations::{Next, Step, iterate};
use super::layout::{FULLEST, Layout};
use super::limits::{Limits, Traffic};
use super::share::DatabaseShare;
use super::stream::{load_checkpoint, write_checkpoint, write_database};
use crate::building::checkpoint::CheckpointFile;
use crate::building::folder::{FolderBuild, build_missing, checkpoint, prepare};
use crate::building::memory::available_memory;
use crate::building::needs::checkpoint_bytes;
use crate::building::plan::{EndgameBuildError, EndgamePlan, Missing};
use kroo_core::endgames::building::cell::{Cell, cell_bytes, fits_in_a_byte};
use kroo_core::endgames::building::database_builder::{DatabaseBuilder, shares_values};
use kroo_core::endgames::building::move_tables::tables_needed;
use kroo_core::endgames::probe::database::{Database, DatabaseCell};
use kroo_core::endgames::probe::database_files::open_database;
use kroo_core::endgames::probe::endgames::largest_database;
use kroo_core::endgames::probe::file::DatabaseFile;
use kroo_core::endgames::probe::indexing::{CODES, database_bytes};
use kroo_core::endgames::{
    BuildStatus, EndgameFileError, Endgames, Indexing, ThreadPool, database_path, database_size,
    find_database,
};
use kroo_core::game::{Rules, Variant};
use kroo_core::printable::gib;
use kroo_core::time::Instant;
use kroo_core::under;
use std::fs::File;
use std::io;
use std::path::Path;
use std::thread;
use std::time::Duration;

/// The least time between two checkpoints.
const INTERVAL: Duration = Duration::from_secs(60);
/// The part of the time that checkpoints may take.
const CHECKPOINTS: u32 = 10;
/// The longest time that a rank waits for a file that another one has written.
const APPEARS: Duration = Duration::from_secs(60);

/// An event of a distributed build, sent to all ranks.
#[derive(Clone, Copy, Debug)]
pub enum DistributedEvent<'a> {
    /// A database was there already.
    Found(u8),
    /// The progress of the database being built. Evaluations are those of this rank.
    Status(BuildStatus),
    /// A database is on the disk.
    Written {
        /// The database, by its seeds.
        seeds: u8,
        path: &'a Path,
        /// The work and messages of all ranks for it.
        traffic: Traffic,
    },
}

/// Why a distributed build ended early.
#[derive(Debug, thiserror::Error)]
pub enum DistributedBuildError {
    /// An error that a build on one machine can have, too.
    #[error(transparent)]
    Build(#[from] EndgameBuildError),
    #[error(transparent)]
    File(#[from] EndgameFileError),
    #[error(
        "{0} cannot be built by several processes, only awari and oware can: `kroo endgame build --variant {0}` builds it on one machine"
    )]
    Unsupported(Variant),
    #[error(
        "{variant} with {seeds} seeds takes {} of memory in each of {size} processes, and process {rank} may use {}: \
         start more of them, on more machines, or say with --memory how much each may use", gib(*.needed), gib(*.there)
    )]
    Memory { variant: Variant, seeds: u8, size: usize, rank: usize, needed: u64, there: u64 },
    /// Another rank cannot go on, and says why.
    #[error("another process cannot go on")]
    Elsewhere,
    #[error(transparent)]
    Peer(#[from] PeerLost),
}

/// The memory and disk space of a distributed build.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DistributedNeeds {
    /// Bytes of memory of each rank.
    pub memory: u64,
    /// Bytes on the disk: all files, and the largest checkpoint.
    pub disk: u64,
}

/// The needs of a build that finds no finished file.
pub fn needs(plan: &EndgamePlan, size: usize, limits: &Limits) -> DistributedNeeds {
    under!(plan.variant, R => needs_under::<R>(plan.seeds, size, limits))
}

fn needs_under<R: Rules>(seeds: u8, size: usize, limits: &Limits) -> DistributedNeeds {
    let rows: usize = (0..=seeds).map(|seeds| Indexing::get().row_count(seeds)).sum();
    let boards = database_size(seeds);
    let share = (boards * FULLEST / 100).div_ceil(size as u64).min(boards);
    let bits = 2 * (boards / 256 + rows as u64) / 8;
    let slabs = 14 * rows as u64 + 24 * rows.div_ceil(size) as u64;
    let cells = 2 * cell_bytes::<R>() as u64 + 1;
    let memory = (16 << 20) + cells * share + bits + slabs + tables_needed(seeds) + limits.bytes(size);
    let files: u64 = (0..=seeds).map(|seeds| (4096 + database_bytes::<R>(seeds)) as u64).sum();
    DistributedNeeds { memory, disk: files + checkpoint_bytes::<R>(seeds) }
}

/// Builds the missing databases together with the other ranks, which must have the same plan. Its memory is that of a rank.
///
/// `watch` gets every event, and the progress of the database often. It returns whether to stop; if it does so
/// on one rank, all stop.
///
/// # Errors
/// Why it ended early. One rank says why, and for the others it is [`DistributedBuildError::Elsewhere`], unless a rank has
/// gone without a word. The files on the disk are sound.
pub fn build_distributed(
    plan: &EndgamePlan,
    limits: &Limits,
    exchange: &mut dyn Exchange,
    watch: &mut dyn FnMut(DistributedEvent<'_>) -> bool,
) -> Result<Endgames, DistributedBuildError> {
    let builder = DatabaseBuilder::new(plan.variant, plan.seeds);
    let threads = ThreadPool::new(limits.threads);
    let build = Build { plan, limits, threads, builder, exchange, watch };
    under!(plan.variant, R => build.run::<R>())
}

struct Build<'a> {
    plan: &'a EndgamePlan,
    limits: &'a Limits,
    threads: ThreadPool,
    builder: DatabaseBuilder,
    exchange: &'a mut dyn Exchange,
    watch: &'a mut dyn FnMut(DistributedEvent<'_>) -> bool,
}

/// This rank's result if no rank has an error. Otherwise the first rank with an error returns it, and the others
/// [`DistributedBuildError::Elsewhere`].
fn agree<T>(
    exchange: &mut dyn Exchange,
    result: Result<T, DistributedBuildError>,
) -> Result<T, DistributedBuildError> {
    let rank = exchange.rank() as u64;
    let first = exchange.all_reduce_one(Reduction::Min, if result.is_err() { rank } else { u64::MAX })?;
    if first == u64::MAX || first == rank { result } else { Err(DistributedBuildError::Elsewhere) }
}

impl Build<'_> {
    fn run<R: Rules>(mut self) -> Result<Endgames, DistributedBuildError> {
        // A constant, which compiles it only for the rule sets that it can build.
        if const { !shares_values::<R>() } {
            return agree(self.exchange, Err(DistributedBuildError::Unsupported(R::VARIANT)));
        }
        let possible = self.is_possible::<R>();
        agree(self.exchange, possible)?;
        let folder = self.prepare_folder::<R>();
        let (_lock, Missing(missing)) = agree(self.exchange, folder)?;
        // Only rank 0 has looked for the files that are missing.
        let missing = Missing(self.exchange.all_reduce_one(Reduction::Or, missing)?);
        build_missing::<R, _>(self.plan, missing, &mut self)
    }
}

impl FolderBuild for Build<'_> {
    type Made = Traffic;
    type Error = DistributedBuildError;

    /// Rank 0 writes the file.
    fn build<R: Rules>(&mut self, endgames: &Endgames, seeds: u8) -> Result<Traffic, DistributedBuildError> {
        // Constants, which compile only one of the two.
        if const { fits_in_a_byte::<R>() } {
            self.build_cells::<R, u8>(endgames, seeds)
        } else {
            self.build_cells::<R, [u8; 2]>(endgames, seeds)
        }
    }

    fn open<R: Rules>(&mut self, seeds: u8) -> Result<Database, DistributedBuildError> {
        let database = self.open_file::<R>(seeds);
        agree(self.exchange, database)
    }

    fn finished(
        &mut self,
        seeds: u8,
        path: &Path,
        made: Option<Traffic>,
    ) -> Result<bool, DistributedBuildError> {
        let event = match made {
            Some(traffic) => DistributedEvent::Written { seeds, path, traffic },
            None => DistributedEvent::Found(seeds),
        };
        let stop = u64::from((self.watch)(event));
        Ok(self.exchange.all_reduce_one(Reduction::Max, stop)? == 1)
    }
}

impl Build<'_> {
    /// Whether the database and the memory of this rank allow it.
    fn is_possible<R: Rules>(&self) -> Result<(), DistributedBuildError> {
        let (seeds, most, size) = (self.plan.seeds, largest_database::<R>(), self.exchange.size());
        if seeds > most {
            return Err(EndgameBuildError::TooLarge { variant: R::VARIANT, seeds, most }.into());
        }
        let needed = needs(self.plan, size, self.limits).memory;
        let available = || available_memory().map(|bytes| bytes / self.limits.ranks_here as u64);
        match self.plan.memory.or_else(available).filter(|&there| there < needed) {
            None => Ok(()),
            Some(there) => {
                let rank = self.exchange.rank();
                Err(DistributedBuildError::Memory { variant: R::VARIANT, seeds, size, rank, needed, there })
            }
        }
    }

    /// The lock of the folder and the databases that are missing there, both for rank 0 only.
    fn prepare_folder<R: Rules>(&self) -> Result<(Option<File>, Missing), DistributedBuildError> {
        if self.exchange.rank() != 0 {
            return Ok((None, Missing::default()));
        }
        let (lock, missing) = prepare::<R>(self.plan, |_| 0)?;
        Ok((Some(lock), missing))
    }

    /// Opens the file of a database. Other machines may see it a while after it was written. Rank 0 checks all of it at once,
    /// the others what they read.
    fn open_file<R: Rules>(&self, seeds: u8) -> Result<Database, DistributedBuildError> {
        let (file, folder) = (DatabaseFile::of_database::<R>(seeds), &self.plan.folder);
        let began = Instant::now();
        let path = loop {
            match find_database(folder, R::VARIANT, seeds) {
                Some(path) => break path,
                None if began.elapsed() < APPEARS => thread::sleep(Duration::from_millis(100)),
                None => {
                    let path = database_path(folder, R::VARIANT, seeds);
                    let text = "this process does not see what process 0 has written: --out must be a folder that all machines share";
                    return Err(EndgameFileError::Read { path, source: io::Error::other(text) }.into());
                }
            }
        };
        let database = open_database(&file, &path)?;
        if self.exchange.rank() == 0 {
            database.check_all(&self.threads)?;
        }
        Ok(database)
    }

    /// Whether all that was read of the databases below one counts. Their blocks are checked when they are first read, since a
    /// rank needs little more than its share of them.
    fn are_sound<R: Rules>(&self, endgames: &Endgames, seeds: u8) -> Result<(), DistributedBuildError> {
        let mut databases = endgames.of::<R>()[..usize::from(seeds)].iter().filter_map(DatabaseCell::get);
        if databases.all(Database::is_sound) {
            return Ok(());
        }
        let lost = endgames.take_lost_files::<R>().into_iter().next();
        Err(lost.map_or(DistributedBuildError::Elsewhere, DistributedBuildError::File))
    }

    /// Builds a database in cells of a kind. Returns what all ranks have read and sent.
    fn build_cells<R: Rules, C: Cell>(
        &mut self,
        endgames: &Endgames,
        seeds: u8,
    ) -> Result<Traffic, DistributedBuildError> {
        let lower = endgames.lower::<R>(seeds);
        let (rank, size) = (self.exchange.rank(), self.exchange.size());
        let layout = Layout::balanced(seeds, rank, size);
        let tables = self.builder.tables();
        let mut database = DatabaseShare::<R, C>::new(seeds, rank, &self.threads, &layout, lower, tables);
        let sound = self.are_sound::<R>(endgames, seeds);
        agree(self.exchange, sound)?;
        let path = database_path(&self.plan.folder, R::VARIANT, seeds);
        let mut file = checkpoint::<R>(&self.plan.folder, seeds);
        let claimed = if rank == 0 { file.claim() } else { Ok(()) };
        agree(self.exchange, claimed.map_err(DistributedBuildError::File))?;
        let mut checkpoint = Saved { file, next: Instant::now() + INTERVAL };
        load_checkpoint(&mut database, &mut checkpoint.file);
        let (watch, mut traffic) = (&mut *self.watch, Traffic::default());
        let done = iterate(&mut database, self.exchange, self.limits, |database, exchange, step| {
            traffic = step.traffic;
            checkpoint.after(database, exchange, step, watch)
        })?;
        if !done {
            let databases = seeds.checked_sub(1);
            return Err(EndgameBuildError::Stopped { databases, lost: checkpoint.file.failed }.into());
        }
        let written =
            write_database(&database, self.exchange, &DatabaseFile::of_database::<R>(seeds), &path, CODES)?;
        agree(self.exchange, written.map_err(DistributedBuildError::File))?;
        if rank == 0 {
            checkpoint.file.remove();
        }
        let mut numbers = traffic.numbers();
        self.exchange.all_reduce(Reduction::Sum, &mut numbers)?;
        Ok(Traffic::of_numbers(numbers))
    }
}

struct Saved {
    file: CheckpointFile,
    /// When it is due.
    next: Instant,
}

impl Saved {
    /// The end of a step: reports progress, writes a checkpoint if it is due, and ends if a rank is to stop.
    fn after<R: Rules, C: Cell>(
        &mut self,
        database: &DatabaseShare<'_, R, C>,
        exchange: &mut dyn Exchange,
        step: &Step,
        watch: &mut dyn FnMut(DistributedEvent<'_>) -> bool,
    ) -> Result<Next, PeerLost> {
        let (evaluations, iteration, fraction) = (step.traffic.evaluations, step.iteration, step.fraction);
        let status = BuildStatus { seeds: database.seeds, iteration, fraction, evaluations };
        let stop = u64::from(watch(DistributedEvent::Status(status)));
        let due = u64::from(exchange.rank() == 0 && Instant::now() >= self.next);
        let wanted = exchange.all_reduce_one(Reduction::Or, stop | due << 1)?;
        if wanted != 0 {
            let began = Instant::now();
            write_checkpoint(database, exchange, &mut self.file)?;
            self.next = Instant::now() + INTERVAL.max(began.elapsed() * CHECKPOINTS);
        }
        Ok(if wanted & 1 == 1 { Next::Stop } else { Next::GoOn })
    }
}
