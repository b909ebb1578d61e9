//! The new values of a part, worked out in passes over the parts in memory, and written into it.

use super::super::clock::Time;
use super::super::schedule::{Sweep, Work};
use super::super::sweep::{LENGTH, Stretch, Tile, stretches, write};
use super::super::{LevelState, Part, WIDTH};
use super::OutOfCore;
use crate::endgame::cell::Cell;
use crate::endgame::sowing::RUN;
use crate::endgame::thread_pool::{Stopped, ThreadPool};
use crate::game::Rules;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Mutex, PoisonError, RwLockReadGuard};

/// Which rows have to be evaluated: by stretch of other rows, and by the mover's row.
type Active = Vec<Vec<bool>>;

impl<R: Rules, C: Cell> OutOfCore<'_, R, C> {
    /// Which rows have successors that have changed since they were last looked at.
    pub(super) fn active(
        &self,
        sweep: &Sweep,
        length: usize,
        time: Time,
        pool: &mut ThreadPool<'_>,
    ) -> Result<Active, Stopped> {
        let (state, mover) = (&self.state, sweep.mover);
        let (rows, movers) = (state.indexing.row_count(state.seeds - mover), state.indexing.row_count(mover));
        if time.is_first() {
            return Ok(vec![vec![true; movers]; rows.div_ceil(length)]);
        }
        let guards: Vec<_> = (0..=mover).map(|mine| state.read(mine)).collect();
        let parts: Vec<&Part<C>> = guards.iter().map(|guard| &**guard).collect();
        let active: Vec<_> = (0..rows.div_ceil(length)).map(|_| Mutex::new(Vec::new())).collect();
        state.run(&sweep.work.part(0.0..0.0), pool, active.len(), |index| {
            let stretch = index * length..rows.min((index + 1) * length);
            let of_stretch = (0..movers).map(|row| state.may_change(&parts, mover, row, &stretch, time));
            *active[index].lock().expect("no task panics") = of_stretch.collect();
        })?;
        Ok(active
            .into_iter()
            .map(|active| active.into_inner().unwrap_or_else(PoisonError::into_inner))
            .collect())
    }

    /// The parts that the moves of these rows lead to, a bit each.
    pub(super) fn successors(&self, mover: u8, active: &Active) -> u64 {
        let movers = self.state.indexing.row_count(mover);
        let is_active = |row: &usize| active.iter().any(|active| active[*row]);
        let moves = (0..movers).filter(is_active).flat_map(|row| {
            self.state.tables.moves(mover, row, self.state.seeds - mover).map(|sown| sown.given)
        });
        moves.fold(0, |parts, given| parts | 1 << (mover - given))
    }

    /// Takes in what the moves offer that lead to some of the parts, a bit each.
    pub(super) fn take_offers(
        &mut self,
        mover: u8,
        (group, length): (u64, usize),
        active: &Active,
        work: &Work,
        pool: &mut ThreadPool<'_>,
    ) -> Result<(), Stopped> {
        let state = &self.state;
        let guards: Vec<RwLockReadGuard<'_, Part<C>>> = (0..=mover).map(|mine| state.read(mine)).collect();
        let others = state.indexing.row_count(state.seeds - mover);
        let best = &mut self.best[..state.boards(mover)];
        let tasks: Vec<_> = best.chunks_mut(WIDTH * others).map(Mutex::new).collect();
        state.run(work, pool, tasks.len(), |index| {
            let mut chunk = tasks[index].lock().expect("no task panics");
            let mut offers = [C::WORST; LENGTH + RUN];
            for (row, best) in (index * WIDTH..).zip(chunk.chunks_mut(others)) {
                for sown in state.tables.moves(mover, row, state.seeds - mover) {
                    let mine = mover - sown.given;
                    if group & 1 << mine == 0 {
                        continue;
                    }
                    let stretches = best.chunks_mut(length).zip(active).enumerate();
                    for (number, (best, _)) in stretches.filter(|(_, (_, active))| active[row]) {
                        let rows = number * length..number * length + best.len();
                        state.take_offers(&guards[usize::from(mine)], mover, sown, &rows, best, &mut offers);
                    }
                }
            }
        })
    }
}

impl<R: Rules, C: Cell> LevelState<'_, R, C> {
    /// Writes the new values of the rows that were evaluated into their part, which is in memory.
    pub(super) fn write_part(
        &self,
        best: &[C],
        sweep: &Sweep,
        length: usize,
        active: &Active,
        time: Time,
        pool: &mut ThreadPool<'_>,
    ) -> Result<(), Stopped> {
        let (mover, other) = (sweep.mover, self.seeds - sweep.mover);
        let mut part = self.parts[usize::from(other)].write().unwrap_or_else(PoisonError::into_inner);
        let (others, movers) = (self.indexing.row_count(other), self.indexing.row_count(mover));
        let tasks = stretches(&mut part, length, movers);
        self.run(&sweep.work, pool, tasks.len(), |index| {
            let stretch: &mut Stretch<'_, C> = &mut tasks[index].lock().expect("no task panics");
            let mut tile: Box<Tile<C>> = Box::new([[C::WORST; LENGTH]; WIDTH]);
            let (mut rows, mut evaluations, mut changes) = (Vec::with_capacity(WIDTH), 0, 0);
            for first in (0..movers).step_by(WIDTH) {
                rows.clear();
                rows.extend((0..WIDTH.min(movers - first)).filter(|row| active[index][first + row]));
                if !rows.is_empty() {
                    stretch.fetch(movers, first, 0..stretch.rows.len());
                }
                for &row in &rows {
                    let best = &best[(first + row) * others..][stretch.rows.clone()];
                    for (new, best) in tile[row].iter_mut().zip(best) {
                        *new = best.turned::<R>(self.seeds);
                    }
                }
                evaluations += (rows.len() * stretch.rows.len()) as u64;
                if !rows.is_empty() {
                    changes += write(stretch, &tile, movers, first, &rows, time);
                }
            }
            self.evaluations.fetch_add(evaluations, Relaxed);
            self.changes.fetch_add(changes, Relaxed);
        })
    }
}
