//! Levels of rule sets in which play can go round in circles: values from what a cycle pays, improved until nothing
//! changes.
//!
//! What moves to lower levels and the end of the game are worth is looked up once. What is left of a board then is its
//! best exit and the numbers of the boards it leads to within the level, and a pass over the level is a walk along a
//! list of numbers.

use super::{Below, Boards, Level, Numbering, count};
use crate::game::{Board, Ending, Rules, Step};

/// Boards between two looks whether to stop.
const POLL: usize = 1 << 11;

/// The two bytes of a board while they change: a gain (the second is 0), or two thresholds.
type Worth = [i8; 2];

/// Seeds of the game as a threshold counts them.
const ALL: i8 = 48;
/// A store with so many wins.
const MAJORITY: i8 = 25;

/// The level with so many seeds; `None` if it was stopped.
pub(super) fn level<R: Rules>(seeds: u8, below: Below<'_>, stop: &mut dyn FnMut() -> bool) -> Option<Level> {
    let mut graph = Graph { exits: Vec::new(), first: vec![0], next: Vec::new() };
    graph.exits.reserve_exact(count(seeds));
    graph.first.reserve_exact(count(seeds));
    for (rank, board) in Boards::with(seeds).enumerate() {
        if rank % POLL == 0 && stop() {
            return None;
        }
        graph.add::<R>(board, seeds as i8, below);
    }
    let worths = graph.settle::<R>(seeds as i8, stop)?;
    let first = worths.iter().map(|worth| worth[0] as u8).collect();
    let second = if R::LEAD_ADDS { Vec::new() } else { worths.iter().map(|worth| worth[1] as u8).collect() };
    Some(Level { first, second })
}

/// The boards of a level and the moves within it.
struct Graph {
    /// The best that a move out of the level gives, or the end of the game.
    exits: Vec<Worth>,
    /// Where a board's moves begin in `next`; the last board's end there too.
    first: Vec<u32>,
    /// The numbers of the boards that moves within the level lead to.
    next: Vec<u32>,
}

impl Graph {
    fn add<R: Rules>(&mut self, board: Board, seeds: i8, below: Below<'_>) {
        let mut exit = worst::<R>();
        let mut moves = 0;
        if let Some(ending) = R::ending(board) {
            exit = over::<R>(&ending);
        } else {
            for step in R::moves(board).into_iter().filter_map(|pit| R::play(board, pit)) {
                moves += 1;
                let left = step.board.seeds();
                if left as i8 == seeds {
                    self.next.push(Numbering::get().rank(step.board) as u32);
                } else {
                    exit = better::<R>(exit, leaving::<R>(step, seeds, below));
                }
            }
            if moves == 0 {
                exit = over::<R>(&R::stuck(board));
            }
        }
        self.exits.push(exit);
        self.first.push(self.next.len() as u32);
    }

    /// The values when nothing changes any more.
    fn settle<R: Rules>(&self, seeds: i8, stop: &mut dyn FnMut() -> bool) -> Option<Vec<Worth>> {
        let stands = stands::<R>(seeds);
        let boards = self.exits.len();
        // A board without moves within the level is settled; the others begin with what a cycle pays.
        let inner = |rank: usize| self.first[rank] < self.first[rank + 1];
        let mut worths: Vec<Worth> =
            (0..boards).map(|rank| if inner(rank) { stands } else { self.exits[rank] }).collect();
        loop {
            let mut changed = false;
            for rank in 0..boards {
                if rank % POLL == 0 && stop() {
                    return None;
                }
                let moves = &self.next[self.first[rank] as usize..self.first[rank + 1] as usize];
                let best = moves.iter().fold(self.exits[rank], |best, &next| {
                    better::<R>(best, turned::<R>(worths[next as usize], seeds))
                });
                changed |= best != worths[rank];
                worths[rank] = best;
            }
            if !changed {
                return Some(worths);
            }
        }
    }
}

/// Worse than anything.
fn worst<R: Rules>() -> Worth {
    if R::LEAD_ADDS { [i8::MIN, 0] } else { [i8::MAX, i8::MAX] }
}

/// The better of two for the side to move: the larger gain, or the smaller thresholds.
#[inline]
fn better<R: Rules>(a: Worth, b: Worth) -> Worth {
    if R::LEAD_ADDS { [a[0].max(b[0]), 0] } else { [a[0].min(b[0]), a[1].min(b[1])] }
}

/// What play that never ends is worth on a board with so many seeds.
fn stands<R: Rules>(seeds: i8) -> Worth {
    if R::LEAD_ADDS { [0, 0] } else { [(ALL - seeds) / 2 + 1, (ALL - seeds + 1) / 2] }
}

/// The worth of a board for the side that left it to the other with a move without a capture.
///
/// With a store of s the other has what s and the board leave of all seeds, and loses if that is below its second
/// threshold.
#[inline]
fn turned<R: Rules>(worth: Worth, seeds: i8) -> Worth {
    if R::LEAD_ADDS {
        [-worth[0], 0]
    } else {
        [ALL + 1 - seeds - worth[1], ALL + 1 - seeds - worth[0]].map(|at| at.max(0))
    }
}

/// The worth of the end of the game, given with what each side gains by it.
fn over<R: Rules>(ending: &Ending) -> Worth {
    if R::LEAD_ADDS {
        return [ending.margin(), 0];
    }
    // The larger store wins. The side to move has s and gains `mine`, the other has the rest and gains `theirs`.
    let (mine, theirs) = (ending.board.mover.store() as i8, ending.board.other.store() as i8);
    let left = ending.board.seeds() as i8;
    // 2s > ALL - (seeds on the board before) + theirs - mine, and those were what is left and what both gained.
    let rival = ALL - left - mine - theirs + theirs - mine;
    [rival.div_euclid(2) + 1, (rival + 1).div_euclid(2)].map(|at| at.max(0))
}

/// The worth of a move to a level below.
fn leaving<R: Rules>(step: Step, seeds: i8, below: Below<'_>) -> Worth {
    let gain = step.board.other.store() as i8;
    let board = step.board.without_stores();
    let left = board.seeds();
    if R::LEAD_ADDS {
        let (rest, _) = below.of(board.unflagged(), left);
        return [gain - rest as i8, 0];
    }
    // 25 seeds win, and 24 draw if the other has 24 as well, which is when nothing is left; only then comes the
    // capture of everything.
    let enough = MAJORITY - gain;
    if left == 0 {
        return [enough, enough - 1];
    }
    if step.board.has(crate::game::Flag::Swept) {
        return [0, 0];
    }
    let (wins, draws) = below.of(board, left);
    let rest = turned::<R>([wins as i8, draws as i8], seeds);
    [rest[0].min(enough), rest[1].min(enough)].map(|at| at.max(0))
}
