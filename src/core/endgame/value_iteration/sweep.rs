//! An iteration over a part of a database: all boards with as many seeds in the other side's row.

use super::super::cell::Cell;
use super::super::evaluator::{LENGTH, Offers, Values};
use super::super::indexing::Indexing;
use super::super::move_tables::Sown;
use super::super::sown_ranks::{ALIGN, RUN};
use super::super::thread_pool::{Stopped, ThreadPool};
use super::clock::Time;
use super::schedule::Sweep;
use super::{DatabaseState, Part, WIDTH};
use crate::game::Rules;
use crate::prefetch::prefetch_all;
use std::ops::{Range, RangeInclusive};
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Mutex, PoisonError};

/// Values by the mover's row and by the other side's.
type Tile<C> = [[C; LENGTH]; WIDTH];

/// Other rows whose boards a task of the thread pool evaluates, with what is known of them.
struct Stretch<'a, C> {
    pub rows: Range<usize>,
    values: &'a mut [C],
    stamps: &'a mut [u16],
    latest: &'a mut [u16],
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
            part.latest[row] >= since && {
                let others = others();
                let stamps = row * self.indexing.row_count(self.seeds - seeds).div_ceil(WIDTH);
                let stamps = &part.stamps[stamps + others.start() / WIDTH..=stamps + others.end() / WIDTH];
                stamps.iter().any(|&stamp| stamp >= since)
            }
        })
    }
}

