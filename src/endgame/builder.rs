//! Building the files of a rule set, level by level.
//!
//! Each level is put in its place as soon as it is done, and what is there already is checked and used, so a build can be
//! killed at any moment and begun again: it loses the level in the making, and of a long one only what came after the
//! last writing of its values (`part.rs`). A level that has been written is read back, checked, and used from its file, so
//! that the memory it took is free for the next. The files hang on nothing but the rules: not on the threads, not on
//! where a build was cut off.

use super::crew::Crew;
use super::fault::FileError;
use super::file::{Kind, Wanted, file_of};
use super::part::Part;
use super::{Endgames, Stage, Work, count, planes, wanted};
use crate::files::{self, WriteError, shown};
use crate::game::{Cycle, Rules, Variant, Visitor};
use once_cell::sync::OnceCell;
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

/// What to build.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// The rule set.
    pub variant: Variant,
    /// The largest level.
    pub seeds: u8,
    /// Where the files go; it is made if it is not there.
    pub folder: PathBuf,
    /// Threads to work with.
    pub threads: usize,
    /// Bytes of memory to use at the most; none for what the system has.
    pub memory: Option<u64>,
}

/// Something that a build tells.
#[derive(Clone, Copy, Debug)]
pub enum Event<'a> {
    /// A level that is there has been checked.
    Found(u8),
    /// A level in the making has come so far.
    Stage(Stage),
    /// A level is on the disk: its file.
    Written(u8, &'a Path),
}

/// Why a build ended early.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    /// A file or the folder is not what it should be.
    #[error(transparent)]
    File(#[from] FileError),
    /// Somebody else builds there.
    #[error("another build is at work in {}: wait for it, or build elsewhere with --out", shown(.folder))]
    Busy {
        /// The folder.
        folder: PathBuf,
    },
    /// It takes too much memory.
    #[error(
        "{variant} with {seeds} seeds takes {} GiB of memory, and {} GiB are {}: build up to {} seeds, or {}",
        gib(.needed), gib(.there), if *.told { "allowed by --memory" } else { "available" }, .fits,
        if *.told { "allow more" } else { "say with --memory how much may be used all the same" }
    )]
    Memory {
        /// The rule set.
        variant: Variant,
        /// The largest level.
        seeds: u8,
        /// Bytes it takes.
        needed: u64,
        /// Bytes there are.
        there: u64,
        /// Whether somebody said so.
        told: bool,
        /// The largest level that it is enough for.
        fits: u8,
    },
    /// It takes too much room on the disk.
    #[error(
        "the files take {} GiB more on the disk, and {} GiB are free in {}: make room, or build elsewhere with --out",
        gib(.needed), gib(.there), shown(.folder)
    )]
    Disk {
        /// The folder.
        folder: PathBuf,
        /// Bytes it takes.
        needed: u64,
        /// Bytes that are free.
        there: u64,
    },
    /// The level is larger than this engine can work out.
    #[error("{variant} is worked out up to {most} seeds, not {seeds}")]
    TooLarge {
        /// The rule set.
        variant: Variant,
        /// The level that was asked for.
        seeds: u8,
        /// The largest one.
        most: u8,
    },
    /// It was stopped on request.
    #[error(
        "stopped with {} on the disk; the same command goes on from there{}",
        .levels.map_or("no level".to_owned(), |seeds| format!("the levels up to {seeds} seeds")),
        .lost.as_ref().map_or(String::new(), |error| format!(", but the level in the making is lost: {error}"))
    )]
    Stopped {
        /// Up to how many seeds all levels are there.
        levels: Option<u8>,
        /// Why the level in the making could not be kept.
        lost: Option<FileError>,
    },
}

/// Bytes as a message tells them.
fn gib(bytes: &u64) -> String {
    format!("{:.2}", *bytes as f64 / f64::from(1 << 30))
}

