//! Levels of rule sets in which no position comes back: one pass of a recursion that remembers.
//!
//! A move either banks a seed, and leads to a level below, or moves seeds nearer to the store of the side that made it.
//! So the recursion within a level ends, after as many moves as all seeds have pits before them at the most.

use super::{Below, Boards, Level, Numbering, count};
use crate::game::{Board, Flag, Rules};

/// A board whose gain is not known yet; no gain is so small.
const UNKNOWN: u8 = i8::MIN as u8;
/// Boards between two looks whether to stop.
const POLL: usize = 1 << 11;

struct Builder<'a> {
    seeds: u8,
    below: Below<'a>,
    numbering: &'static Numbering,
    level: Level,
}

/// The level with so many seeds; `None` if it was stopped.
pub(super) fn level<R: Rules>(seeds: u8, below: Below<'_>, stop: &mut dyn FnMut() -> bool) -> Option<Level> {
    let unknown = vec![UNKNOWN; count(seeds)];
    let second = if R::SECOND_MOVE { unknown.clone() } else { Vec::new() };
    let level = Level { first: unknown, second };
    let mut builder = Builder { seeds, below, numbering: Numbering::get(), level };
    for (rank, board) in Boards::with(seeds).enumerate() {
        if rank % POLL == 0 && stop() {
            return None;
        }
        if builder.level.first[rank] == UNKNOWN {
            builder.level.first[rank] = builder.best::<R>(board) as u8;
        }
        if R::SECOND_MOVE {
            builder.level.second[rank] = builder.best::<R>(board.flag_if(Flag::SecondMove, true)) as u8;
        }
    }
    Some(builder.level)
}

impl Builder<'_> {
    /// The gain of a board with empty stores.
    fn best<R: Rules>(&mut self, board: Board) -> i8 {
        if let Some(ending) = R::ending(board) {
            return ending.margin();
        }
        let steps = R::moves(board).into_iter().filter_map(|pit| R::play(board, pit));
        let gains = steps.map(|step| {
            let gain = if step.again { step.board.lead() } else { -step.board.lead() };
            let rest = self.gain::<R>(step.board.without_stores());
            gain + if step.again { rest } else { -rest }
        });
        gains.max().unwrap_or_else(|| R::stuck(board).margin())
    }

    fn gain<R: Rules>(&mut self, board: Board) -> i8 {
        let seeds = board.seeds();
        if seeds < self.seeds {
            let (first, second) = self.below.of(board, seeds);
            return if board.has(Flag::SecondMove) { second } else { first } as i8;
        }
        let rank = self.numbering.rank(board);
        if self.level.first[rank] == UNKNOWN {
            self.level.first[rank] = self.best::<R>(board) as u8;
        }
        self.level.first[rank] as i8
    }
}
