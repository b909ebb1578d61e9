//! An iteration over a part of a database: all boards with as many seeds in the other side's row.

use super::super::cell::Cell;
use super::super::evaluator::{LENGTH, Offers, Values};
use super::super::move_tables::Sown;
use super::super::sown_ranks::RUN;
use super::clock::Time;
use super::schedule::Sweep;
use super::{DatabaseState, Part, WIDTH};
use crate::endgames::building::watched::WatchedPool;
use crate::endgames::probe::indexing::Indexing;
use crate::game::Rules;
use crate::prefetch::prefetch_all;
use crate::thread_pool::Stopped;
use std::ops::{Range, RangeInclusive};
use std::sync::atomic::{AtomicU16, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

/// Values by the mover's row and by the other side's.
type Tile<C> = [[C; LENGTH]; WIDTH];

/// Boards of a task of the thread pool: many more than its overhead is worth, some tenths of a millisecond.
const TASK: usize = 1 << 17;

/// The boards of a task of the thread pool: some rows of the mover against a stretch of other rows, with their values.
struct Block<'a, C> {
    rows: Range<usize>,
    /// From a multiple of [`WIDTH`] on.
    movers: Range<usize>,
    /// By the other side's row and then by the mover's.
    values: Vec<&'a mut [C]>,
    /// In the same order, of [`WIDTH`] rows of the mover each.
    stamps: Vec<&'a mut [u16]>,
    /// By the other side's row, which other blocks have too.
    latest: &'a [AtomicU16],
}

/// The parts that a sweep reads.
#[derive(Clone, Copy)]
pub struct Parts<'p, C> {
    /// By the seeds of the other side's row; none if it is left to another pass.
    pub parts: &'p [Option<&'p Part<C>>],
    pub indexing: &'static Indexing,
    pub seeds: u8,
    pub time: Time,
}

impl<C: Cell> Values<C> for Parts<'_, C> {
    #[inline]
    fn offers(&mut self, seeds: u8, sown: Sown, _: &Range<usize>) -> Offers<'_, C> {
        let Some(part) = self.parts[usize::from(seeds)] else { return Offers::Elsewhere };
        let others = self.indexing.row_count(self.seeds - seeds);
        Offers::Slab(&part.values[sown.row as usize * others..][..others + RUN])
    }

    #[inline]
    fn has_changed(&self, seeds: u8, row: usize, others: impl FnOnce() -> RangeInclusive<usize>) -> bool {
        let since = self.time.before;
        self.parts[usize::from(seeds)].is_some_and(|part| {
            part.latest[row].load(Relaxed) >= since && {
                let others = others();
                let stamps = row * self.indexing.row_count(self.seeds - seeds).div_ceil(WIDTH);
                let stamps = &part.stamps[stamps + others.start() / WIDTH..=stamps + others.end() / WIDTH];
                stamps.iter().any(|&stamp| stamp >= since)
            }
        })
    }
}

