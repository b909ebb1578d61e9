//! Moves as tables of rows, for rule sets with sowings of one lap.
//!
//! The effect of a move on the mover's row does not depend on the other row. Its effect on the other row depends only on the
//! number of seeds that fall there and on whether the last one does: its [`Pattern`]. [`Rules::play`] gives both once a row; no
//! rule is repeated here.

use super::sown_ranks::SownRanks;
use crate::endgames::probe::indexing::{Indexing, Rows};
use crate::game::{Board, Pit, ROW, Row, Rules};
use std::collections::BTreeMap;

/// The mover's row after sowing a pit.
#[derive(Clone, Copy, Debug)]
pub struct Sown {
    /// The rank of the row that is left.
    pub row: u32,
    /// Seeds that fell on the other side.
    pub given: u8,
    /// Which of the patterns; [`Sown::NONE`] if the pit is empty, [`Sown::INSIDE`] if no seed leaves the row.
    pub pattern: u8,
}

impl Sown {
    pub const NONE: u8 = u8::MAX;
    /// The other row stays as it is.
    pub const INSIDE: u8 = 0;
}

/// A row that loses seeds to a capture.
#[derive(Clone, Copy, Debug)]
pub struct Capture {
    /// Its rank before.
    pub from: u32,
    /// Its rank after.
    pub to: u32,
    /// The seeds that are captured.
    pub seeds: u8,
}

/// The board after a capture.
#[derive(Clone, Copy, Debug)]
pub enum Rest {
    /// Nothing on the other side, which wins.
    Won,
    /// A board of a database below.
    Board {
        /// The database.
        seeds: u8,
        /// The index of the board in it.
        index: usize,
    },
}

/// The effect of one way to reach the other side on its rows, all with the same number of seeds.
#[derive(Clone, Debug, Default)]
pub struct Pattern {
    /// The ranks of the rows after the sowing.
    pub sowing: SownRanks,
    /// By the rank of a row, all bits set if it loses seeds to a capture, else none. Empty if none does.
    pub captured: Vec<u8>,
    /// The captures, by the rank of the row.
    pub captures: Vec<Capture>,
}

/// The tables for all databases up to one.
#[derive(Debug)]
pub struct MoveTables {
    /// By the seeds of a row: six entries a row.
    sown: Vec<Vec<[Sown; ROW]>>,
    /// The same against an empty row, where not every move is legal.
    feeding: Vec<Vec<[Sown; ROW]>>,
    /// By pattern and by the seeds of the row that it meets.
    patterns: Vec<Vec<Pattern>>,
}

/// A row whose pits are too full for any rule set: nothing in it can be captured, and no seed falls into an empty pit.
pub const FULL: Row = Row::new([20; ROW], 0);

/// The mover's row after a sowing, the number of seeds that fall on the other side, and the number of the pattern.
fn pattern_of<R: Rules>(mover: Row, pit: Pit) -> (Row, u8, u8) {
    let step = R::play(Board { mover, other: FULL }, pit).expect("a single lap ends");
    let given = step.board.mover.seeds() - FULL.seeds();
    let lands = R::COURSE.landing(pit, mover.pit(pit)).is_some_and(|cell| cell >= ROW);
    (step.board.other, given, 2 * given + u8::from(lands))
}

impl MoveTables {
    /// The tables for databases of up to `most` seeds.
    pub fn new<R: Rules>(most: u8) -> MoveTables {
        let indexing = Indexing::get();
        let mut samples: BTreeMap<u8, (Pit, u8)> = BTreeMap::new();
        for seeds in 1..=most {
            for pit in Pit::ALL {
                let mut pits = [0; ROW];
                pits[pit.index()] = seeds;
                let (_, _, pattern) = pattern_of::<R>(Row::new(pits, 0), pit);
                samples.entry(pattern).or_insert((pit, seeds));
            }
        }
        let rows = |moves: fn(Row) -> [Sown; ROW]| {
            (0..=most).map(|seeds| Rows::with(seeds).map(moves).collect()).collect()
        };
        let mut patterns = Vec::new();
        for (&pattern, &(pit, seeds)) in &samples {
            patterns.resize(usize::from(pattern) + 1, Vec::new());
            if pattern != Sown::INSIDE {
                let mut pits = [0; ROW];
                pits[pit.index()] = seeds;
                let row = Row::new(pits, 0);
                patterns[usize::from(pattern)] =
                    (0..=most - seeds).map(|other| pattern_on::<R>(row, pit, other, indexing)).collect();
            }
        }
        MoveTables { sown: rows(sown::<R>), feeding: rows(feeding::<R>), patterns }
    }

