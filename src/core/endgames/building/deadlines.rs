//! Counts the plies within which each side is sure of a result (`probe/deadlines.rs` has their meaning), from the boards with
//! the fewest seeds on.

use crate::endgames::probe::deadlines::{Deadline, Deadlines, MAX_DEADLINE_SEEDS, NEVER, decided, place};
use crate::endgames::probe::indexing::{Indexing, board_count};
use crate::endgames::probe::thresholds::open_stores;
use crate::game::{Board, Cycle, Rules, Verdict};
use once_cell::sync::OnceCell;
use std::collections::VecDeque;

/// Boards between two looks at the clock (chosen, not measured).
const POLL_INTERVAL: usize = 1 << 14;
const NO_CHILD: u32 = u32::MAX;

impl Deadlines {
    /// Counts those of boards with up to `seeds` seeds that are missing; returns whether all are there now.
    pub fn count<R: Rules>(&self, seeds: u8, stop: &mut dyn FnMut() -> bool) -> bool {
        if R::CYCLE == Cycle::Impossible {
            return false;
        }
        (0..=seeds.min(MAX_DEADLINE_SEEDS)).all(|seeds| {
            let level = &self.levels[usize::from(seeds)];
            if level.get().is_some() {
                return true;
            }
            let Some(counted) = Level::count::<R>(&self.levels[..usize::from(seeds)], seeds, stop) else {
                return false;
            };
            // Another thread may have been quicker, and has counted the same.
            let _ = level.set(counted);
            true
        })
    }
}

/// The boards with some number of seeds, while they are counted.
struct Level {
    seeds: u8,
    /// Where the boards with fewer seeds begin in `known`, then these.
    begins: Vec<usize>,
    /// Of each end of a game, then of all boards.
    known: Vec<Deadline>,
    /// The places in `known` that the moves of each board lead to.
    children: Vec<[u32; 6]>,
}

impl Level {
    fn count<R: Rules>(
        lower: &[OnceCell<Box<[Deadline]>>],
        seeds: u8,
        stop: &mut dyn FnMut() -> bool,
    ) -> Option<Box<[Deadline]>> {
        let known = [Verdict::Loss, Verdict::Draw, Verdict::Win].map(Deadline::of).to_vec();
        let mut level = Level { seeds, begins: Vec::new(), known, children: Vec::new() };
        for below in lower {
            level.begins.push(level.known.len());
            level.known.extend(below.get()?);
        }
        level.begins.push(level.known.len());
        level.gather::<R>(stop)?;
        // First the greatest set of boards that keep a result for ever, then the plies needed to reach it.
        let kept = |before: u8, best: u8| if best == 0 { before } else { NEVER };
        let sooner = |before: u8, best: u8| before.min(best.saturating_add(1));
        let parents = Parents::new(&level.children, level.begins[usize::from(seeds)]);
        level.settle(&parents, kept, stop)?;
        level.settle(&parents, sooner, stop)?;
        Some(level.known.split_off(level.begins[usize::from(seeds)]).into())
    }

    /// Where the deadline of a board is.
    fn place<R: Rules>(&self, board: Board) -> u32 {
        let place = match decided::<R>(board) {
            Some(verdict) => verdict as usize,
            None => self.begins[usize::from(board.seeds())] + place::<R>(board),
        };
        place as u32
    }

    /// Lists all boards, with the result by the stores now, and their moves.
    fn gather<R: Rules>(&mut self, stop: &mut dyn FnMut() -> bool) -> Option<()> {
        let stores = open_stores::<R>(self.seeds);
        let all = board_count(self.seeds) * stores.clone().count();
        self.children.reserve_exact(all);
        self.known.reserve_exact(all);
        for rank in 0..board_count(self.seeds) {
            if rank.is_multiple_of(POLL_INTERVAL / 8) && stop() {
                return None;
            }
            let Board { mover, other } = Indexing::get().board(self.seeds, rank as u64);
            for store in stores.clone() {
                let rest = R::SEEDS - self.seeds - store;
                self.add::<R>(Board { mover: mover.bank(store), other: other.bank(rest) });
            }
        }
        Some(())
    }

    fn add<R: Rules>(&mut self, board: Board) {
        let mut children = [NO_CHILD; 6];
        let ending = R::ending(board).or_else(|| {
            let steps = R::moves(board).into_iter().filter_map(|pit| R::play(board, pit));
            children.iter_mut().zip(steps).for_each(|(child, step)| *child = self.place::<R>(step.board));
            (children[0] == NO_CHILD).then(|| R::stuck(board))
        });
        self.known.push(match ending {
            Some(ending) => Deadline::of(ending.verdict),
            None if R::CYCLE == Cycle::EndsGame => Deadline::UNKNOWN,
            None => Deadline::of_stores(board),
        });
        self.children.push(children);
    }

    /// Sets every board from the best of its moves, until nothing changes. A board is set again only when one that its moves lead
    /// to has changed.
    fn settle(
        &mut self,
        parents: &Parents,
        set: impl Fn(u8, u8) -> u8,
        stop: &mut dyn FnMut() -> bool,
    ) -> Option<()> {
        let begins = self.begins[usize::from(self.seeds)];
        let mut waiting: VecDeque<u32> = (0..self.children.len() as u32).collect();
        let mut waits = vec![true; self.children.len()];
        let mut done = 0;
        while let Some(index) = waiting.pop_front() {
            done += 1;
            if done % POLL_INTERVAL == 0 && stop() {
                return None;
            }
            let index = index as usize;
            waits[index] = false;
            let Some(best) = self.best(index) else { continue };
            let Deadline(before) = self.known[begins + index];
            let now = std::array::from_fn(|result| set(before[result], best[result]));
            if now != before {
                self.known[begins + index] = Deadline(now);
                for &parent in parents.of(index) {
                    if !std::mem::replace(&mut waits[parent as usize], true) {
                        waiting.push_back(parent);
                    }
                }
            }
        }
        Some(())
    }

    /// The plies of the best move for each result; `None` if the game is over.
    fn best(&self, index: usize) -> Option<[u8; 4]> {
        let children = &self.children[index];
        (children[0] != NO_CHILD).then(|| {
            children.iter().take_while(|&&child| child != NO_CHILD).fold(
                [NEVER, NEVER, 0, 0],
                |best, &child| {
                    // The side to move there is the other side here.
                    let Deadline([win, draw, other_win, other_draw]) = self.known[child as usize];
                    [best[0].min(other_win), best[1].min(other_draw), best[2].max(win), best[3].max(draw)]
                },
            )
        })
    }
}

/// The boards whose moves lead to each board, without gaps.
struct Parents {
    first: Vec<u32>,
    boards: Vec<u32>,
}

impl Parents {
    /// Of the boards of a level, which begins at a place.
    fn new(children: &[[u32; 6]], begins: usize) -> Parents {
        let within = |child: u32| (child != NO_CHILD).then(|| (child as usize).checked_sub(begins)).flatten();
        let mut first = vec![0; children.len() + 1];
        for child in children.iter().flatten().filter_map(|&child| within(child)) {
            first[child] += 1;
        }
        let mut sum = 0;
        for first in &mut first {
            sum += *first;
            *first = sum;
        }
        let mut boards = vec![0; sum as usize];
        for (parent, children) in children.iter().enumerate() {
            for child in children.iter().filter_map(|&child| within(child)) {
                first[child] -= 1;
                boards[first[child] as usize] = parent as u32;
            }
        }
        Parents { first, boards }
    }

    fn of(&self, board: usize) -> &[u32] {
        &self.boards[self.first[board] as usize..self.first[board + 1] as usize]
    }
}