/// Builds what is missing, and returns the endgames with all the levels.
///
/// `watch` hears of everything, and often of the stage of the level in the making; it says whether to stop.
///
/// # Errors
/// Why it ended early; what is on the disk then is sound.
pub fn build(plan: &Plan, watch: &mut dyn FnMut(Event<'_>) -> bool) -> Result<Endgames, BuildError> {
    plan.variant.visit(Build { plan, watch })
}

struct Build<'a> {
    plan: &'a Plan,
    watch: &'a mut dyn FnMut(Event<'_>) -> bool,
}

impl Visitor for Build<'_> {
    type Output = Result<Endgames, BuildError>;

    fn visit<R: Rules>(self) -> Self::Output {
        let Build { plan, watch } = self;
        let most = largest::<R>();
        if plan.seeds > most {
            return Err(BuildError::TooLarge { variant: R::VARIANT, seeds: plan.seeds, most });
        }
        let missing = || -> Vec<u8> {
            let missing = |seeds: &u8| !file_of(&plan.folder, R::VARIANT, *seeds).exists();
            (0..=plan.seeds).filter(missing).collect()
        };
        missing().last().map_or(Ok(()), |&largest| enough_memory::<R>(plan, largest))?;
        let _lock = lock(&plan.folder)?;
        tidy::<R>(&plan.folder);
        let missing = missing();
        enough_disk::<R>(plan, &missing)?;
        let endgames = Endgames::new();
        let work = Work { most: plan.seeds, tables: OnceCell::new() };
        for seeds in 0..=plan.seeds {
            let stopped = |lost| BuildError::Stopped { levels: seeds.checked_sub(1), lost };
            let level = if missing.contains(&seeds) {
                endgames.write_level::<R>(plan, seeds, &work, watch)?.map_err(stopped)?
            } else {
                wanted::<R>(seeds).level(&file_of(&plan.folder, R::VARIANT, seeds), plan.threads)?
            };
            endgames.levels[R::VARIANT as usize][usize::from(seeds)].set(level).expect("it was not there");
            let path = file_of(&plan.folder, R::VARIANT, seeds);
            let event =
                if missing.contains(&seeds) { Event::Written(seeds, &path) } else { Event::Found(seeds) };
            if watch(event) && seeds < plan.seeds {
                return Err(BuildError::Stopped { levels: Some(seeds), lost: None });
            }
        }
        Ok(endgames)
    }
}

/// Makes the folder and keeps others from building there as long as what is returned lives.
///
/// The lock is one on the folder itself: it leaves nothing behind, and the system undoes it at any end.
fn lock(folder: &Path) -> Result<File, BuildError> {
    let unusable = |source| FileError::from(WriteError { path: folder.to_owned(), source });
    fs::create_dir_all(folder).map_err(unusable)?;
    let file = File::open(folder).map_err(unusable)?;
    file.try_lock().map_err(|error| match error {
        TryLockError::WouldBlock => BuildError::Busy { folder: folder.to_owned() },
        TryLockError::Error(source) => unusable(source).into(),
    })?;
    Ok(file)
}

/// Takes away what a build that was killed has left, but for values to go on from. Nobody else builds there.
fn tidy<R: Rules>(folder: &Path) {
    for seeds in 0..=R::SEEDS {
        let path = file_of(folder, R::VARIANT, seeds);
        let part = path.with_extension("part");
        // What cannot be taken away is in nobody's way.
        let _ = files::remove_abandoned(&path).and_then(|()| files::remove_abandoned(&part));
        if path.exists() {
            let _ = fs::remove_file(part);
        }
    }
}

