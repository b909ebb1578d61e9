//! Levels of rule sets in which no position comes back, `kalah` and `awari1978`: one pass over the boards, in an order in
//! which the successors of a board are done before it (a topological order).
//!
//! A move either banks a seed, and leads to a level below, or sows inside the mover's row towards the store. The latter
//! lowers each sum of the row's first pits or leaves it, so the rank of the row falls and the other row stays. Two rows
//! with the ranks a and b make two boards, one for each side to move. The one with a to move leads to (b, a′) with a′ < a,
//! the other to (a, b′) with b′ < b. So both are known once all pairs with smaller ranks are, and blocks of pairs are
//! done diagonal by diagonal, the blocks of a diagonal at the same time. The checkpoint of a level is its values and how
//! many diagonals are done.

use super::checkpoint::Checkpoint;
use super::indexing::{Indexing, Rows, board_count};
use super::level::{EndgameLevel, level_bytes};
use super::lower_levels::LowerLevels;
use super::thread_pool::{BuildStatus, Stopped, ThreadPool};
use crate::game::{Board, Flag, Row, Rules};
use bytemuck::allocation::zeroed_vec;
use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

/// Rows of a side that a block has: 4096 pairs, a few tenths of a millisecond of work.
const WIDTH: usize = 64;

/// Builds the level with so many seeds.
pub(super) fn build_level<R: Rules>(
    seeds: u8,
    lower: LowerLevels<'_>,
    pool: &mut ThreadPool<'_>,
    checkpoint: &mut Checkpoint,
) -> Result<EndgameLevel, Stopped> {
    let state =
        LevelState { seeds, lower, indexing: Indexing::get(), gains: zeroed_vec(level_bytes::<R>(seeds)) };
    // The row with fewer seeds comes first; the boards of both sides to move are done together.
    let pairs: Vec<Pairs> = (0..=seeds / 2).map(|fewer| Pairs::new(fewer, seeds - fewer)).collect();
    let diagonals = pairs.iter().map(|pairs| pairs.blocks(0) + pairs.blocks(1) - 1).max().unwrap_or(0);
    for diagonal in state.load(checkpoint)..diagonals {
        let blocks: Vec<(&Pairs, usize, usize)> = pairs
            .iter()
            .flat_map(|pairs| {
                let columns =
                    (diagonal + 1).saturating_sub(pairs.blocks(0))..pairs.blocks(1).min(diagonal + 1);
                columns.map(move |column| (pairs, diagonal - column, column))
            })
            .collect();
        let status = BuildStatus { seeds, iteration: diagonal as u32, ..BuildStatus::default() };
        let done = pool.run(status, blocks.len(), |index| {
            let (pairs, row, column) = blocks[index];
            state.evaluate_block::<R>(pairs, row * WIDTH, column * WIDTH);
        });
        if let Err(stopped) = done {
            checkpoint.save(&|from, block| state.fill(diagonal, from, block));
            return Err(stopped);
        }
        checkpoint.save_if_due(&|from, block| state.fill(diagonal + 1, from, block));
    }
    Ok(EndgameLevel::of_gains(state.gains.into_iter().map(AtomicU8::into_inner).collect()))
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

/// A level that is being built.
struct LevelState<'a> {
    seeds: u8,
    lower: LowerLevels<'a>,
    indexing: &'static Indexing,
    /// By the index of a board: its gain; then the same for second moves.
    gains: Vec<AtomicU8>,
}

/// Bytes of a checkpoint behind the values: how many diagonals are done.
pub(super) const DIAGONALS_DONE: usize = 8;

impl LevelState<'_> {
    /// Takes the values from a checkpoint, and returns how many diagonals are done.
    fn load(&self, checkpoint: &Checkpoint) -> usize {
        let saved = checkpoint.load();
        let Some((gains, done)) =
            saved.as_ref().and_then(|saved| saved.bytes().split_last_chunk::<DIAGONALS_DONE>())
        else {
            return 0;
        };
        self.gains.iter().zip(gains).for_each(|(gain, &saved)| gain.store(saved, Relaxed));
        u64::from_le_bytes(*done) as usize
    }

    /// The bytes of a checkpoint, from one on, when so many diagonals are done.
    fn fill(&self, done: usize, from: usize, block: &mut [u8]) {
        let done = (done as u64).to_le_bytes();
        for (at, byte) in (from..).zip(block) {
            *byte = match self.gains.get(at) {
                Some(gain) => gain.load(Relaxed),
                None => done[at - self.gains.len()],
            };
        }
    }

    fn evaluate_block<R: Rules>(&self, pairs: &Pairs, from: usize, other_from: usize) {
        let [rows, others] = &pairs.rows;
        for &one in &rows[from..rows.len().min(from + WIDTH)] {
            for &other in &others[other_from..others.len().min(other_from + WIDTH)] {
                let board = Board { mover: one, other };
                self.evaluate::<R>(board);
                self.evaluate::<R>(board.turned());
            }
        }
    }

    /// Writes the gain of a board, and of the same board in a second move.
    #[inline]
    fn evaluate<R: Rules>(&self, board: Board) {
        let index = self.indexing.rank(board);
        self.gains[index].store(self.best_gain::<R>(board) as u8, Relaxed);
        if R::SECOND_MOVE {
            let second = self.best_gain::<R>(board.flag_if(Flag::SecondMove, true));
            self.gains[index + self.gains.len() / 2].store(second as u8, Relaxed);
        }
    }

    /// The gain of a board with empty stores: the best that its moves offer.
    #[inline]
    fn best_gain<R: Rules>(&self, board: Board) -> i8 {
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
        let index = self.indexing.rank(board);
        if seeds == self.seeds {
            return self.gains[index].load(Relaxed) as i8;
        }
        let second = R::SECOND_MOVE && board.has(Flag::SecondMove);
        self.lower.code(seeds, if second { index + board_count(seeds) } else { index }) as i8
    }
}
