//! The new values of a part, worked out in passes over the parts in memory, and written into it.

use super::OutOfCore;
use kroo_core::endgame::cell::Cell;
use kroo_core::endgame::evaluator::LENGTH;
use kroo_core::endgame::sown_ranks::RUN;
use kroo_core::endgame::thread_pool::{Stopped, ThreadPool};
use kroo_core::endgame::value_iteration::{Sweep, Time, WIDTH};
use kroo_core::game::Rules;
use std::sync::{Mutex, PoisonError};

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
        let parts: Vec<_> = guards.iter().map(|guard| Some(&**guard)).collect();
        let parts = state.reading(&parts, time);
        let active: Vec<_> = (0..rows.div_ceil(length)).map(|_| Mutex::new(Vec::new())).collect();
        state.run(&sweep.work.part(0.0..0.0), pool, active.len(), |index| {
            let stretch = index * length..rows.min((index + 1) * length);
            let of_stretch = (0..movers).map(|row| state.may_change(&parts, (mover, row), &stretch));
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
        sweep: &Sweep,
        (group, length): (u64, usize),
        active: &Active,
        time: Time,
        pool: &mut ThreadPool<'_>,
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
                let stretches = best.chunks_mut(length).zip(active).enumerate();
                for (number, (best, _)) in stretches.filter(|(_, (_, active))| active[row]) {
                    let rows = number * length..number * length + best.len();
                    state.take_moves(&mut parts, (mover, row), &rows, best, &mut scratch);
                }
            }
        })
    }

    /// Writes the new values of the rows that were evaluated into their part, which is in memory.
    pub(super) fn write_part(
        &self,
        sweep: &Sweep,
        length: usize,
        active: &Active,
        time: Time,
        pool: &mut ThreadPool<'_>,
    ) -> Result<(), Stopped> {
        let (state, mover) = (&self.state, sweep.mover);
        let part = &state.parts[usize::from(state.seeds - mover)];
        let mut part = part.write().unwrap_or_else(PoisonError::into_inner);
        let none = vec![None; usize::from(mover) + 1];
        let known = &self.best[..state.boards(mover)];
        state.evaluate(sweep, (&mut part, length), (known, state.reading(&none, time)), pool, |row, rows| {
            active[rows.start / length][row]
        })
    }
}
