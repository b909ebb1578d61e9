//! Databases of rule sets with cycles and sowings of one lap, `awari` and `oware`: value iteration.
//!
//! Every board begins with the value of endless play (`of_endless_play`). An iteration gives each board the best offer of its
//! moves; the last iteration changes nothing. (Retrograde analysis: K. Thompson, "Retrograde Analysis of Certain Endgames", ICCA
//! Journal 9(3), 1986. For awari: T. Lincke and A. Marzetta, "Large Endgame Databases with Limited Memory Space", ICGA Journal
//! 23(3), 2000; J. Romein and H. Bal, "Solving Awari with Parallel Retrograde Analysis", IEEE Computer 36(10), 2003.)
//!
//! # Forward, not backward
//! Those programs step backward, from a board whose value is known to its predecessors. Here each board looks forward at
//! its successors, because whole rows of boards can do so together. The boards of one row of the mover read, for each of its
//! pits, one stretch of memory from one end to the other, in runs of neighbours ([`super::sown_ranks`]). Sixteen values are copied
//! at once, and sixteen bytes are compared at once. A step backward from a board that has changed reads four or five boards all
//! over the database, each in its own place in memory, and has to look at their moves again.
//!
//! Values are kept from the view of the side that moved there, so reading them needs no conversion. In `awari` a byte holds all
//! ([`super::cell`]). With the conversion values that makes two bytes a board.
//!
//! # Parts
//! The boards with as many seeds in the other side's row are a **part**. They are written together, by several threads that
//! each have blocks of their own (some rows of one side against some of the other), while all other parts are only read. Their successors are in parts with at most as many seeds as the
//! mover has. If the part itself is among those, it is read as it was before: that takes a copy of it, a thirteenth of a
//! database of 30 seeds. Each part uses the results of earlier parts at once (a block Gauss-Seidel iteration; the order does not
//! change the limit: D. Bertsekas and J. Tsitsiklis, "Parallel and Distributed Computation", 1989).
//!
//! `schedule.rs` has the order.
//!
//! Rows are skipped if their successors have not changed since the last look. A stamp records the last change of [`WIDTH`]
//! boards, and another one the last change of any board with the same other row.

use super::cell::{Cell, cell_bytes, fits_in_a_byte};
use super::checkpoint::Checkpoint;
use super::coding::Coding;
use super::evaluator::Evaluator;
use super::lower_databases::LowerDatabases;
use super::move_tables::{MoveTables, tables_needed};
use super::sown_ranks::RUN;
use crate::endgames::building::watched::{BuildStatus, WatchedPool};
use crate::endgames::probe::database::Database;
use crate::endgames::probe::indexing::{CODES, Indexing, Rows, board_count, database_size};
use crate::game::{Board, Row, Rules};
use crate::thread_pool::{Stopped, ThreadPool};
use bytemuck::allocation::zeroed_vec;
use std::ops::Deref;
use std::sync::atomic::{AtomicU16, AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError, RwLock, RwLockReadGuard};

mod clock;
mod schedule;
mod sweep;

#[doc(hidden)]
pub use clock::FIRST as FIRST_SWEEP;
use clock::SweepClock;
pub use clock::Time;
pub use schedule::{Sweep, Work, iterate, order};
pub use sweep::Parts;

/// Rows of the mover that are done together, and boards that share a stamp of their last change.
pub const WIDTH: usize = 64;

/// Builds the `seeds`-seed database.
pub fn build_database<R: Rules>(
    seeds: u8,
    lower: LowerDatabases<'_>,
    tables: &MoveTables,
    pool: &mut WatchedPool<'_>,
    checkpoint: &mut dyn Checkpoint,
) -> Result<Database, Stopped> {
    // Constants, so that only one of the two is compiled.
    if const { fits_in_a_byte::<R>() } {
        build::<R, u8>(seeds, lower, tables, pool, checkpoint)
    } else {
        build::<R, [u8; 2]>(seeds, lower, tables, pool, checkpoint)
    }
}

/// Bytes of memory that building a database takes, without the databases below it, which are read from their files.
pub fn memory_needed<R: Rules>(seeds: u8) -> u64 {
    // Values and conversion values, and a second copy of the largest part of the values.
    let cells = 2 * database_size(seeds) + largest_part(seeds);
    cell_bytes::<R>() as u64 * cells + stamp_bytes(seeds) + tables_needed(seeds)
}

/// Bytes of the stamps of a database: two for [`WIDTH`] boards.
pub fn stamp_bytes(seeds: u8) -> u64 {
    database_size(seeds) / 32
}

/// Boards of the largest part of a database.
pub fn largest_part(seeds: u8) -> u64 {
    let rows = |seeds: u8| Indexing::get().row_count(seeds) as u64;
    (0..=seeds).map(|other| rows(other) * rows(seeds - other)).max().unwrap_or(0)
}