impl<R: Rules, C: Cell> DatabaseState<'_, R, C> {
    /// Evaluates the boards with this number of seeds in the mover's row, all in memory.
    pub fn sweep(&self, sweep: &Sweep, pool: &mut WatchedPool<'_>) -> Result<(), Stopped> {
        let (mover, time) = (sweep.mover, self.time(sweep.mover));
        let other = self.seeds - mover;
        let mut part = self.parts[usize::from(other)].write().unwrap_or_else(PoisonError::into_inner);
        // If some of the successors are in the same part, they are seen as they were before.
        let mut before = self.before.lock().unwrap_or_else(PoisonError::into_inner);
        if other <= mover {
            before.copy(&part, pool.threads);
        }
        let guards: Vec<_> = (0..=mover).map(|mine| (mine != other).then(|| self.read(mine))).collect();
        let parts: Vec<_> = guards.iter().map(|guard| Some(guard.as_deref().unwrap_or(&before))).collect();
        let parts = self.reading(&parts, time);
        let known = &self.conversions[usize::from(mover)];
        self.evaluate(sweep, &mut part, (known, parts), pool, |row, rows| {
            time.is_first() || self.may_change(&parts, (mover, row), rows)
        })
    }

    pub fn reading<'p>(&self, parts: &'p [Option<&'p Part<C>>], time: Time) -> Parts<'p, C> {
        Parts { parts, indexing: self.indexing, seeds: self.seeds, time }
    }

    /// Evaluates the boards of a part, in stretches of [`LENGTH`] other rows, and writes the new values into it. `known` has the
    /// best that is offered already, by the mover's row and then by the other side's: conversion values, and what earlier passes
    /// have found. Rows that are not active against a stretch are left out.
    pub fn evaluate(
        &self,
        sweep: &Sweep,
        part: &mut Part<C>,
        (known, parts): (&[C], Parts<'_, C>),
        pool: &mut WatchedPool<'_>,
        is_active: impl Fn(usize, &Range<usize>) -> bool + Sync,
    ) -> Result<(), Stopped> {
        let tasks = blocks(part, self.indexing.row_count(sweep.mover));
        self.run(&sweep.work, pool, tasks.len(), |index| {
            let mut block = tasks[index].lock().expect("no task panics");
            self.evaluate_block(sweep.mover, &mut block, known, parts, &is_active);
        })
    }

    fn evaluate_block(
        &self,
        mover: u8,
        block: &mut Block<'_, C>,
        known: &[C],
        mut parts: Parts<'_, C>,
        is_active: &impl Fn(usize, &Range<usize>) -> bool,
    ) {
        let mut tile: Box<Tile<C>> = Box::new([[C::WORST; LENGTH]; WIDTH]);
        let mut scratch = [C::WORST; LENGTH + RUN];
        let mut active = Vec::with_capacity(WIDTH);
        let (mut evaluations, mut changes) = (0, 0);
        let others = self.indexing.row_count(self.seeds - mover);
        let rows = block.rows.clone();
        for first in block.movers.clone().step_by(WIDTH) {
            let width = WIDTH.min(block.movers.end - first);
            active.clear();
            active.extend((0..width).filter(|row| is_active(first + row, &rows)));
            if active.is_empty() {
                continue;
            }
            let known = |row: usize| &known[(first + row) * others..][rows.clone()];
            self.fetch(&mut parts, (mover, first + active[0]), &rows, known(active[0]));
            for (at, &row) in active.iter().enumerate() {
                if let Some(&next) = active.get(at + 1) {
                    self.fetch(&mut parts, (mover, first + next), &rows, known(next));
                }
                block.fetch(first, at * LENGTH / active.len()..(at + 1) * LENGTH / active.len());
                let best = &mut tile[row][..rows.len()];
                best.copy_from_slice(known(row));
                self.take_moves(&mut parts, (mover, first + row), &rows, best, &mut scratch);
                best.iter_mut().for_each(|best| *best = best.turned::<R>(self.seeds));
            }
            evaluations += (active.len() * rows.len()) as u64;
            changes += write(block, &tile, first, &active, parts.time);
        }
        self.evaluations.fetch_add(evaluations, Relaxed);
        self.changes.fetch_add(changes, Relaxed);
    }

    /// The time of the sweep that begins, over the boards with this number of seeds in the mover's row.
    pub fn time(&self, mover: u8) -> Time {
        self.clock.next(mover, || {
            for part in &self.parts {
                let mut part = part.write().unwrap_or_else(PoisonError::into_inner);
                part.stamps.fill(0);
                part.latest.iter_mut().for_each(|latest| *latest.get_mut() = 0);
            }
        })
    }

    /// Has the memory fetch all that a row's evaluation is going to read at once: seven places, which no processor foresees.
    fn fetch(&self, parts: &mut Parts<'_, C>, (mover, row): (u8, usize), rows: &Range<usize>, known: &[C]) {
        let other = self.seeds - mover;
        fetch(known);
        for sown in self.tables.moves(mover, row, other) {
            if let Offers::Slab(slab) = parts.offers(mover - sown.given, sown, rows) {
                fetch(&slab[self.span(other, sown, rows)]);
            }
        }
    }
}

/// The blocks of a part, of [`LENGTH`] other rows and some [`TASK`] boards each.
fn blocks<C>(part: &mut Part<C>, movers: usize) -> Vec<Mutex<Block<'_, C>>> {
    let (rows, stamps_per_row) = (part.latest.len(), movers.div_ceil(WIDTH));
    let mut values = part.values[..rows * movers].chunks_mut(movers);
    let mut stamps = part.stamps.chunks_mut(stamps_per_row);
    let mut blocks = Vec::new();
    for (stretch, latest) in part.latest.chunks(LENGTH).enumerate() {
        let rows = stretch * LENGTH..stretch * LENGTH + latest.len();
        let width = TASK.div_ceil(latest.len()).next_multiple_of(WIDTH);
        let from = blocks.len();
        blocks.extend((0..movers).step_by(width).map(|first| Block {
            rows: rows.clone(),
            movers: first..movers.min(first + width),
            values: Vec::with_capacity(latest.len()),
            stamps: Vec::with_capacity(latest.len()),
            latest,
        }));
        for (values, stamps) in values.by_ref().zip(&mut stamps).take(latest.len()) {
            let pieces = values.chunks_mut(width).zip(stamps.chunks_mut(width / WIDTH));
            for (block, (values, stamps)) in blocks[from..].iter_mut().zip(pieces) {
                block.values.push(values);
                block.stamps.push(stamps);
            }
        }
    }
    blocks.into_iter().map(Mutex::new).collect()
}

#[inline]
fn fetch<C: Cell>(values: &[C]) {
    prefetch_all(bytemuck::cast_slice(values));
}

impl<C: Cell> Block<'_, C> {
    /// Prefetches the memory that [`write`] is going to change in those of these rows that exist.
    fn fetch(&self, first: usize, rows: Range<usize>) {
        let from = first - self.movers.start;
        for values in &self.values[rows.start.min(self.rows.len())..rows.end.min(self.rows.len())] {
            fetch(&values[from..values.len().min(from + WIDTH)]);
        }
    }
}

/// Writes the new values of rows of the mover, from one on, into a block. Returns how many stamps it has set.
fn write<C: Cell>(
    block: &mut Block<'_, C>,
    tile: &Tile<C>,
    first: usize,
    active: &[usize],
    time: Time,
) -> u64 {
    let from = first - block.movers.start;
    let len = WIDTH.min(block.movers.end - first);
    let mut mask = [0; WIDTH];
    active.iter().for_each(|&row| mask[row] = u8::MAX);
    let mut changes = 0;
    let rows = block.values.iter_mut().zip(&mut block.stamps).zip(block.latest);
    for (at, ((values, stamps), latest)) in rows.enumerate() {
        let line: [C; WIDTH] = std::array::from_fn(|row| tile[row][at]);
        let mut differs = 0;
        for ((value, &new), &mask) in values[from..from + len].iter_mut().zip(&line).zip(&mask) {
            let new = value.replaced(new, mask);
            differs |= value.difference(new);
            *value = new;
        }
        if differs != 0 {
            stamps[from / WIDTH] = time.now;
            latest.store(time.now, Relaxed);
            changes += 1;
        }
    }
    changes
}