impl Endgames {
    /// Makes a level, writes its file, and returns it as the file has it. If it was stopped: why the level in the making
    /// could not be kept, if so.
    fn write_level<R: Rules>(
        &self,
        plan: &Plan,
        seeds: u8,
        work: &Work,
        watch: &mut dyn FnMut(Event<'_>) -> bool,
    ) -> Result<Result<super::Level, Option<FileError>>, BuildError> {
        let path = file_of(&plan.folder, R::VARIANT, seeds);
        let bytes = part_bytes::<R>(seeds);
        let kept = Wanted { kind: Kind::Part, bytes, coded: false, ..wanted::<R>(seeds) };
        let mut part = Part::at(path.with_extension("part"), kept, plan.threads);
        let mut crew = Crew { threads: plan.threads, watch: &mut |stage| watch(Event::Stage(stage)) };
        let Ok(level) = self.make::<R>(seeds, work, &mut crew, &mut part) else {
            return Ok(Err(part.failed));
        };
        level.write(&path, R::VARIANT, seeds)?;
        drop(level);
        part.remove();
        Ok(Ok(wanted::<R>(seeds).level(&path, plan.threads)?))
    }
}

/// Bytes that are kept of a level in the making.
fn part_bytes<R: Rules>(seeds: u8) -> usize {
    match R::CYCLE {
        Cycle::Impossible => planes::<R>() * count(seeds) + super::acyclic::DONE,
        _ if R::LEAD_ADDS => count(seeds),
        _ => 2 * count(seeds),
    }
}

/// The largest level that can be worked out.
fn largest<R: Rules>() -> u8 {
    // The relay's lists have numbers of 32 bits.
    let fits =
        |seeds: &u8| R::CYCLE == Cycle::Impossible || !R::LEAD_ADDS || u32::try_from(count(*seeds)).is_ok();
    (0..=R::SEEDS).take_while(fits).last().unwrap_or(0)
}

/// Bytes of memory that a level takes with all below it, somewhat rounded up from what was measured.
fn memory_needed<R: Rules>(seeds: u8) -> u64 {
    let boards = count(seeds) as u64;
    let level = match R::CYCLE {
        Cycle::Impossible => boards * planes::<R>() as u64,
        // The best exit, where the moves begin and lead to, the gain.
        _ if R::LEAD_ADDS => 20 * boards,
        // Values and exits of two bytes each, marks, and the tables of moves.
        _ => 4 * boards + boards / 16 + (tables_needed(seeds)),
    };
    let below: u64 = (0..seeds).map(|seeds| (count(seeds) * planes::<R>()) as u64).sum();
    (16 << 20) + level + below
}

/// Bytes of the tables of moves: 96 a row, and 24 a row and way to reach it.
fn tables_needed(seeds: u8) -> u64 {
    let rows = |seeds: u8| super::Numbering::get().rows_with(seeds) as u64;
    (0..=seeds).map(|row| rows(row) * (96 + 24 * u64::from(seeds - row))).sum()
}

fn enough_memory<R: Rules>(plan: &Plan, seeds: u8) -> Result<(), BuildError> {
    let Some(there) = plan.memory.or_else(available_memory) else { return Ok(()) };
    let needed = memory_needed::<R>(seeds);
    if needed <= there {
        return Ok(());
    }
    let fits = (0..seeds).rev().find(|&seeds| memory_needed::<R>(seeds) <= there).unwrap_or(0);
    let told = plan.memory.is_some();
    Err(BuildError::Memory { variant: R::VARIANT, seeds, needed, there, told, fits })
}

/// Bytes that the system can give without taking them from others, as far as it says so.
fn available_memory() -> Option<u64> {
    let number = |text: &str| text.split_whitespace().next()?.parse::<u64>().ok();
    let info = fs::read_to_string("/proc/meminfo").ok()?;
    let system = info.lines().find_map(|line| number(line.strip_prefix("MemAvailable:")?))? << 10;
    // A container may be allowed less than the machine has.
    let most = fs::read_to_string("/sys/fs/cgroup/memory.max").ok().and_then(|text| number(&text));
    Some(most.map_or(system, |most| most.min(system)))
}

fn enough_disk<R: Rules>(plan: &Plan, missing: &[u8]) -> Result<(), BuildError> {
    let files: u64 = missing.iter().map(|&seeds| (4096 + count(seeds) * planes::<R>()) as u64).sum();
    let part = missing.last().map_or(0, |&seeds| part_bytes::<R>(seeds) as u64);
    let needed = files + part;
    match free_disk(&plan.folder) {
        Ok(there) if there < needed => Err(BuildError::Disk { folder: plan.folder.clone(), needed, there }),
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