fn build<R: Rules, C: Cell>(
    seeds: u8,
    lower: LowerDatabases<'_>,
    tables: &MoveTables,
    pool: &mut WatchedPool<'_>,
    checkpoint: &mut dyn Checkpoint,
) -> Result<Database, Stopped> {
    let mut state = DatabaseState::<R, C>::new(seeds, lower, tables, |_| true);
    state.convert(pool)?;
    checkpoint.load(&mut |from, saved| state.load(from, saved));
    let read = |from: usize, block: &mut [u8]| {
        state.fill(from, block);
        true
    };
    checkpoint.save_during(&read, &mut || {
        iterate(seeds, |sweep| {
            let before = state.changes.load(Relaxed);
            state.sweep(sweep, pool)?;
            Ok(state.changes.load(Relaxed) != before)
        })
    })?;
    Ok(state.into_database(pool.threads))
}

/// The boards with as many seeds in the other side's row.
pub struct Part<C> {
    /// By the other side's row and then by the mover's: the value for the side that moved there. [`RUN`] more follow, which
    /// mean nothing. None if they are on the disk.
    pub values: Vec<C>,
    /// By the other side's row and then by the mover's, divided by [`WIDTH`]: when one of the values changed last.
    stamps: Vec<u16>,
    /// By the other side's row: the latest of these.
    latest: Vec<AtomicU16>,
}

/// Values that are copied in one task.
const COPIED: usize = 1 << 20;

impl<C: Cell> Part<C> {
    /// Becomes the same as another part.
    fn copy(&mut self, part: &Part<C>, threads: &ThreadPool) {
        self.values.resize(part.values.len(), C::WORST);
        let chunks = self.values.chunks_mut(COPIED).zip(part.values.chunks(COPIED));
        let tasks: Vec<_> = chunks.map(Mutex::new).collect();
        threads.map(tasks.len(), |index| {
            let (to, from) = &mut *tasks[index].lock().expect("no task panics");
            to.copy_from_slice(from);
        });
        drop(tasks);
        self.stamps.clone_from(&part.stamps);
        self.latest.clear();
        self.latest.extend(part.latest.iter().map(|latest| AtomicU16::new(latest.load(Relaxed))));
    }
}

/// A database that is being built.
pub struct DatabaseState<'a, R, C> {
    evaluator: Evaluator<'a, R, C>,
    /// The values, by the seeds of the other side's row. A thread that saves them meanwhile waits until a part is not written.
    pub parts: Vec<RwLock<Part<C>>>,
    /// A copy of the part that is written, from before, if it is read as well. It has room for the largest.
    before: Mutex<Part<C>>,
    /// By the seeds of the mover's row, by that row, and then by the other side's: the conversion value of a board, the best
    /// that moves out of the database offer, or the end of the game. Those on the disk are left out.
    pub conversions: Vec<Vec<C>>,
    clock: SweepClock,
    pub changes: AtomicU64,
    /// Evaluations of boards.
    evaluations: AtomicU64,
}

impl<'a, R, C> Deref for DatabaseState<'a, R, C> {
    type Target = Evaluator<'a, R, C>;

    #[inline]
    fn deref(&self) -> &Evaluator<'a, R, C> {
        &self.evaluator
    }
}

