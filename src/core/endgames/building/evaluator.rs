//! The sweep of value iteration: the offers of a row's moves against a stretch of the other side's rows, wherever the values
//! are ([`Values`]): in memory, part by part on the disk, or with another process.

use super::cell::{Cell, take_better};
use super::lower_databases::LowerDatabases;
use super::move_tables::{MoveTables, Rest, Sown};
use super::sown_ranks::RUN;
use crate::endgames::probe::indexing::Indexing;
use crate::endgames::probe::thresholds::{of_capture, of_ending, of_endless_play, of_sweep};
use crate::game::{Board, Rules};
use std::marker::PhantomData;
use std::ops::{Range, RangeInclusive};

/// Rows of the other side that are evaluated together. With 64 rows of a byte or two they stay in the level 1 cache.
pub const LENGTH: usize = 256;

/// The values of a database that is being built, for the side that moved there.
pub trait Values<C> {
    /// The offers of a move that leaves a row, given by its seeds and its rank, against a stretch of the other side's rows.
    fn offers(&mut self, seeds: u8, sown: Sown, rows: &Range<usize>) -> Offers<'_, C>;

    /// Whether values have changed since they were last looked at: those of a row that is left, given by its seeds and its
    /// rank, against a stretch of the other side's rows.
    fn has_changed(&self, seeds: u8, row: usize, others: impl FnOnce() -> RangeInclusive<usize>) -> bool;
}

/// The offers of a move.
pub enum Offers<'a, C> {
    /// The values of all boards with the row that is left, in the order of the other rows, and [`RUN`] values more.
    Slab(&'a [C]),
    /// One for each row of the stretch.
    Gathered(&'a [C]),
    /// It is left to another pass.
    Elsewhere,
}

/// Room for the offers of a move.
pub type Scratch<C> = [C; LENGTH + RUN];

/// The inputs that the values of a database follow from, apart from each other.
pub struct Evaluator<'a, R, C> {
    pub seeds: u8,
    pub indexing: &'static Indexing,
    pub lower: LowerDatabases<'a>,
    pub tables: &'a MoveTables,
    /// The value of a capture, by its seeds and by the code of the board that is left; [`Cell::WORST`] for a code that has
    /// no thresholds.
    captures: Vec<[C; 256]>,
    /// The first value of a board.
    pub start: C,
    rules: PhantomData<R>,
}

impl<'a, R: Rules, C: Cell> Evaluator<'a, R, C> {
    pub fn new(seeds: u8, lower: LowerDatabases<'a>, tables: &'a MoveTables) -> Evaluator<'a, R, C> {
        let capture = |captured: u8| {
            let coded = lower.coded(seeds - captured);
            std::array::from_fn(|code| {
                coded.get(code).map_or(C::WORST, |&rest| C::new(of_capture::<R>(seeds, captured, rest)))
            })
        };
        Evaluator {
            seeds,
            indexing: Indexing::get(),
            lower,
            tables,
            captures: std::iter::once([C::WORST; 256]).chain((1..=seeds).map(capture)).collect(),
            start: C::new(of_endless_play::<R>(seeds)).turned::<R>(seeds),
            rules: PhantomData,
        }
    }

    /// The value of a board for the side to move if the game is over there.
    pub fn ended(&self, board: Board) -> Option<C> {
        R::ending(board).map(|ending| C::new(of_ending::<R>(self.seeds, &ending)))
    }

    /// Takes into `best` the offers of a row's captures, by the other row.
    pub fn take_captures(&self, mover: u8, row: usize, best: &mut [C]) {
        self.tables.each_capture::<R>(mover, row, self.seeds - mover, |from, captured, rest| {
            let offer = match rest {
                Rest::Won => C::new(of_sweep::<R>(self.seeds, captured)),
                Rest::Board { seeds, index } => {
                    let code = self.lower.code(seeds, index);
                    let offer = self.captures[usize::from(captured)][usize::from(code)];
                    if offer == C::WORST { self.rare_capture(captured, index) } else { offer }
                }
            };
            best[from] = best[from].better(offer);
        });
    }

    /// The value of a capture that leaves a board whose thresholds have no code.
    #[cold]
    fn rare_capture(&self, captured: u8, index: usize) -> C {
        let rest = self.lower.thresholds(self.seeds - captured, index);
        C::new(of_capture::<R>(self.seeds, captured, rest))
    }

    /// Takes into `best` the offers of a row's moves against a stretch of the other side's rows.
    #[inline]
    pub fn take_moves(
        &self,
        values: &mut impl Values<C>,
        (mover, row): (u8, usize),
        rows: &Range<usize>,
        best: &mut [C],
        scratch: &mut Scratch<C>,
    ) {
        for sown in self.tables.moves(mover, row, self.seeds - mover) {
            match values.offers(mover - sown.given, sown, rows) {
                Offers::Slab(slab) => self.take_slab(slab, mover, sown, rows, best, scratch),
                Offers::Gathered(offers) => take_better(best, offers),
                Offers::Elsewhere => {}
            }
        }
    }

    /// The same for one move, from the values of the boards with the row that it leaves.
    #[inline]
    fn take_slab(
        &self,
        slab: &[C],
        mover: u8,
        sown: Sown,
        rows: &Range<usize>,
        best: &mut [C],
        scratch: &mut Scratch<C>,
    ) {
        if sown.pattern == Sown::INSIDE {
            take_better(best, &slab[rows.clone()]);
        } else {
            take_better(best, self.gather(slab, self.seeds - mover, sown, rows, scratch));
        }
    }

    /// The offers of a move against a stretch of rows with `other` seeds, from the values of the boards with the row that it
    /// leaves. Where a capture follows, it is worse than anything.
    #[inline]
    pub fn gather<'s>(
        &self,
        slab: &[C],
        other: u8,
        sown: Sown,
        rows: &Range<usize>,
        scratch: &'s mut Scratch<C>,
    ) -> &'s [C] {
        let Some(pattern) = self.tables.pattern(sown, other) else {
            scratch[..rows.len()].copy_from_slice(&slab[rows.clone()]);
            return &scratch[..rows.len()];
        };
        pattern.sowing.gather(slab, rows, scratch);
        if !pattern.captured.is_empty() {
            for (offer, &mask) in scratch.iter_mut().zip(&pattern.captured[rows.clone()]) {
                *offer = offer.masked(mask);
            }
        }
        &scratch[..rows.len()]
    }

    /// The ranks of the rows that a move makes of a stretch of the other side's rows, from the least to the largest; a few more
    /// may follow.
    #[inline]
    pub fn span(&self, other: u8, sown: Sown, rows: &Range<usize>) -> RangeInclusive<usize> {
        match self.tables.pattern(sown, other) {
            None => rows.start..=rows.end - 1,
            Some(pattern) => {
                let (first, last) = pattern.sowing.span(rows);
                first..=last
            }
        }
    }

    /// Whether the moves of a row lead to values that have changed.
    #[inline]
    pub fn may_change(
        &self,
        values: &impl Values<C>,
        (mover, row): (u8, usize),
        rows: &Range<usize>,
    ) -> bool {
        let other = self.seeds - mover;
        self.tables.moves(mover, row, other).any(|sown| {
            values.has_changed(mover - sown.given, sown.row as usize, || self.span(other, sown, rows))
        })
    }

    /// Boards with this number of seeds in the row of one side.
    pub fn boards(&self, seeds: u8) -> usize {
        self.indexing.row_count(seeds) * self.indexing.row_count(self.seeds - seeds)
    }
}
