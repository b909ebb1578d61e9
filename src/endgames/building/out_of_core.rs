//! Builds databases that do not fit in memory: values are kept on disk, and read into memory part by part.
//!
//! The new values of a part are computed in passes. They begin as the conversion values, read sequentially from the disk. A pass
//! takes the offers of moves that lead to the parts in memory; then other parts replace these. After all parts, the new values
//! are compared with the old ones and written. Two parts must fit in memory, the new values and one that is read: a twelfth of a
//! database of 33 seeds. A row whose successors have not changed needs no evaluation, and a part that only such rows lead to is
//! not read.
//!
//! The limit is that of an iteration in memory, in any order (see [`kroo_core::endgames`]): the files are the same.
//!
//! # Where the values are
//! | values | where |
//! |---|---|
//! | those of the database | in its checkpoint (`checkpoint.rs`), each part as soon as it has changed. So a kill costs the part that was worked out, and a build with more memory goes on from there, or the other way round |
//! | conversion values | in a file of the same folder without a name, which goes with the process |
//! | stamps, and the parts of the boards where a side has no seeds | in memory |
//!
//! # Which parts stay
//! The order in which parts are read and written is always the same. The part to replace is therefore the one needed last (L.
//! Belady, "A study of replacement algorithms for a virtual-storage computer", IBM Systems Journal 5(2), 1966). A sowing of one
//! lap seldom gives more than six seeds away: a part needs mostly a few others, and each part is read about twice an iteration if
//! those fit.

use super::checkpoint::CheckpointFile;
use kroo_core::endgames::EndgameFileError;
use kroo_core::endgames::building::cell::{Cell, cell_bytes, fits_in_a_byte};
use kroo_core::endgames::building::checkpoint::Checkpoint as _;
use kroo_core::endgames::building::lower_databases::LowerDatabases;
use kroo_core::endgames::building::move_tables::{MoveTables, tables_needed};
use kroo_core::endgames::building::value_iteration::{
    DatabaseState, Sweep, iterate, largest_part, order, stamp_bytes,
};
use kroo_core::endgames::building::watched::WatchedPool;
use kroo_core::endgames::database_size;
use kroo_core::files::{WriteError, folder_of};
use kroo_core::game::Rules;
use kroo_core::thread_pool::Stopped;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering::Relaxed;

/// Why a database was not built.
#[derive(Debug)]
pub enum OutOfCoreError {
    /// It was stopped on request; the current values are on the disk.
    Stopped,
    /// A file cannot be used.
    File(EndgameFileError),
}

impl From<Stopped> for OutOfCoreError {
    fn from(_: Stopped) -> OutOfCoreError {
        OutOfCoreError::Stopped
    }
}

impl From<EndgameFileError> for OutOfCoreError {
    fn from(error: EndgameFileError) -> OutOfCoreError {
        OutOfCoreError::File(error)
    }
}

/// Bytes of memory without which a database cannot be built: the new values of a part, and one part that is read.
pub fn least_memory<R: Rules>(seeds: u8) -> u64 {
    let largest = largest_part(seeds);
    // A byte for each row and stretch says whether it may change.
    let fixed = stamp_bytes(seeds) + largest / 16 + tables_needed(seeds);
    2 * cell_bytes::<R>() as u64 * largest + fixed
}

/// Bytes of the file of conversion values.
pub fn scratch_bytes<R: Rules>(seeds: u8) -> u64 {
    cell_bytes::<R>() as u64 * database_size(seeds)
}

/// Builds a database in `memory` bytes, at least [`least_memory`], and writes its file.
pub fn build_file<R: Rules>(
    seeds: u8,
    lower: LowerDatabases<'_>,
    tables: &MoveTables,
    pool: &mut WatchedPool<'_>,
    checkpoint: &mut CheckpointFile,
    (memory, path): (u64, &Path),
) -> Result<(), OutOfCoreError> {
    // The memory that one part being read leaves free is for more of them.
    let cells = memory.saturating_sub(least_memory::<R>(seeds)) / cell_bytes::<R>() as u64;
    let room = (largest_part(seeds) + cells) as usize;
    // A constant, which compiles only one of the two.
    if const { fits_in_a_byte::<R>() } {
        OutOfCore::<R, u8>::new(seeds, lower, tables, checkpoint, room, path)?.build(pool)
    } else {
        OutOfCore::<R, [u8; 2]>::new(seeds, lower, tables, checkpoint, room, path)?.build(pool)
    }
}

mod database_file;
mod passes;
mod room;

/// A database that is being built, with most of its values on the disk.
struct OutOfCore<'a, R, C> {
    state: DatabaseState<'a, R, C>,
    values: &'a mut CheckpointFile,
    conversions: File,
    /// The new values of a part: by the mover's row and then by the other side's.
    best: Vec<C>,
    /// Boards of the parts that may be in memory together.
    room: usize,
    /// The order in which parts are evaluated.
    order: Vec<u8>,
    path: PathBuf,
}