impl<'a, R: Rules, C: Cell> DatabaseState<'a, R, C> {
    /// A database before the first iteration. `in_memory` gives, by the seeds of a row, the parts whose values and conversion
    /// values are kept in memory.
    pub fn new(
        seeds: u8,
        lower: LowerDatabases<'a>,
        tables: &'a MoveTables,
        in_memory: impl Fn(u8) -> bool,
    ) -> DatabaseState<'a, R, C> {
        let evaluator = Evaluator::new(seeds, lower, tables);
        let (indexing, start) = (evaluator.indexing, evaluator.start);
        let part = |other: u8| {
            let (rows, movers) = (indexing.row_count(other), indexing.row_count(seeds - other));
            let stamps = vec![0; rows * movers.div_ceil(WIDTH)];
            let values = if in_memory(other) { vec![start; rows * movers + RUN] } else { Vec::new() };
            RwLock::new(Part { values, stamps, latest: (0..rows).map(|_| AtomicU16::new(0)).collect() })
        };
        let boards = |row: u8| if in_memory(row) { evaluator.boards(row) } else { 0 };
        let largest = (0..=seeds).map(boards).max().unwrap_or(0);
        DatabaseState {
            parts: (0..=seeds).map(part).collect(),
            before: Mutex::new(Part {
                values: Vec::with_capacity(largest + RUN),
                stamps: Vec::new(),
                latest: Vec::new(),
            }),
            conversions: (0..=seeds).map(|mover| zeroed_vec(boards(mover))).collect(),
            evaluator,
            clock: SweepClock::default(),
            changes: AtomicU64::new(0),
            evaluations: AtomicU64::new(0),
        }
    }

    /// Computes the conversion values, and the values of boards where the game is over.
    fn convert(&mut self, pool: &mut WatchedPool<'_>) -> Result<(), Stopped> {
        (0..=self.seeds).try_for_each(|mover| self.convert_in_memory(mover, pool))?;
        self.end_all();
        Ok(())
    }

    /// Works out the conversion values with `mover` seeds in the mover's row, which are kept in memory.
    pub fn convert_in_memory(&mut self, mover: u8, pool: &mut WatchedPool<'_>) -> Result<(), Stopped> {
        let mut conversions = std::mem::take(&mut self.conversions[usize::from(mover)]);
        self.convert_part(mover, &mut conversions, pool)?;
        self.conversions[usize::from(mover)] = conversions;
        Ok(())
    }

    /// Works out the conversion values with `mover` seeds in the mover's row.
    pub fn convert_part(
        &self,
        mover: u8,
        conversions: &mut [C],
        pool: &mut WatchedPool<'_>,
    ) -> Result<(), Stopped> {
        let others = self.indexing.row_count(self.seeds - mover);
        let tasks: Vec<_> = conversions.chunks_mut(WIDTH * others).map(Mutex::new).collect();
        let all = board_count(self.seeds) as f64;
        let before = self.indexing.first_index(self.seeds, mover) as f64;
        let share = before / all..(before + self.boards(mover) as f64) / all;
        self.run(&Work { iteration: 0, share }, pool, tasks.len(), |index| {
            let mut chunk = tasks[index].lock().expect("no task panics");
            for (row, best) in (index * WIDTH..).zip(chunk.chunks_mut(others)) {
                best.fill(C::WORST);
                self.take_captures(mover, row, best);
            }
        })
    }

    /// Does some work in tasks.
    pub fn run(
        &self,
        work: &Work,
        pool: &mut WatchedPool<'_>,
        tasks: usize,
        task: impl Fn(usize) + Sync,
    ) -> Result<(), Stopped> {
        let (seeds, evaluations) = (self.seeds, self.evaluations.load(Relaxed));
        let status = BuildStatus { seeds, iteration: work.iteration, evaluations, fraction: 0.0 };
        let watch = &mut |status: BuildStatus| {
            let fraction = work.part(0.0..status.fraction).share.end;
            (pool.watch)(BuildStatus { fraction, ..status })
        };
        WatchedPool { threads: pool.threads, watch }.run(status, tasks, task)
    }

    /// Notes the boards where the game is over.
    pub fn end_all(&mut self) {
        for row in Rows::with(self.seeds) {
            self.end(Board { mover: row, other: Row::default() });
            self.end(Board { mover: Row::default(), other: row });
        }
    }

    /// Takes the value of a board if the game is over there.
    fn end(&mut self, board: Board) {
        let Some(ended) = self.ended(board) else { return };
        let (mover, other) = (self.indexing.rank_row(board.mover), self.indexing.rank_row(board.other));
        let [movers, others] = [board.mover, board.other].map(|row| self.indexing.row_count(row.seeds()));
        let turned = ended.turned::<R>(self.seeds);
        self.part(board.other.seeds()).values[other * movers + mover] = turned;
        self.conversions[usize::from(board.mover.seeds())][mover * others + other] = ended;
    }

    /// A part, to be changed: the exclusive borrow of the state needs no lock.
    pub fn part(&mut self, other: u8) -> &mut Part<C> {
        self.parts[usize::from(other)].get_mut().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn read(&self, other: u8) -> RwLockReadGuard<'_, Part<C>> {
        self.parts[usize::from(other)].read().unwrap_or_else(PoisonError::into_inner)
    }

    /// The values as bytes, from one on. Those on the disk are given as they are at the beginning.
    pub fn fill(&self, mut from: usize, mut block: &mut [u8]) {
        for other in 0..=self.seeds {
            let bytes = size_of::<C>() * self.boards(other);
            if from < bytes && !block.is_empty() {
                let (here, next) = block.split_at_mut(block.len().min(bytes - from));
                match &self.read(other).values[..] {
                    [] => bytemuck::cast_slice_mut(here).fill(self.start),
                    values => here.copy_from_slice(&bytemuck::cast_slice(values)[from..][..here.len()]),
                }
                (from, block) = (0, next);
            } else {
                from -= bytes.min(from);
            }
        }
    }

    /// Takes the values of a checkpoint, given as bytes from one on.
    fn load(&mut self, mut from: usize, mut saved: &[u8]) {
        for other in 0..=self.seeds {
            let part = self.part(other);
            let boards = part.values.len() - RUN;
            let bytes: &mut [u8] = bytemuck::cast_slice_mut(&mut part.values[..boards]);
            if from < bytes.len() {
                let (here, next) = saved.split_at(saved.len().min(bytes.len() - from));
                bytes[from..][..here.len()].copy_from_slice(here);
                (from, saved) = (0, next);
            } else {
                from -= bytes.len();
            }
        }
    }

    /// The database, when nothing changes any more.
    fn into_database(self, pool: &ThreadPool) -> Database {
        let seeds = self.seeds;
        drop(self.conversions);
        let parts = self.parts.into_iter().map(|part| {
            let mut part = part.into_inner().unwrap_or_else(PoisonError::into_inner);
            part.values.truncate(part.values.len() - RUN);
            part.values
        });
        let thresholds = |cell: C| cell.turned::<R>(seeds).thresholds();
        Coding::of_cells(parts.collect(), thresholds, CODES, pool)
    }
}