impl<R: Rules, C: Cell> DatabaseState<'_, R, C> {
    /// Evaluates the boards with this number of seeds in the mover's row, all of which are in memory.
    pub fn sweep(&self, sweep: &Sweep, pool: &mut ThreadPool<'_>) -> Result<(), Stopped> {
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
        let length = stretch_length(self.indexing.row_count(other), pool.threads);
        let known = &self.conversions[usize::from(mover)];
        self.evaluate(sweep, (&mut part, length), (known, parts), pool, |row, rows| {
            time.is_first() || self.may_change(&parts, (mover, row), rows)
        })
    }

    pub fn reading<'p>(&self, parts: &'p [Option<&'p Part<C>>], time: Time) -> Parts<'p, C> {
        Parts { parts, indexing: self.indexing, seeds: self.seeds, time }
    }

    /// Evaluates the boards of a part, in stretches of a length, and writes the new values into it. `known` has the best that
    /// is offered already, by the mover's row and then by the other side's: conversion values, and what earlier passes have
    /// found. Rows that are not active against a stretch are left out.
    pub fn evaluate(
        &self,
        sweep: &Sweep,
        (part, length): (&mut Part<C>, usize),
        (known, parts): (&[C], Parts<'_, C>),
        pool: &mut ThreadPool<'_>,
        is_active: impl Fn(usize, &Range<usize>) -> bool + Sync,
    ) -> Result<(), Stopped> {
        let tasks = stretches(part, length, self.indexing.row_count(sweep.mover));
        self.run(&sweep.work, pool, tasks.len(), |index| {
            let mut stretch = tasks[index].lock().expect("no task panics");
            self.evaluate_stretch(sweep.mover, &mut stretch, known, parts, &is_active);
        })
    }

    fn evaluate_stretch(
        &self,
        mover: u8,
        stretch: &mut Stretch<'_, C>,
        known: &[C],
        mut parts: Parts<'_, C>,
        is_active: &impl Fn(usize, &Range<usize>) -> bool,
    ) {
        let mut tile: Box<Tile<C>> = Box::new([[C::WORST; LENGTH]; WIDTH]);
        let mut scratch = [C::WORST; LENGTH + RUN];
        let mut active = Vec::with_capacity(WIDTH);
        let (mut evaluations, mut changes) = (0, 0);
        let (movers, others) = (self.indexing.row_count(mover), self.indexing.row_count(self.seeds - mover));
        for first in (0..movers).step_by(WIDTH) {
            active.clear();
            active.extend((0..WIDTH.min(movers - first)).filter(|row| is_active(first + row, &stretch.rows)));
            if active.is_empty() {
                continue;
            }
            let known = |row: usize| &known[(first + row) * others..][stretch.rows.clone()];
            self.fetch(&mut parts, (mover, first + active[0]), &stretch.rows, known(active[0]));
            for (at, &row) in active.iter().enumerate() {
                if let Some(&next) = active.get(at + 1) {
                    self.fetch(&mut parts, (mover, first + next), &stretch.rows, known(next));
                }
                stretch.fetch(movers, first, at * LENGTH / active.len()..(at + 1) * LENGTH / active.len());
                let best = &mut tile[row][..stretch.rows.len()];
                best.copy_from_slice(known(row));
                self.take_moves(&mut parts, (mover, first + row), &stretch.rows, best, &mut scratch);
                best.iter_mut().for_each(|best| *best = best.turned::<R>(self.seeds));
            }
            evaluations += (active.len() * stretch.rows.len()) as u64;
            changes += write(stretch, &tile, movers, first, &active, parts.time);
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
                part.latest.fill(0);
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

/// The stretches of a part, of `length` other rows each.
fn stretches<C>(part: &mut Part<C>, length: usize, movers: usize) -> Vec<Mutex<Stretch<'_, C>>> {
    let rows = part.latest.len();
    let values = part.values[..rows * movers].chunks_mut(length * movers);
    let stamps = part.stamps.chunks_mut(length * movers.div_ceil(WIDTH));
    (0..rows)
        .step_by(length)
        .zip(values.zip(stamps.zip(part.latest.chunks_mut(length))))
        .map(|(from, (values, (stamps, latest)))| {
            Mutex::new(Stretch { rows: from..rows.min(from + length), values, stamps, latest })
        })
        .collect()
}

/// Rows of the other side that are done together: fewer where the threads would not all have work.
pub fn stretch_length(rows: usize, threads: usize) -> usize {
    let all_have_work = if threads > 1 { rows / (2 * threads) } else { LENGTH };
    all_have_work.next_multiple_of(ALIGN).clamp(ALIGN, LENGTH)
}

#[inline]
fn fetch<C: Cell>(values: &[C]) {
    prefetch_all(bytemuck::cast_slice(values));
}

impl<C: Cell> Stretch<'_, C> {
    /// Has the memory fetch what [`write`] is going to change in some of the rows, as far as the rows exist.
    fn fetch(&self, movers: usize, first: usize, rows: Range<usize>) {
        for at in rows.start..rows.end.min(self.rows.len()) {
            fetch(&self.values[at * movers + first..][..WIDTH.min(movers - first)]);
        }
    }
}

/// Writes the new values of rows of the mover, from one on, against a stretch of other rows. Returns how many stamps it has
/// set.
fn write<C: Cell>(
    stretch: &mut Stretch<'_, C>,
    tile: &Tile<C>,
    movers: usize,
    first: usize,
    active: &[usize],
    time: Time,
) -> u64 {
    let len = WIDTH.min(movers - first);
    let mut mask = [0; WIDTH];
    active.iter().for_each(|&row| mask[row] = u8::MAX);
    let (mut changes, stamps_per_row) = (0, movers.div_ceil(WIDTH));
    for (at, latest) in stretch.latest.iter_mut().enumerate() {
        let values = &mut stretch.values[at * movers + first..][..len];
        let line: [C; WIDTH] = std::array::from_fn(|row| tile[row][at]);
        let mut differs = 0;
        for ((value, &new), &mask) in values.iter_mut().zip(&line).zip(&mask) {
            let new = value.replaced(new, mask);
            differs |= value.difference(new);
            *value = new;
        }
        if differs != 0 {
            stretch.stamps[at * stamps_per_row + first / WIDTH] = time.now;
            *latest = time.now;
            changes += 1;
        }
    }
    changes
}