impl<'a, R: Rules, C: Cell> OutOfCore<'a, R, C> {
    fn new(
        seeds: u8,
        lower: LowerDatabases<'a>,
        tables: &'a MoveTables,
        values: &'a mut CheckpointFile,
        room: usize,
        path: &Path,
    ) -> Result<OutOfCore<'a, R, C>, EndgameFileError> {
        let state = DatabaseState::new(seeds, lower, tables, |row| row == 0 || row == seeds);
        let path = path.to_owned();
        let conversions = tempfile::tempfile_in(folder_of(&path))
            .map_err(|source| WriteError { path: path.clone(), source })?;
        let largest = (0..=seeds).map(|mover| state.boards(mover)).max().unwrap_or(0);
        Ok(OutOfCore {
            state,
            values,
            conversions,
            best: vec![C::WORST; largest],
            room,
            order: order(seeds),
            path,
        })
    }

    fn build(mut self, pool: &mut WatchedPool<'_>) -> Result<(), OutOfCoreError> {
        self.begin(pool)?;
        let seeds = self.state.seeds;
        iterate(seeds, |sweep| {
            let before = self.state.changes.load(Relaxed);
            self.sweep(sweep, pool)?;
            Ok::<bool, OutOfCoreError>(self.state.changes.load(Relaxed) != before)
        })?;
        // Nothing is built on a file that was cut off meanwhile.
        if !self.state.lower.are_sound(pool.threads) {
            return Err(OutOfCoreError::Stopped);
        }
        Ok(self.write_database(pool.threads)?)
    }

    fn is_fixed(&self, row: u8) -> bool {
        row == 0 || row == self.state.seeds
    }

    /// The byte at which the values of a part begin. In their file, the conversion values of the boards with the same number of
    /// seeds in the mover's row begin there, too.
    fn place(&self, row: u8) -> usize {
        size_of::<C>() * self.state.indexing.first_index(self.state.seeds, row)
    }

    /// Works out the conversion values, and takes the values of an earlier build.
    fn begin(&mut self, pool: &mut WatchedPool<'_>) -> Result<(), OutOfCoreError> {
        for mover in 0..=self.state.seeds {
            if self.is_fixed(mover) {
                self.state.convert_in_memory(mover, pool)?;
            } else {
                let place = self.place(mover) as u64;
                let best = &mut self.best[..self.state.boards(mover)];
                self.state.convert_part(mover, best, pool)?;
                self.conversions
                    .seek(SeekFrom::Start(place))
                    .and_then(|_| self.conversions.write_all(bytemuck::cast_slice(best)))
                    .map_err(|source| {
                        EndgameFileError::from(WriteError { path: self.path.clone(), source })
                    })?;
            }
        }
        self.state.end_all();
        self.values.load(&mut |_, _| ());
        self.values.complete(|from, block| self.state.fill(from, block))?;
        for other in [0, self.state.seeds] {
            let (place, boards) = (self.place(other), self.state.boards(other));
            let part = self.state.part(other);
            self.values.read(place, bytemuck::cast_slice_mut(&mut part.values[..boards]))?;
        }
        Ok(())
    }

    /// Evaluates the boards with the sweep's number of seeds in the mover's row.
    fn sweep(&mut self, sweep: &Sweep, pool: &mut WatchedPool<'_>) -> Result<(), OutOfCoreError> {
        let (mover, time) = (sweep.mover, self.state.time(sweep.mover));
        let other = self.state.seeds - mover;
        let active = self.active(sweep, time, pool)?;
        if !active.has_any() {
            return Ok(());
        }
        self.read_conversions(mover)?;
        let (mut left, mut done) = (self.successors(mover, &active), 0.0);
        let all = f64::from(left.count_ones()) + 1.0;
        loop {
            let here = (0..=mover).filter(|&mine| left & 1 << mine != 0 && self.is_in_memory(mine));
            let group = here.fold(0, |group, mine| group | 1u64 << mine);
            if group != 0 {
                let next = done + f64::from(group.count_ones());
                let pass = Sweep { work: sweep.work.part(done / all..next / all), ..sweep.clone() };
                self.take_offers(&pass, group, &active, time, pool)?;
                (left, done) = (left & !group, next);
            }
            if left == 0 {
                break;
            }
            self.load_some(left, sweep)?;
        }
        self.load_part(other, sweep.number, 0)?;
        let before = self.state.changes.load(Relaxed);
        let sweep = Sweep { work: sweep.work.part(done / all..1.0), ..sweep.clone() };
        self.write_part(&sweep, &active, time, pool)?;
        if self.state.changes.load(Relaxed) != before {
            let (place, boards) = (self.place(other), self.state.boards(other));
            let part = self.state.part(other);
            self.values.write(place, bytemuck::cast_slice(&part.values[..boards]))?;
        }
        Ok(())
    }

    fn read_conversions(&mut self, mover: u8) -> Result<(), EndgameFileError> {
        let place = self.place(mover) as u64;
        let best = &mut self.best[..self.state.boards(mover)];
        match &self.state.conversions[usize::from(mover)][..] {
            [] => self
                .conversions
                .seek(SeekFrom::Start(place))
                .and_then(|_| self.conversions.read_exact(bytemuck::cast_slice_mut(best)))
                .map_err(|source| EndgameFileError::Read { path: self.path.clone(), source }),
            conversions => {
                best.copy_from_slice(conversions);
                Ok(())
            }
        }
    }
}
