//! Which parts are in memory.

use super::OutOfCore;
use kroo_core::endgames::building::cell::Cell;
use kroo_core::endgames::building::sown_ranks::RUN;
use kroo_core::endgames::building::value_iteration::Sweep;
use kroo_core::endgames::probe::error::EndgameFileError;
use kroo_core::game::Rules;

/// Seeds that a sowing of one lap gives away at most, if the pit has not many more than twelve.
const REACH: u8 = 6;

impl<R: Rules, C: Cell> OutOfCore<'_, R, C> {
    pub(super) fn is_in_memory(&self, part: u8) -> bool {
        !self.state.read(part).values.is_empty()
    }

    /// Reads at least one of some parts, a bit each, and more while there is room without those that are waiting.
    pub(super) fn load_some(&mut self, parts: u64, sweep: &Sweep) -> Result<(), EndgameFileError> {
        let mut loaded = 0u64;
        for part in (0..=sweep.mover).rev().filter(|part| parts & 1 << part != 0) {
            let kept = (0..=sweep.mover).filter(|kept| loaded & 1 << kept != 0);
            let taken: usize = kept.map(|part| self.state.boards(part)).sum();
            if loaded != 0 && taken + self.state.boards(part) > self.room {
                break;
            }
            self.load_part(part, sweep.number, loaded)?;
            loaded |= 1 << part;
        }
        Ok(())
    }

    /// Reads a part unless it is in memory. Others make room for it, but not those that are to be kept, a bit each.
    pub(super) fn load_part(&mut self, part: u8, sweep: usize, kept: u64) -> Result<(), EndgameFileError> {
        if self.is_in_memory(part) {
            return Ok(());
        }
        let boards = self.state.boards(part);
        loop {
            let there =
                (0..=self.state.seeds).filter(|&part| !self.is_fixed(part) && self.is_in_memory(part));
            let there: Vec<u8> = there.collect();
            let taken: usize = there.iter().map(|&part| self.state.boards(part)).sum();
            let may_go = there.into_iter().filter(|part| kept & 1 << part == 0);
            let Some(last) = may_go.max_by_key(|&part| self.needed_in(part, sweep)) else { break };
            if taken + boards <= self.room {
                break;
            }
            self.state.part(last).values = Vec::new();
        }
        let mut values = vec![C::WORST; boards + RUN];
        self.values.read(self.place(part), bytemuck::cast_slice_mut(&mut values[..boards]))?;
        self.state.part(part).values = values;
        Ok(())
    }

    /// In how many sweeps from one on a part is read or written next.
    fn needed_in(&self, part: u8, sweep: usize) -> usize {
        let is_needed = |&mover: &u8| {
            self.state.seeds - mover == part || (mover.saturating_sub(REACH)..=mover).contains(&part)
        };
        self.order
            .iter()
            .cycle()
            .skip(sweep + 1)
            .take(self.order.len())
            .take_while(|mover| !is_needed(mover))
            .count()
    }
}
