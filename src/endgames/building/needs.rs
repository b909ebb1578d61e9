//! The memory and the disk space that a build takes.

use super::checkpoint::file_bytes;
use super::out_of_core;
use super::plan::{EndgameBuildError, EndgamePlan, Missing};
use kroo_core::endgames::building::cell::cell_bytes;
use kroo_core::endgames::building::database_builder::{self, shares_values};
use kroo_core::endgames::probe::file::is_packed;
use kroo_core::endgames::probe::indexing::plain_bytes;
use kroo_core::endgames::{database_size, find_database};
use kroo_core::game::Rules;
use std::io;
use std::path::Path;

/// Bytes of memory that building a database takes: what its values, its tables and the moves take, plus 16 MiB. The databases
/// below it are mapped from their files, and the system keeps as much of them in memory as there is room for. Only those
/// that are packed are unpacked into memory.
pub fn memory_needed<R: Rules>(folder: &Path, seeds: u8) -> u64 {
    database_builder::memory_needed::<R>(seeds) + besides::<R>(folder, seeds)
}

/// The least bytes of memory that a database can be built in, part of it on the disk where the rule set allows that.
fn least_memory<R: Rules>(folder: &Path, seeds: u8) -> u64 {
    let in_memory = database_builder::memory_needed::<R>(seeds);
    let least = if shares_values::<R>() { out_of_core::least_memory::<R>(seeds) } else { in_memory };
    in_memory.min(least) + besides::<R>(folder, seeds)
}

/// Bytes of memory needed in addition to the database that is being built.
pub fn besides<R: Rules>(folder: &Path, seeds: u8) -> u64 {
    let is_packed =
        |seeds: &u8| find_database(folder, R::VARIANT, *seeds).is_some_and(|path| is_packed(&path));
    let unpacked: u64 = (0..seeds).filter(is_packed).map(plain_bytes::<R>).sum();
    (16 << 20) + unpacked
}

pub fn enough_memory<R: Rules>(
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

/// Whether there is room for the files that are missing, for a checkpoint, and for `scratch` bytes.
pub fn enough_disk<R: Rules>(
    plan: &EndgamePlan,
    missing: Missing,
    scratch: u64,
) -> Result<(), EndgameBuildError> {
    let files: u64 = missing.seeds().map(|seeds| 4096 + plain_bytes::<R>(seeds)).sum();
    let checkpoint = missing.largest().map_or(0, |seeds| file_bytes(checkpoint_bytes::<R>(seeds)));
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

/// Bytes of the values in the checkpoint of a database: those that its builder works with.
pub fn checkpoint_bytes<R: Rules>(seeds: u8) -> u64 {
    if shares_values::<R>() {
        cell_bytes::<R>() as u64 * database_size(seeds)
    } else {
        plain_bytes::<R>(seeds)
    }
}

/// Bytes on the disk that the largest of the missing databases takes while it is built.
pub fn scratch<R: Rules>(plan: &EndgamePlan, memory: Option<u64>, missing: Missing) -> u64 {
    missing.largest().map_or(0, |seeds| {
        let is_in_memory = memory_needed::<R>(&plan.folder, seeds) <= memory.unwrap_or(u64::MAX);
        if is_in_memory { 0 } else { out_of_core::scratch_bytes::<R>(seeds) }
    })
}
