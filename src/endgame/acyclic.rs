//! Levels of rule sets in which no position comes back: `kalah` and `awari1978`. One visit of each board, in an order in
//! which what it leads to is there already.
//!
//! A move either banks a seed, and leads to a level below, or sows inside the mover's row towards the store. That lowers
//! each sum of the row's first pits or leaves it, so the row's number falls and the other row stays. Two rows with the
//! numbers a and b make two boards, one for each side to move; the one with a to move leads to (b, a′) with a′ < a,
//! the other to (a, b′) with b′ < b. So both are known once all pairs with smaller numbers are, and blocks of pairs are
//! done diagonal by diagonal, those of a diagonal at the same time. What is kept of a level in the making is its values
//! and how many diagonals are behind it.

use super::crew::{Crew, Stage, Stopped};
use super::number::{Numbering, Rows, count};
use super::part::Part;
use super::{Below, Level, planes};
use crate::game::{Board, Flag, Row, Rules};
use bytemuck::allocation::zeroed_vec;
use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

/// Rows of a side that a block has.
const WIDTH: usize = 64;

/// The level with so many seeds.
pub(super) fn level<R: Rules>(
    seeds: u8,
    below: Below<'_>,
    crew: &mut Crew<'_>,
    part: &mut Part,
) -> Result<Level, Stopped> {
    let area =
        Area { seeds, below, numbering: Numbering::get(), gains: zeroed_vec(planes::<R>() * count(seeds)) };
    // The smaller row has the lower number of seeds; the boards of both sides to move are done together.
    let pairs: Vec<Pairs> = (0..=seeds / 2).map(|fewer| Pairs::new(fewer, seeds - fewer)).collect();
    let diagonals = pairs.iter().map(|pairs| pairs.blocks(0) + pairs.blocks(1) - 1).max().unwrap_or(0);
    for diagonal in area.take_up(part)..diagonals {
        let blocks: Vec<(&Pairs, usize, usize)> = pairs
            .iter()
            .flat_map(|pairs| {
                let columns =
                    (diagonal + 1).saturating_sub(pairs.blocks(0))..pairs.blocks(1).min(diagonal + 1);
                columns.map(move |column| (pairs, diagonal - column, column))
            })
            .collect();
        let stage = Stage { seeds, pass: diagonal as u32, ..Stage::default() };
        let done = crew.share(stage, blocks.len(), |index| {
            let (pairs, row, column) = blocks[index];
            area.block::<R>(pairs, row * WIDTH, column * WIDTH);
        });
        if let Err(stopped) = done {
            part.keep(&|from, block| area.fill(diagonal, from, block));
            return Err(stopped);
        }
        part.keep_if_due(&|from, block| area.fill(diagonal + 1, from, block));
    }
    Ok(Level::of_gains(area.gains.into_iter().map(AtomicU8::into_inner).collect()))
}

/// All rows with two counts of seeds.
struct Pairs {
    rows: [Vec<Row>; 2],
}

impl Pairs {
    fn new(one: u8, other: u8) -> Pairs {
        Pairs { rows: [one, other].map(|seeds| Rows::with(seeds).collect()) }
    }

    fn blocks(&self, which: usize) -> usize {
        self.rows[which].len().div_ceil(WIDTH)
    }
}

/// A level in the making.
struct Area<'a> {
    seeds: u8,
    below: Below<'a>,
    numbering: &'static Numbering,
    /// By the number of a board: its gain; then the same for second moves.
    gains: Vec<AtomicU8>,
}

/// Bytes in which the number of diagonals is kept, behind the values.
pub(super) const DONE: usize = 8;

impl Area<'_> {
    /// Takes what has been kept of the level, and says how many diagonals that are.
    fn take_up(&self, part: &Part) -> usize {
        let kept = part.taken_up();
        let Some((gains, done)) = kept.as_ref().and_then(|kept| kept.bytes().split_last_chunk::<DONE>())
        else {
            return 0;
        };
        self.gains.iter().zip(gains).for_each(|(gain, &kept)| gain.store(kept, Relaxed));
        u64::from_le_bytes(*done) as usize
    }

    /// The bytes to keep, from one on, when so many diagonals are done.
    fn fill(&self, done: usize, from: usize, block: &mut [u8]) {
        let done = (done as u64).to_le_bytes();
        for (at, byte) in (from..).zip(block) {
            *byte = match self.gains.get(at) {
                Some(gain) => gain.load(Relaxed),
                None => done[at - self.gains.len()],
            };
        }
    }

    fn block<R: Rules>(&self, pairs: &Pairs, from: usize, other_from: usize) {
        let [rows, others] = &pairs.rows;
        for &one in &rows[from..rows.len().min(from + WIDTH)] {
            for &other in &others[other_from..others.len().min(other_from + WIDTH)] {
                let board = Board { mover: one, other };
                self.settle::<R>(board);
                self.settle::<R>(board.turned());
            }
        }
    }

    #[inline]
    fn settle<R: Rules>(&self, board: Board) {
        let number = self.numbering.rank(board);
        self.gains[number].store(self.best::<R>(board) as u8, Relaxed);
        if R::SECOND_MOVE {
            let second = self.best::<R>(board.flag_if(Flag::SecondMove, true));
            self.gains[number + self.gains.len() / 2].store(second as u8, Relaxed);
        }
    }

    /// The gain of a board with empty stores.
    #[inline]
    fn best<R: Rules>(&self, board: Board) -> i8 {
        if let Some(ending) = R::ending(board) {
            return ending.margin();
        }
        let mut best = i8::MIN;
        for pit in R::moves(board) {
            let Some(step) = R::play(board, pit) else { continue };
            let (lead, rest) = (step.board.lead(), self.gain::<R>(step.board));
            best = best.max(if step.again { lead + rest } else { -lead - rest });
        }
        best
    }

    #[inline]
    fn gain<R: Rules>(&self, board: Board) -> i8 {
        let seeds = board.seeds();
        let number = self.numbering.rank(board);
        if seeds == self.seeds {
            return self.gains[number].load(Relaxed) as i8;
        }
        let second = R::SECOND_MOVE && board.has(Flag::SecondMove);
        self.below.code(seeds, if second { number + count(seeds) } else { number }) as i8
    }
}
