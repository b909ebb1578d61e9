//! Levels of rule sets in which play can go round in circles and a sowing is one lap, `awari` and `oware`: value iteration.
//!
//! Every board begins with what endless play is worth ([`of_endless_play`]). An iteration gives each board the best that
//! its moves offer; the last iteration is that in which nothing changes. (Retrograde analysis: K. Thompson, "Retrograde
//! Analysis of Certain Endgames", ICCA Journal 9(3), 1986. For awari: T. Lincke and A. Marzetta, "Large Endgame Databases
//! with Limited Memory Space", ICGA Journal 23(3), 2000; J. Romein and H. Bal, "Solving Awari with Parallel Retrograde
//! Analysis", IEEE Computer 36(10), 2003.)
//!
//! # Forward, not backward
//! Those programs step backward, from a board whose value is known to its predecessors. Here each board looks forward at
//! its successors. An iteration costs little because it hardly leaves the cache. The boards of one row of the mover read,
//! for each of its pits, one stretch of memory from one end to the other ([`super::move_tables`]). Bytes are compared
//! sixteen at a time, and 64 rows are transposed together to be written, since the values lie by the other side's row. An
//! evaluation takes about 8.5 ns on one core. A step backward from a board that has changed reads four or five boards all
//! over the level, each in its own place in memory, and has to look at their moves again.
//!
//! Rows whose successors have not changed are left out: the 50 to 70 iterations over a level of 12 to 14 seeds evaluate
//! each board 27 to 33 times. Iterations that go back and forth evaluate it 34 to 41 times, because what an iteration
//! finds is then used half an iteration later on average and not at once.
//!
//! Values are kept as the side sees them that moved there, so that reading them is enough. They are changed in place, by
//! several threads without order (chaotic iteration; D. Bertsekas and J. Tsitsiklis, "Parallel and Distributed
//! Computation", 1989): whoever reads an old value reads again in the next iteration, and the limit is the same.

use super::checkpoint::Checkpoint;
use super::indexing::{Indexing, Rows, board_count, level_size};
use super::level::EndgameLevel;
use super::lower_levels::LowerLevels;
use super::move_tables::{CAPTURED, MoveTables};
use super::thread_pool::{BuildStatus, Stopped, ThreadPool};
use super::thresholds::{Thresholds, of_capture, of_ending, of_endless_play, of_sweep};
use crate::game::{Board, Row, Rules};
use bytemuck::allocation::zeroed_vec;
use std::marker::PhantomData;
use std::ops::Range;
use std::sync::atomic::{AtomicU16, AtomicU64, Ordering::Relaxed};

/// Rows of the mover that are done together, and boards that share a stamp of their last change.
const WIDTH: usize = 64;
/// Rows of the other side that are done together. With [`WIDTH`] rows of two bytes a buffer has 32 KiB, a level 1 cache.
const LENGTH: usize = 256;
/// No capture is worth this; it stands for a code that has no thresholds.
const RARE: u16 = Thresholds::WORST.bits();

/// Builds the level with so many seeds.
pub(super) fn build_level<R: Rules>(
    seeds: u8,
    lower: LowerLevels<'_>,
    tables: &MoveTables,
    pool: &mut ThreadPool<'_>,
    checkpoint: &mut Checkpoint,
) -> Result<EndgameLevel, Stopped> {
    let mut state = LevelState::<R>::new(seeds, lower, tables);
    let blocks = state.blocks();
    let status = BuildStatus { seeds, ..BuildStatus::default() };
    let conversions: Vec<AtomicU16> = zeroed_vec(board_count(seeds));
    pool.run(status, blocks.len(), |index| state.initialise(&blocks[index], &conversions))?;
    state.conversions = conversions.into_iter().map(AtomicU16::into_inner).collect();
    checkpoint.load(|from, bytes| {
        for (value, bytes) in state.values[from / 2..].iter().zip(bytes.chunks_exact(2)) {
            value.store(u16::from_le_bytes([bytes[0], bytes[1]]), Relaxed);
        }
    });
    let read = |from: usize, block: &mut [u8]| {
        for (bytes, value) in block.chunks_exact_mut(2).zip(&state.values[from / 2..]) {
            bytes.copy_from_slice(&value.load(Relaxed).to_le_bytes());
        }
        true
    };
    checkpoint.beside(&read, || {
        for iteration in 1.. {
            let before = state.changes.load(Relaxed);
            let status = BuildStatus { iteration, evaluations: state.evaluations.load(Relaxed), ..status };
            pool.run(status, blocks.len(), |index| state.iterate(&blocks[index], iteration as u16))?;
            if state.changes.load(Relaxed) == before {
                break;
            }
        }
        Ok(())
    })?;
    // The level needs only the values.
    state.conversions = Vec::new();
    let values = state.values.iter().map(|value| value.load(Relaxed));
    let thresholds = values.map(|bits| Thresholds::from_bits(bits).turned::<R>(seeds));
    Ok(EndgameLevel::of_thresholds(thresholds))
}

