//! The new values of a part, worked out in passes over the parts in memory, and written into it.

use super::OutOfCore;
use kroo_core::endgames::building::cell::Cell;
use kroo_core::endgames::building::evaluator::LENGTH;
use kroo_core::endgames::building::sown_ranks::RUN;
use kroo_core::endgames::building::value_iteration::{Sweep, Time, WIDTH};
use kroo_core::endgames::building::watched::WatchedPool;
use kroo_core::game::Rules;
use kroo_core::thread_pool::Stopped;
use std::sync::{Mutex, PoisonError};

/// Which rows of the mover have to be evaluated against which stretches of [`LENGTH`] other rows.
pub(super) struct Active {
    /// The number of stretches.
    stretches: usize,
    /// By the mover's row and by stretch.
    rows: Vec<bool>,
}

impl Active {
    /// By stretch, whether a row is.
    fn of(&self, row: usize) -> &[bool] {
        &self.rows[row * self.stretches..][..self.stretches]
    }

    pub(super) fn has_any(&self) -> bool {
        self.rows.contains(&true)
    }
}

/// Rows of the mover that a task looks at.
const ROWS: usize = 256;

impl<R: Rules, C: Cell> OutOfCore<'_, R, C> {
    /// Which rows have successors that have changed since they were last looked at.
    pub(super) fn active(
        &self,
        sweep: &Sweep,
        time: Time,
        pool: &mut WatchedPool<'_>,
    ) -> Result<Active, Stopped> {
        let (state, mover) = (&self.state, sweep.mover);
        let (rows, movers) = (state.indexing.row_count(state.seeds - mover), state.indexing.row_count(mover));
        let stretches = rows.div_ceil(LENGTH);
        let mut active = Active { stretches, rows: vec![time.is_first(); movers * stretches] };
        if time.is_first() {
            return Ok(active);
        }
        let guards: Vec<_> = (0..=mover).map(|mine| state.read(mine)).collect();
        let parts: Vec<_> = guards.iter().map(|guard| Some(&**guard)).collect();
        let parts = state.reading(&parts, time);
        let tasks: Vec<_> = active.rows.chunks_mut(ROWS * stretches).map(Mutex::new).collect();
        state.run(&sweep.work.part(0.0..0.0), pool, tasks.len(), |index| {
            let mut chunk = tasks[index].lock().expect("no task panics");
            for (row, active) in (index * ROWS..).zip(chunk.chunks_mut(stretches)) {
                for (number, active) in active.iter_mut().enumerate() {
                    let stretch = number * LENGTH..rows.min((number + 1) * LENGTH);
                    *active = state.may_change(&parts, (mover, row), &stretch);
                }
            }
        })?;
        drop(tasks);
        Ok(active)
    }

    /// The parts that the moves of these rows lead to, a bit each.
    pub(super) fn successors(&self, mover: u8, active: &Active) -> u64 {
        let movers = self.state.indexing.row_count(mover);
        let is_active = |row: &usize| active.of(*row).contains(&true);
        let moves = (0..movers).filter(is_active).flat_map(|row| {
            self.state.tables.moves(mover, row, self.state.seeds - mover).map(|sown| sown.given)
        });
        moves.fold(0, |parts, given| parts | 1 << (mover - given))
    }

    /// Takes the offers of moves that lead to these parts, a bit each.
    pub(super) fn take_offers(
        &mut self,
        sweep: &Sweep,
        group: u64,
        active: &Active,
        time: Time,
        pool: &mut WatchedPool<'_>,
    ) -> Result<(), Stopped> {
        let (state, mover) = (&self.state, sweep.mover);
        let guards: Vec<_> =
            (0..=mover).map(|mine| (group & 1 << mine != 0).then(|| state.read(mine))).collect();
        let parts: Vec<_> = guards.iter().map(Option::as_deref).collect();
        let parts = state.reading(&parts, time);
        let others = state.indexing.row_count(state.seeds - mover);
        let best = &mut self.best[..state.boards(mover)];
        let tasks: Vec<_> = best.chunks_mut(WIDTH * others).map(Mutex::new).collect();
        state.run(&sweep.work, pool, tasks.len(), |index| {
            let mut chunk = tasks[index].lock().expect("no task panics");
            let (mut parts, mut scratch) = (parts, [C::WORST; LENGTH + RUN]);
            for (row, best) in (index * WIDTH..).zip(chunk.chunks_mut(others)) {
                let stretches = best.chunks_mut(LENGTH).zip(active.of(row)).enumerate();
                for (number, (best, _)) in stretches.filter(|(_, (_, active))| **active) {
                    let rows = number * LENGTH..number * LENGTH + best.len();
                    state.take_moves(&mut parts, (mover, row), &rows, best, &mut scratch);
                }
            }
        })
    }

    /// Writes the new values of the rows that were evaluated into their part, which is in memory.
    pub(super) fn write_part(
        &self,
        sweep: &Sweep,
        active: &Active,
        time: Time,
        pool: &mut WatchedPool<'_>,
    ) -> Result<(), Stopped> {
        let (state, mover) = (&self.state, sweep.mover);
        let part = &state.parts[usize::from(state.seeds - mover)];
        let mut part = part.write().unwrap_or_else(PoisonError::into_inner);
        let none = vec![None; usize::from(mover) + 1];
        let known = &self.best[..state.boards(mover)];
        state.evaluate(sweep, &mut part, (known, state.reading(&none, time)), pool, |row, rows| {
            active.of(row)[rows.start / LENGTH]
        })
    }
}
