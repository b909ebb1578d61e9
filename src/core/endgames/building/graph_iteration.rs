//! Databases of rule sets with cycles and an additive lead, such as `ayoayo`: value iteration over the graph of moves, in memory.
//!
//! Sowing a relay takes longer than reading a table, so the moves of each board are made once. All that is kept of a board is its
//! best conversion and the indices of its successors within the database, one list after the other (compressed sparse rows). An
//! iteration walks along these lists; the last one changes nothing. The values are changed in place, as in `value_iteration.rs`,
//! which names the literature.
//!
//! An index takes four bytes up to 31 seeds, and five from there on, where a database has more boards than four bytes count.

use super::checkpoint::Checkpoint;
use super::lower_databases::LowerDatabases;
use crate::endgames::building::watched::{BuildStatus, WatchedPool};
use crate::endgames::probe::database::Database;
use crate::endgames::probe::indexing::{Boards, Indexing, board_count, database_size};
use crate::game::{Board, Rules};
use crate::thread_pool::Stopped;
use bytemuck::allocation::zeroed_vec;
use once_cell::sync::OnceCell;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering::Relaxed};

/// Boards whose moves are kept together, a task of the thread pool. Each has at most six: two bytes count those of a block.
pub const BLOCK: usize = 1 << 13;
/// Successors of ten boards within the database, somewhat above what was measured: 22 and 23 with 13 and 14 seeds.
const SUCCESSORS: u64 = 27;
/// Worse than any gain.
const NO_CONVERSION: i8 = i8::MIN;

/// Builds the `seeds`-seed database.
pub(super) fn build_database<R: Rules>(
    seeds: u8,
    lower: LowerDatabases<'_>,
    pool: &mut WatchedPool<'_>,
    checkpoint: &mut dyn Checkpoint,
) -> Result<Database, Stopped> {
    build_with::<R>(seeds, Successors::for_boards(database_size(seeds)), lower, pool, checkpoint)
}

/// Bytes of memory that building the `seeds`-seed database takes: the gain of a board, its conversion value, where its
/// successors begin, and those.
pub(super) fn memory_needed(seeds: u8) -> u64 {
    let boards = database_size(seeds);
    let each = if Successors::for_boards(boards).high.is_some() { 5 } else { 4 };
    boards * (1 + 1 + 2) + boards * SUCCESSORS * each / 10
}

/// Builds the database with the form of the lists that `empty` has.
pub fn build_with<R: Rules>(
    seeds: u8,
    empty: Successors,
    lower: LowerDatabases<'_>,
    pool: &mut WatchedPool<'_>,
    checkpoint: &mut dyn Checkpoint,
) -> Result<Database, Stopped> {
    let boards = board_count(seeds);
    let gains: Vec<AtomicU8> = zeroed_vec(boards);
    let blocks: Vec<OnceCell<MoveGraph>> = vec![OnceCell::new(); boards.div_ceil(BLOCK)];
    let status = BuildStatus { seeds, ..BuildStatus::default() };
    pool.run(status, blocks.len(), |index| {
        let block =
            blocks[index].get_or_init(|| MoveGraph::new::<R>(seeds, index * BLOCK, empty.clone(), lower));
        block.initialise(&gains[index * BLOCK..]);
    })?;
    checkpoint.load(&mut |from, saved| {
        gains[from..].iter().zip(saved).for_each(|(gain, &saved)| gain.store(saved, Relaxed));
    });
    let read = |from: usize, block: &mut [u8]| {
        block.iter_mut().zip(&gains[from..]).for_each(|(byte, gain)| *byte = gain.load(Relaxed));
        true
    };
    checkpoint.save_during(&read, &mut || {
        let changed = AtomicBool::new(true);
        let mut iteration = 0;
        while changed.swap(false, Relaxed) {
            iteration += 1;
            pool.run(BuildStatus { iteration, ..status }, blocks.len(), |index| {
                let block = blocks[index].get().expect("all have been made");
                if block.iterate(&gains, index * BLOCK) {
                    changed.store(true, Relaxed);
                }
            })?;
        }
        Ok(())
    })?;
    Ok(Database::of_gains(gains.into_iter().map(AtomicU8::into_inner).collect()))
}

/// The moves of the boards with consecutive indices.
#[derive(Clone, Debug)]
struct MoveGraph {
    /// Conversion values: the best that a move out of the database gives, or the end of the game; [`NO_CONVERSION`] if there
    /// is neither.
    conversions: Vec<i8>,
    /// The index of the first successor of each board; those of the last board end at the last entry.
    offsets: Vec<u16>,
    /// The boards that moves within the database lead to.
    successors: Successors,
}