/// Bytes of memory that building the level with so many seeds takes: values and conversion values of two bytes each, stamps,
/// and the tables of moves, 96 bytes a row and 24 a row and way to reach it.
pub(super) fn memory_needed(seeds: u8) -> u64 {
    let rows = |seeds: u8| Indexing::get().row_count(seeds) as u64;
    let tables: u64 = (0..=seeds).map(|row| rows(row) * (96 + 24 * u64::from(seeds - row))).sum();
    4 * level_size(seeds) + level_size(seeds) / 16 + tables
}

/// Rows of the mover that are done together, all with as many seeds: a task of the thread pool.
struct Block {
    /// Seeds of the mover's rows.
    mover: u8,
    /// Seeds of the other side's.
    other: u8,
    /// The rank of the first row.
    first: usize,
    len: usize,
}

/// A level that is being built.
struct LevelState<'a, R> {
    seeds: u8,
    indexing: &'static Indexing,
    lower: LowerLevels<'a>,
    tables: &'a MoveTables,
    /// What a capture is worth, by its seeds and by the code of the board that is left.
    captures: Vec<[u16; 256]>,
    /// By the index of a board: its value for the side that moved there, as the bits of [`Thresholds`].
    values: Vec<AtomicU16>,
    /// By the index of a board: its conversion value, the best that moves out of the level offer, or the end of the game.
    conversions: Vec<u16>,
    /// The last iteration in which one of [`WIDTH`] boards with the same other row has changed.
    stamps: Vec<AtomicU16>,
    /// Where the stamps begin of the boards with so many seeds in the other row.
    first_stamp: Vec<usize>,
    changes: AtomicU64,
    /// Evaluations of boards so far.
    evaluations: AtomicU64,
    rules: PhantomData<R>,
}

/// Values by the mover's row and by the other side's.
type Buffer = [[u16; LENGTH]; WIDTH];

