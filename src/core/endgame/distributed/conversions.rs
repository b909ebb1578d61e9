//! What a rank has of a level before the first iteration: the first values of its slabs, and the conversion values of the
//! boards that it evaluates.

use super::super::indexing::Rows;
use super::super::move_tables::Rest;
use super::super::thresholds::{Thresholds, of_capture, of_ending, of_sweep};
use super::layout::Slab;
use super::level::{LevelShare, TASK, on_threads};
use crate::game::{Board, Row, Rules};
use std::sync::atomic::Ordering::Relaxed;

impl<R: Rules> LevelShare<'_, R> {
    /// The values before the first iteration, and the conversion values.
    pub(super) fn initialise(&mut self) {
        let groups = self.groups(TASK);
        let (mut values, mut conversions) =
            (std::mem::take(&mut self.values), std::mem::take(&mut self.conversions));
        let values_of = self.split(&mut values, &groups);
        let conversions_of = self.split(&mut conversions, &groups);
        on_threads(self.threads, groups.len(), |group| {
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
    fn first_values(&self, slab: Slab, values: &mut [u16]) {
        let other = self.indexing.unrank_row(slab.seeds, slab.row);
        let start = u16::from_le_bytes(self.start);
        for (mover, value) in Rows::with(self.seeds - slab.seeds).zip(values) {
            let ended = self.ended(mover, other);
            *value = ended.map_or(start, |ended| ended.turned::<R>(self.seeds).bits());
        }
    }

    /// What the moves of a row out of the level offer, or the end of the game.
    fn conversions(&self, slab: Slab, conversions: &mut [u16]) {
        conversions.fill(Thresholds::WORST.bits());
        self.best_captures(slab, conversions);
        let mover = self.indexing.unrank_row(slab.seeds, slab.row);
        let others = Rows::with(self.seeds - slab.seeds);
        for (place, (other, conversion)) in others.zip(conversions).enumerate() {
            if let Some(ended) = self.ended(mover, other) {
                *conversion = ended.bits();
                let distance = self.distance(ended.turned::<R>(self.seeds).bits());
                self.distances[slab.start + place].store(distance, Relaxed);
            }
        }
    }

    /// What the end of the game is worth, if this is one.
    fn ended(&self, mover: Row, other: Row) -> Option<Thresholds> {
        if !mover.is_bare() && !other.is_bare() {
            return None;
        }
        R::ending(Board { mover, other }).map(|ending| of_ending::<R>(self.seeds, &ending))
    }

    /// Takes into `best` what a row's captures offer.
    fn best_captures(&self, mover: Slab, best: &mut [u16]) {
        let others = self.seeds - mover.seeds;
        self.tables.each_capture::<R>(mover.seeds, mover.row, others, |from, captured, rest| {
            let offer = match rest {
                Rest::Won => of_sweep::<R>(self.seeds, captured),
                Rest::Board { seeds, index } => {
                    of_capture::<R>(self.seeds, captured, self.lower.thresholds(seeds, index))
                }
            };
            best[from] = Thresholds::from_bits(best[from]).better(offer).bits();
        });
    }
}