/// Indices of boards, one list behind the other.
#[derive(Clone, Debug, Default)]
pub struct Successors {
    /// Their lowest 32 bits.
    pub low: Vec<u32>,
    /// The eight bits above those, in a database that has more boards than 32 bits count.
    pub high: Option<Vec<u8>>,
}

impl Successors {
    /// An empty list for a database of `boards` boards.
    pub fn for_boards(boards: u64) -> Successors {
        let narrow = boards <= 1 << u32::BITS;
        Successors { low: Vec::new(), high: if narrow { None } else { Some(Vec::new()) } }
    }

    fn len(&self) -> usize {
        self.low.len()
    }

    pub fn push(&mut self, index: u64) {
        self.low.push(index as u32);
        if let Some(high) = &mut self.high {
            high.push((index >> u32::BITS) as u8);
        }
    }

    pub fn shrink(&mut self) {
        self.low.shrink_to_fit();
        self.high.iter_mut().for_each(Vec::shrink_to_fit);
    }

    /// Calls a function with the indices in a range.
    #[inline]
    pub fn each(&self, range: Range<usize>, mut each: impl FnMut(u64)) {
        let low = self.low[range.clone()].iter().map(|&low| u64::from(low));
        match &self.high {
            None => low.for_each(each),
            Some(high) => {
                low.zip(&high[range]).for_each(|(low, &high)| each(u64::from(high) << u32::BITS | low));
            }
        }
    }
}

impl MoveGraph {
    fn new<R: Rules>(seeds: u8, from: usize, successors: Successors, lower: LowerDatabases<'_>) -> MoveGraph {
        let indexing = Indexing::get();
        let boards = BLOCK.min(board_count(seeds) - from);
        let mut offsets = Vec::with_capacity(boards + 1);
        offsets.push(0);
        let mut graph = MoveGraph { conversions: Vec::with_capacity(boards), offsets, successors };
        for board in Boards::from(seeds, from).take(boards) {
            let conversion = graph.add::<R>(board, seeds, lower, indexing);
            graph.conversions.push(conversion);
            graph.offsets.push(graph.successors.len() as u16);
        }
        graph.successors.shrink();
        graph
    }

    /// Adds the successors of a board within the database, and returns the best of its other moves.
    fn add<R: Rules>(
        &mut self,
        board: Board,
        seeds: u8,
        lower: LowerDatabases<'_>,
        indexing: &Indexing,
    ) -> i8 {
        if let Some(ending) = R::ending(board) {
            return ending.margin();
        }
        let (mut conversion, mut moves) = (NO_CONVERSION, 0);
        for step in R::moves(board).into_iter().filter_map(|pit| R::play(board, pit)) {
            moves += 1;
            let (captured, index) = (step.board.other.store(), indexing.rank(step.board));
            if captured == 0 {
                self.successors.push(index as u64);
            } else {
                let rest = lower.code(seeds - captured, index) as i8;
                conversion = conversion.max(captured as i8 - rest);
            }
        }
        if moves == 0 { R::stuck(board).margin() } else { conversion }
    }

    /// The values before the first iteration: the conversion value of a board without successors, and the gain of a cycle, zero,
    /// of the others.
    fn initialise(&self, gains: &[AtomicU8]) {
        for ((&conversion, successors), gain) in
            self.conversions.iter().zip(self.offsets.windows(2)).zip(gains)
        {
            let settled = successors[0] == successors[1];
            gain.store(if settled { conversion as u8 } else { 0 }, Relaxed);
        }
    }

    /// An iteration over the boards, which begin at an index. Returns whether one has changed.
    fn iterate(&self, gains: &[AtomicU8], from: usize) -> bool {
        let mut changed = false;
        for (at, (&conversion, range)) in self.conversions.iter().zip(self.offsets.windows(2)).enumerate() {
            let range = usize::from(range[0])..usize::from(range[1]);
            if range.is_empty() {
                continue;
            }
            let mut best = conversion;
            self.successors
                .each(range, |index| best = best.max(-(gains[index as usize].load(Relaxed) as i8)));
            let gain = &gains[from + at];
            if gain.load(Relaxed) as i8 != best {
                gain.store(best as u8, Relaxed);
                changed = true;
            }
        }
        changed
    }
}
