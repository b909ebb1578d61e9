//! The state of a rank before the first iteration: the first values of its slabs, and the conversion values of the boards that
//! it evaluates.

use super::layout::Slab;
use super::share::{DatabaseShare, TASK};
use kroo_core::endgames::building::cell::Cell;
use kroo_core::endgames::probe::indexing::Rows;
use kroo_core::game::{Board, Rules};
use std::sync::atomic::Ordering::Relaxed;

impl<R: Rules, C: Cell> DatabaseShare<'_, R, C> {
    /// The values before the first iteration, and the conversion values.
    pub(super) fn initialise(&mut self) {
        let groups = self.groups(TASK);
        let (mut values, mut conversions) =
            (std::mem::take(&mut self.values), std::mem::take(&mut self.conversions));
        let values_of = self.split(&mut values, &groups);
        let conversions_of = self.split(&mut conversions, &groups);
        self.threads.map(groups.len(), |group| {
            let mut values = values_of[group].lock().expect("no task panics");
            let mut conversions = conversions_of[group].lock().expect("no task panics");
            let from = self.layout.slabs[groups[group].start].start;
            for &slab in &self.layout.slabs[groups[group].clone()] {
                let boards = slab.start - from..slab.start - from + self.layout.len(slab);
                self.first_values(slab, &mut values[boards.clone()]);
                self.conversions(slab, &mut conversions[boards]);
            }
        });
        drop((values_of, conversions_of));
        (self.values, self.conversions) = (values, conversions);
    }

    /// The values of a slab before the first iteration.
    fn first_values(&self, slab: Slab, values: &mut [C]) {
        let other = self.indexing.unrank_row(slab.seeds, slab.row);
        for (mover, value) in Rows::with(self.seeds - slab.seeds).zip(values) {
            let ended = self.ended_bare(Board { mover, other });
            *value = ended.map_or(self.start, |ended| ended.turned::<R>(self.seeds));
        }
    }

    /// The best value of the moves of a row that leave the database, or the end of the game.
    fn conversions(&self, slab: Slab, conversions: &mut [C]) {
        conversions.fill(C::WORST);
        self.take_captures(slab.seeds, slab.row, conversions);
        let mover = self.indexing.unrank_row(slab.seeds, slab.row);
        let others = Rows::with(self.seeds - slab.seeds);
        for (place, (other, conversion)) in others.zip(conversions).enumerate() {
            if let Some(ended) = self.ended_bare(Board { mover, other }) {
                *conversion = ended;
                let distance = ended.turned::<R>(self.seeds).distance(self.start);
                self.distances[slab.start + place].store(distance, Relaxed);
            }
        }
    }

    /// The value of a board if the game is over there, which it is only where a side has no seeds.
    fn ended_bare(&self, board: Board) -> Option<C> {
        if board.mover.is_bare() || board.other.is_bare() { self.ended(board) } else { None }
    }
}