    /// The moves of a row, given by its seeds and its rank, against a row with `other` seeds.
    #[inline]
    pub fn moves(&self, seeds: u8, row: usize, other: u8) -> impl Iterator<Item = Sown> {
        let table = if other == 0 { &self.feeding } else { &self.sown };
        table[usize::from(seeds)][row].into_iter().filter(|sown| sown.pattern != Sown::NONE)
    }

    /// Calls a function with each capture that a row, given by its seeds and its rank, can make against the rows with `other`
    /// seeds: the rank of that row, the captured seeds, and the remaining row.
    #[inline]
    pub fn each_capture<R: Rules>(
        &self,
        seeds: u8,
        row: usize,
        other: u8,
        mut each: impl FnMut(usize, u8, Rest),
    ) {
        let indexing = Indexing::get();
        for sown in self.moves(seeds, row, other) {
            let Some(pattern) = self.pattern(sown, other) else { continue };
            let mine = seeds - sown.given;
            for capture in &pattern.captures {
                let left = other + sown.given - capture.seeds;
                let rest = if R::SWEEP_WINS && left == 0 {
                    Rest::Won
                } else {
                    let index = indexing.first_index(mine + left, mine)
                        + sown.row as usize * indexing.row_count(left)
                        + capture.to as usize;
                    Rest::Board { seeds: mine + left, index }
                };
                each(capture.from as usize, capture.seeds, rest);
            }
        }
    }

    /// The changes that a move makes to rows with `seeds` seeds; `None` if there are none.
    #[inline]
    pub fn pattern(&self, sown: Sown, seeds: u8) -> Option<&Pattern> {
        (sown.pattern != Sown::INSIDE).then(|| &self.patterns[usize::from(sown.pattern)][usize::from(seeds)])
    }
}

/// Bytes of the tables for databases of up to `seeds` seeds: 96 a row, and some 8 a row and way to reach it.
pub fn tables_needed(seeds: u8) -> u64 {
    let rows = |seeds: u8| Indexing::get().row_count(seeds) as u64;
    (0..=seeds).map(|row| rows(row) * (96 + 8 * u64::from(seeds - row))).sum()
}

fn sown<R: Rules>(row: Row) -> [Sown; ROW] {
    Pit::ALL.map(|pit| {
        if row.pit(pit) == 0 {
            return Sown { row: 0, given: 0, pattern: Sown::NONE };
        }
        let (left, given, pattern) = pattern_of::<R>(row, pit);
        Sown { row: Indexing::get().rank_row(left) as u32, given, pattern }
    })
}

/// The moves that are legal against an empty row.
fn feeding<R: Rules>(row: Row) -> [Sown; ROW] {
    let legal = R::moves(Board { mover: row, other: Row::default() });
    let mut moves = sown::<R>(row);
    for pit in Pit::ALL.into_iter().filter(|&pit| !legal.contains(pit)) {
        moves[pit.index()].pattern = Sown::NONE;
    }
    moves
}

fn pattern_on<R: Rules>(mover: Row, pit: Pit, seeds: u8, indexing: &Indexing) -> Pattern {
    let full = R::play(Board { mover, other: FULL }, pit).expect("a single lap ends").board.mover;
    let given: [u8; ROW] = std::array::from_fn(|pit| full.pits()[pit] - FULL.pits()[pit]);
    let mut captures = Vec::new();
    let sown = |other: Row| {
        let pits = other.pits();
        indexing.rank_row(Row::new(std::array::from_fn(|pit| pits[pit] + given[pit]), 0)) as u32
    };
    for (from, other) in Rows::with(seeds).enumerate() {
        let step = R::play(Board { mover, other }, pit).expect("a single lap ends");
        let to = indexing.rank_row(step.board.mover) as u32;
        let captured = step.board.other.store();
        if captured > 0 {
            captures.push(Capture { from: from as u32, to, seeds: captured });
        } else {
            assert_eq!(to, sown(other), "a sowing without a capture only adds seeds");
        }
    }
    let mut captured = Vec::new();
    if !captures.is_empty() {
        captured.resize(indexing.row_count(seeds), 0);
        captures.iter().for_each(|capture| captured[capture.from as usize] = u8::MAX);
    }
    Pattern { sowing: SownRanks::new(Rows::with(seeds).map(sown)), captured, captures }
}
