//! Levels of `ayoayo`, where play can go round in circles and what a move does depends on the whole board: value iteration
//! over the graph of moves, which is kept in memory.
//!
//! To sow a relay takes longer than to read a table, so the moves of each board are made once. What is left of a board is
//! its best conversion, and the indices of its successors within the level, one list behind the other (compressed sparse
//! rows). An iteration walks along these lists; the last one is that in which nothing changes. The values are changed in
//! place, as in `value_iteration.rs`, which names the literature.

use super::checkpoint::Checkpoint;
use super::indexing::{Boards, Indexing, board_count};
use super::level::EndgameLevel;
use super::lower_levels::LowerLevels;
use super::thread_pool::{BuildStatus, Stopped, ThreadPool};
use crate::game::{Board, Rules};
use bytemuck::allocation::zeroed_vec;
use once_cell::sync::OnceCell;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering::Relaxed};

/// Boards whose moves are kept together, a task of the thread pool.
const BLOCK: usize = 1 << 15;
/// Worse than any gain.
const NO_CONVERSION: i8 = i8::MIN;

/// Builds the level with so many seeds.
pub(super) fn build_level<R: Rules>(
    seeds: u8,
    lower: LowerLevels<'_>,
    pool: &mut ThreadPool<'_>,
    checkpoint: &mut Checkpoint,
) -> Result<EndgameLevel, Stopped> {
    let boards = board_count(seeds);
    let gains: Vec<AtomicU8> = zeroed_vec(boards);
    let blocks: Vec<OnceCell<MoveGraph>> = vec![OnceCell::new(); boards.div_ceil(BLOCK)];
    let status = BuildStatus { seeds, ..BuildStatus::default() };
    pool.run(status, blocks.len(), |index| {
        let block = blocks[index].get_or_init(|| MoveGraph::new::<R>(seeds, index * BLOCK, lower));
        block.initialise(&gains[index * BLOCK..]);
    })?;
    if let Some(saved) = checkpoint.load() {
        gains.iter().zip(saved.bytes()).for_each(|(gain, &saved)| gain.store(saved, Relaxed));
    }
    let fill = |from: usize, block: &mut [u8]| {
        block.iter_mut().zip(&gains[from..]).for_each(|(byte, gain)| *byte = gain.load(Relaxed));
    };
    let changed = AtomicBool::new(true);
    let mut iteration = 0;
    while changed.swap(false, Relaxed) {
        iteration += 1;
        let done = pool.run(BuildStatus { iteration, ..status }, blocks.len(), |index| {
            let block = blocks[index].get().expect("all have been made");
            if block.iterate(&gains, index * BLOCK) {
                changed.store(true, Relaxed);
            }
        });
        if let Err(stopped) = done {
            checkpoint.save(&fill);
            return Err(stopped);
        }
        checkpoint.save_if_due(&fill);
    }
    Ok(EndgameLevel::of_gains(gains.into_iter().map(AtomicU8::into_inner).collect()))
}

/// The moves of the boards with consecutive indices.
#[derive(Clone, Debug)]
struct MoveGraph {
    /// Conversion values: the best that a move out of the level gives, or the end of the game; [`NO_CONVERSION`] if there
    /// is neither.
    conversions: Vec<i8>,
    /// Where the successors of a board begin; those of the last board end at the last entry.
    offsets: Vec<u32>,
    /// The indices of the boards that moves within the level lead to.
    successors: Vec<u32>,
}

impl MoveGraph {
    fn new<R: Rules>(seeds: u8, from: usize, lower: LowerLevels<'_>) -> MoveGraph {
        let indexing = Indexing::get();
        let boards = BLOCK.min(board_count(seeds) - from);
        let mut graph =
            MoveGraph { conversions: Vec::with_capacity(boards), offsets: vec![0], successors: Vec::new() };
        for board in Boards::from(seeds, from).take(boards) {
            let conversion = graph.add::<R>(board, seeds, lower, indexing);
            graph.conversions.push(conversion);
            graph.offsets.push(graph.successors.len() as u32);
        }
        graph.successors.shrink_to_fit();
        graph
    }

    /// Adds the successors of a board within the level, and returns the best of its other moves.
    fn add<R: Rules>(&mut self, board: Board, seeds: u8, lower: LowerLevels<'_>, indexing: &Indexing) -> i8 {
        if let Some(ending) = R::ending(board) {
            return ending.margin();
        }
        let (mut conversion, mut moves) = (NO_CONVERSION, 0);
        for step in R::moves(board).into_iter().filter_map(|pit| R::play(board, pit)) {
            moves += 1;
            let (captured, index) = (step.board.other.store(), indexing.rank(step.board));
            if captured == 0 {
                self.successors.push(index as u32);
            } else {
                let rest = lower.code(seeds - captured, index) as i8;
                conversion = conversion.max(captured as i8 - rest);
            }
        }
        if moves == 0 { R::stuck(board).margin() } else { conversion }
    }

    /// The values before the first iteration: a board without successors has its conversion value, and the others what a
    /// cycle gains, nothing.
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
            let successors = &self.successors[range[0] as usize..range[1] as usize];
            if successors.is_empty() {
                continue;
            }
            let gain_of = |&index: &u32| -(gains[index as usize].load(Relaxed) as i8);
            let best = successors.iter().map(gain_of).fold(conversion, i8::max);
            let gain = &gains[from + at];
            if gain.load(Relaxed) as i8 != best {
                gain.store(best as u8, Relaxed);
                changed = true;
            }
        }
        changed
    }
}
