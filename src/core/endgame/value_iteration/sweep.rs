//! An iteration over a part of a level: all boards with as many seeds in the other side's row.

use super::super::cell::{Cell, take_better};
use super::super::move_tables::Sown;
use super::super::sowing::{ALIGN, RUN};
use super::super::thread_pool::{Stopped, ThreadPool};
use super::clock::Time;
use super::schedule::Sweep;
use super::{LevelState, Part, WIDTH};
use crate::game::Rules;
use crate::prefetch::prefetch_all;
use std::ops::Range;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Mutex, PoisonError};

/// Rows of the other side that are done together. With [`WIDTH`] rows of a byte or two they stay in the level 1 cache.
pub(super) const LENGTH: usize = 256;

/// Values by the mover's row and by the other side's.
pub(super) type Tile<C> = [[C; LENGTH]; WIDTH];

/// Other rows whose boards a task of the thread pool evaluates, with what is known of them.
pub(super) struct Stretch<'a, C> {
    pub rows: Range<usize>,
    values: &'a mut [C],
    stamps: &'a mut [u16],
    latest: &'a mut [u16],
}

impl<R: Rules, C: Cell> LevelState<'_, R, C> {
    /// Evaluates the boards with so many seeds in the mover's row.
    pub(super) fn sweep(&self, sweep: &Sweep, pool: &mut ThreadPool<'_>) -> Result<(), Stopped> {
        let (mover, time) = (sweep.mover, self.time(sweep.mover));
        let other = self.seeds - mover;
        let mut part = self.parts[usize::from(other)].write().unwrap_or_else(PoisonError::into_inner);
        // If some of the successors are in the same part, they are seen as they were before.
        let mut before = self.before.lock().unwrap_or_else(PoisonError::into_inner);
        if other <= mover {
            before.copy(&part, pool.threads);
        }
        let guards: Vec<_> = (0..=mover).map(|mine| (mine != other).then(|| self.read(mine))).collect();
        let parts: Vec<&Part<C>> = guards.iter().map(|guard| guard.as_deref().unwrap_or(&before)).collect();
        let (rows, movers) = (self.indexing.row_count(other), self.indexing.row_count(mover));
        let tasks = stretches(&mut part, stretch_length(rows, pool.threads), movers);
        self.run(&sweep.work, pool, tasks.len(), |index| {
            self.sweep_stretch(&parts, mover, &mut tasks[index].lock().expect("no task panics"), time);
        })
    }

    fn sweep_stretch(&self, parts: &[&Part<C>], mover: u8, stretch: &mut Stretch<'_, C>, time: Time) {
        let mut tile: Box<Tile<C>> = Box::new([[C::WORST; LENGTH]; WIDTH]);
        let mut offers = [C::WORST; LENGTH + RUN];
        let mut active = Vec::with_capacity(WIDTH);
        let (mut evaluations, mut changes) = (0, 0);
        let movers = self.indexing.row_count(mover);
        for first in (0..movers).step_by(WIDTH) {
            active.clear();
            let may_change = |row| time.is_first() || self.may_change(parts, mover, row, &stretch.rows, time);
            active.extend((0..WIDTH.min(movers - first)).filter(|row| may_change(first + row)));
            if active.is_empty() {
                continue;
            }
            self.fetch(parts, mover, first + active[0], &stretch.rows);
            for (at, &row) in active.iter().enumerate() {
                if let Some(next) = active.get(at + 1) {
                    self.fetch(parts, mover, first + next, &stretch.rows);
                }
                stretch.fetch(movers, first, at * LENGTH / active.len()..(at + 1) * LENGTH / active.len());
                self.best_moves(parts, mover, first + row, &stretch.rows, &mut tile[row], &mut offers);
            }
            evaluations += (active.len() * stretch.rows.len()) as u64;
            changes += write(stretch, &tile, movers, first, &active, time);
        }
        self.evaluations.fetch_add(evaluations, Relaxed);
        self.changes.fetch_add(changes, Relaxed);
    }

    /// The time of the sweep that begins, over the boards with so many seeds in the mover's row.
    pub(super) fn time(&self, mover: u8) -> Time {
        self.clock.next(mover, || {
            for part in &self.parts {
                let mut part = part.write().unwrap_or_else(PoisonError::into_inner);
                part.stamps.fill(0);
                part.latest.fill(0);
            }
        })
    }

    /// Whether the successors of a row's boards have changed since they were last looked at.
    pub(super) fn may_change(
        &self,
        parts: &[&Part<C>],
        mover: u8,
        row: usize,
        rows: &Range<usize>,
        time: Time,
    ) -> bool {
        let other = self.seeds - mover;
        self.tables.moves(mover, row, other).any(|sown| {
            let (mine, theirs) = (mover - sown.given, other + sown.given);
            let part = parts[usize::from(mine)];
            if part.latest[sown.row as usize] < time.before {
                return false;
            }
            let (first, last) = match self.tables.pattern(sown, other) {
                None => (rows.start, rows.end - 1),
                Some(pattern) => pattern.sowing.span(rows),
            };
            let stamps = sown.row as usize * self.indexing.row_count(theirs).div_ceil(WIDTH);
            let stamps = &part.stamps[stamps + first / WIDTH..=stamps + last / WIDTH];
            stamps.iter().any(|&stamp| stamp >= time.before)
        })
    }

    /// Has the memory fetch what [`LevelState::best_moves`] is going to read, all at once. What a row's moves lead to lies in
    /// seven places, which no processor foresees.
    fn fetch(&self, parts: &[&Part<C>], mover: u8, row: usize, rows: &Range<usize>) {
        let other = self.seeds - mover;
        let conversions = row * self.indexing.row_count(other);
        fetch(&self.conversions[usize::from(mover)][conversions..][rows.clone()]);
        for sown in self.tables.moves(mover, row, other) {
            let (mine, theirs) = (mover - sown.given, other + sown.given);
            let theirs = self.indexing.row_count(theirs);
            let (first, last) = match self.tables.pattern(sown, other) {
                None => (rows.start, rows.end - 1),
                Some(pattern) => pattern.sowing.span(rows),
            };
            fetch(&parts[usize::from(mine)].values[sown.row as usize * theirs..][first..=last]);
        }
    }

    /// The best that a row's moves offer against a stretch of other rows, as the other side sees it.
    fn best_moves(
        &self,
        parts: &[&Part<C>],
        mover: u8,
        row: usize,
        rows: &Range<usize>,
        best: &mut [C; LENGTH],
        offers: &mut [C; LENGTH + RUN],
    ) {
        let other = self.seeds - mover;
        let best = &mut best[..rows.len()];
        let conversions = row * self.indexing.row_count(other);
        best.copy_from_slice(&self.conversions[usize::from(mover)][conversions..][rows.clone()]);
        for sown in self.tables.moves(mover, row, other) {
            self.take_offers(parts[usize::from(mover - sown.given)], mover, sown, rows, best, offers);
        }
        best.iter_mut().for_each(|best| *best = best.turned::<R>(self.seeds));
    }

    /// Takes what a move offers, which leads to a part, against a stretch of other rows.
    #[inline]
    pub(super) fn take_offers(
        &self,
        part: &Part<C>,
        mover: u8,
        sown: Sown,
        rows: &Range<usize>,
        best: &mut [C],
        offers: &mut [C; LENGTH + RUN],
    ) {
        let other = self.seeds - mover;
        let theirs = self.indexing.row_count(other + sown.given);
        let slab = &part.values[sown.row as usize * theirs..][..theirs + RUN];
        match self.tables.pattern(sown, other) {
            None => take_better(best, &slab[rows.clone()]),
            Some(pattern) => {
                pattern.sowing.gather(slab, rows, offers);
                if !pattern.captured.is_empty() {
                    for (offer, &mask) in offers.iter_mut().zip(&pattern.captured[rows.clone()]) {
                        *offer = offer.masked(mask);
                    }
                }
                take_better(best, &offers[..rows.len()]);
            }
        }
    }
}

/// The stretches of a part, of so many other rows each.
pub(super) fn stretches<C>(part: &mut Part<C>, length: usize, movers: usize) -> Vec<Mutex<Stretch<'_, C>>> {
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
pub(super) fn stretch_length(rows: usize, threads: usize) -> usize {
    let all_have_work = if threads > 1 { rows / (2 * threads) } else { LENGTH };
    all_have_work.next_multiple_of(ALIGN).clamp(ALIGN, LENGTH)
}

#[inline]
fn fetch<C: Cell>(values: &[C]) {
    prefetch_all(bytemuck::cast_slice(values));
}

impl<C: Cell> Stretch<'_, C> {
    /// Has the memory fetch what [`write`] is going to change in some of the rows, as far as there are so many.
    pub(super) fn fetch(&self, movers: usize, first: usize, rows: Range<usize>) {
        for at in rows.start..rows.end.min(self.rows.len()) {
            fetch(&self.values[at * movers + first..][..WIDTH.min(movers - first)]);
        }
    }
}

/// Writes the new values of rows of the mover, from one on, against a stretch of other rows. Returns how many stamps it has
/// set.
pub(super) fn write<C: Cell>(
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