impl<'a, R: Rules> LevelState<'a, R> {
    fn new(seeds: u8, lower: LowerLevels<'a>, tables: &'a MoveTables) -> LevelState<'a, R> {
        let indexing = Indexing::get();
        let mut first_stamp = vec![0];
        for other in 0..=seeds {
            let stamps = indexing.row_count(other) * stamps_per_row(indexing.row_count(seeds - other));
            first_stamp.push(first_stamp[usize::from(other)] + stamps);
        }
        let capture = |captured: u8| {
            let coded = lower.coded(seeds - captured);
            std::array::from_fn(|code| {
                coded.get(code).map_or(RARE, |&rest| of_capture::<R>(seeds, captured, rest).bits())
            })
        };
        LevelState {
            seeds,
            indexing,
            lower,
            tables,
            captures: std::iter::once([0; 256]).chain((1..=seeds).map(capture)).collect(),
            values: zeroed_vec(board_count(seeds)),
            conversions: Vec::new(),
            stamps: zeroed_vec(first_stamp[usize::from(seeds) + 1]),
            first_stamp,
            changes: AtomicU64::new(0),
            evaluations: AtomicU64::new(0),
            rules: PhantomData,
        }
    }

    fn blocks(&self) -> Vec<Block> {
        let blocks = |mover| {
            let rows = self.indexing.row_count(mover);
            let block =
                move |first| Block { mover, other: self.seeds - mover, first, len: WIDTH.min(rows - first) };
            (0..rows).step_by(WIDTH).map(block)
        };
        (0..=self.seeds).flat_map(blocks).collect()
    }

    /// The index of the first board with this other row.
    #[inline]
    fn first_index(&self, other: u8, row: usize) -> usize {
        self.indexing.first_index(self.seeds, other) + row * self.indexing.row_count(self.seeds - other)
    }

    /// The stretches of other rows that are done together.
    fn stretches(&self, block: &Block) -> impl Iterator<Item = Range<usize>> {
        let rows = self.indexing.row_count(block.other);
        (0..rows).step_by(LENGTH).map(move |from| from..rows.min(from + LENGTH))
    }

    /// The values before the first iteration, and the conversion values.
    fn initialise(&self, block: &Block, conversions: &[AtomicU16]) {
        let start = of_endless_play::<R>(self.seeds).turned::<R>(self.seeds).bits();
        let mut buffer: Box<Buffer> = Box::new([[0; LENGTH]; WIDTH]);
        let movers: Vec<Row> = Rows::with(block.mover).skip(block.first).take(block.len).collect();
        for stretch in self.stretches(block) {
            for (row, best) in buffer[..block.len].iter_mut().enumerate() {
                best.fill(Thresholds::WORST.bits());
                self.best_captures(block, block.first + row, stretch.clone(), best);
            }
            let others = Rows::with(block.other).skip(stretch.start);
            for (at, (other_row, other)) in stretch.zip(others).enumerate() {
                let first = self.first_index(block.other, other_row) + block.first;
                for (row, &mover) in movers.iter().enumerate() {
                    let ending = if mover.is_bare() || other.is_bare() {
                        R::ending(Board { mover, other })
                    } else {
                        None
                    };
                    let ended = ending.map(|ending| of_ending::<R>(self.seeds, &ending));
                    let value = ended.map_or(start, |ended| ended.turned::<R>(self.seeds).bits());
                    self.values[first + row].store(value, Relaxed);
                    conversions[first + row].store(ended.map_or(buffer[row][at], Thresholds::bits), Relaxed);
                }
            }
        }
    }

    /// Takes into `best` what a row's captures offer against a stretch of other rows.
    fn best_captures(&self, block: &Block, row: usize, rows: Range<usize>, best: &mut [u16; LENGTH]) {
        for sown in self.tables.moves(block.mover, row, block.other) {
            let Some(pattern) = self.tables.pattern(sown, block.other) else { continue };
            let mine = block.mover - sown.given;
            let skipped = pattern.captures.partition_point(|capture| (capture.from as usize) < rows.start);
            let captures = pattern.captures[skipped..].iter();
            for capture in captures.take_while(|capture| (capture.from as usize) < rows.end) {
                let left = block.other + sown.given - capture.seeds;
                let offer = if R::SWEEP_WINS && left == 0 {
                    of_sweep::<R>(self.seeds, capture.seeds).bits()
                } else {
                    let index = self.indexing.first_index(mine + left, mine)
                        + sown.row as usize * self.indexing.row_count(left)
                        + capture.to as usize;
                    let code = self.lower.code(mine + left, index);
                    match self.captures[usize::from(capture.seeds)][usize::from(code)] {
                        RARE => self.rare_capture(capture.seeds, index),
                        bits => bits,
                    }
                };
                let best = &mut best[capture.from as usize - rows.start];
                *best = Thresholds::from_bits(*best).better(Thresholds::from_bits(offer)).bits();
            }
        }
    }

    /// What a capture is worth that leaves a board whose thresholds have no code.
    #[cold]
    fn rare_capture(&self, captured: u8, index: usize) -> u16 {
        let rest = self.lower.thresholds(self.seeds - captured, index);
        of_capture::<R>(self.seeds, captured, rest).bits()
    }

    /// An iteration over a block.
    fn iterate(&self, block: &Block, iteration: u16) {
        if block.mover == 0 {
            return;
        }
        let mut buffer: Box<Buffer> = Box::new([[0; LENGTH]; WIDTH]);
        let mut active = Vec::with_capacity(WIDTH);
        for stretch in self.stretches(block) {
            active.clear();
            for row in 0..block.len {
                if iteration == 1 || self.may_change(block, block.first + row, &stretch, iteration) {
                    active.push(row);
                    let best = &mut buffer[row][..stretch.len()];
                    self.best_moves(block, block.first + row, &stretch, best);
                }
            }
            if !active.is_empty() {
                self.evaluations.fetch_add((active.len() * stretch.len()) as u64, Relaxed);
                self.write(block, &buffer, &active, stretch, iteration);
            }
        }
    }

    /// Whether the successors of a row's boards have changed since the last iteration began.
    fn may_change(&self, block: &Block, row: usize, rows: &Range<usize>, iteration: u16) -> bool {
        self.tables.moves(block.mover, row, block.other).any(|sown| {
            let (first, last) = match self.tables.pattern(sown, block.other) {
                None => (rows.start, rows.end - 1),
                Some(pattern) => {
                    let target = |row: usize| (pattern.targets[row] & !CAPTURED) as usize;
                    (target(rows.start), target(rows.end - 1))
                }
            };
            let (mine, theirs) = (block.mover - sown.given, block.other + sown.given);
            let stamps = self.first_stamp[usize::from(mine)]
                + sown.row as usize * stamps_per_row(self.indexing.row_count(theirs));
            let stamps = &self.stamps[stamps + first / WIDTH..=stamps + last / WIDTH];
            stamps.iter().any(|stamp| stamp.load(Relaxed) + 1 >= iteration)
        })
    }

    /// The best that a row's moves within the level offer against a stretch of other rows.
    fn best_moves(&self, block: &Block, row: usize, rows: &Range<usize>, best: &mut [u16]) {
        let mut offers = [0; LENGTH];
        let offers = &mut offers[..best.len()];
        best.fill(Thresholds::WORST.bits());
        for sown in self.tables.moves(block.mover, row, block.other) {
            let (mine, theirs) = (block.mover - sown.given, block.other + sown.given);
            let first = self.first_index(mine, sown.row as usize);
            let values = &self.values[first..first + self.indexing.row_count(theirs)];
            match self.tables.pattern(sown, block.other) {
                None => {
                    for (offer, value) in offers.iter_mut().zip(&values[rows.clone()]) {
                        *offer = value.load(Relaxed);
                    }
                }
                Some(pattern) => {
                    for (offer, &target) in offers.iter_mut().zip(&pattern.targets[rows.clone()]) {
                        // All bits set, which is worse than anything, where a capture follows.
                        let out = ((target as i32) >> 31) as u16;
                        *offer = values[(target & !CAPTURED) as usize].load(Relaxed) | out;
                    }
                }
            }
            let offers: &[u8] = bytemuck::cast_slice(offers);
            for (best, &offer) in bytemuck::cast_slice_mut::<u16, u8>(best).iter_mut().zip(offers) {
                *best = (*best).min(offer);
            }
        }
    }

    /// Writes the new values of rows against a stretch of other rows.
    fn write(&self, block: &Block, buffer: &Buffer, active: &[usize], rows: Range<usize>, iteration: u16) {
        let stamps_per_row = stamps_per_row(self.indexing.row_count(block.mover));
        let mut stamp =
            self.first_stamp[usize::from(block.other)] + rows.start * stamps_per_row + block.first / WIDTH;
        let mut changes = 0;
        for (at, other) in rows.enumerate() {
            let first = self.first_index(block.other, other) + block.first;
            let mut changed = false;
            for &row in active {
                let conversion = Thresholds::from_bits(self.conversions[first + row]);
                let best = Thresholds::from_bits(buffer[row][at]).better(conversion);
                let value = best.turned::<R>(self.seeds).bits();
                if self.values[first + row].load(Relaxed) != value {
                    self.values[first + row].store(value, Relaxed);
                    changed = true;
                }
            }
            if changed {
                self.stamps[stamp].store(iteration, Relaxed);
                changes += 1;
            }
            stamp += stamps_per_row;
        }
        if changes > 0 {
            self.changes.fetch_add(changes, Relaxed);
        }
    }
}

/// How many stamps the boards with one other row have.
#[inline]
fn stamps_per_row(movers: usize) -> usize {
    movers.div_ceil(WIDTH)
}
