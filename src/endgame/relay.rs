//! Levels of `ayoayo`, where play can go round in circles and what a move does depends on the whole board.
//!
//! A relay takes longer to sow than a table takes to read, so each board's moves are made once. What is left of a board
//! is its best exit from the level and the numbers of the boards that it leads to within it; a pass over the level is a
//! walk along these lists, until nothing changes.

use super::crew::{Crew, Stage, Stopped};
use super::number::{Boards, Numbering, count};
use super::part::Part;
use super::{Below, Level};
use crate::game::{Board, Rules};
use bytemuck::allocation::zeroed_vec;
use once_cell::sync::OnceCell;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering::Relaxed};

/// Boards whose moves are kept together.
const PIECE: usize = 1 << 15;
/// Worse than any gain.
const NO_EXIT: i8 = i8::MIN;

/// The level with so many seeds.
pub(super) fn level<R: Rules>(
    seeds: u8,
    below: Below<'_>,
    crew: &mut Crew<'_>,
    part: &mut Part,
) -> Result<Level, Stopped> {
    let boards = count(seeds);
    let gains: Vec<AtomicU8> = zeroed_vec(boards);
    let pieces: Vec<OnceCell<Piece>> = vec![OnceCell::new(); boards.div_ceil(PIECE)];
    let stage = Stage { seeds, ..Stage::default() };
    crew.share(stage, pieces.len(), |index| {
        let piece = pieces[index].get_or_init(|| Piece::new::<R>(seeds, index * PIECE, below));
        piece.begin(&gains[index * PIECE..]);
    })?;
    if let Some(kept) = part.taken_up() {
        gains.iter().zip(kept.bytes()).for_each(|(gain, &kept)| gain.store(kept, Relaxed));
    }
    let fill = |from: usize, block: &mut [u8]| {
        block.iter_mut().zip(&gains[from..]).for_each(|(byte, gain)| *byte = gain.load(Relaxed));
    };
    let changed = AtomicBool::new(true);
    let mut pass = 0;
    while changed.swap(false, Relaxed) {
        pass += 1;
        let done = crew.share(Stage { pass, ..stage }, pieces.len(), |index| {
            let piece = pieces[index].get().expect("all have been made");
            if piece.improve(&gains, index * PIECE) {
                changed.store(true, Relaxed);
            }
        });
        if let Err(stopped) = done {
            part.keep(&fill);
            return Err(stopped);
        }
        part.keep_if_due(&fill);
    }
    Ok(Level::of_gains(gains.into_iter().map(AtomicU8::into_inner).collect()))
}

/// The boards of a stretch of numbers and their moves within the level.
#[derive(Clone, Debug)]
struct Piece {
    /// The best that a move out of the level gives, or the end of the game; [`NO_EXIT`] if there is neither.
    exits: Vec<i8>,
    /// Where a board's moves begin in `next`; the last board's end there too.
    first: Vec<u32>,
    /// The numbers of the boards that moves within the level lead to.
    next: Vec<u32>,
}

impl Piece {
    fn new<R: Rules>(seeds: u8, from: usize, below: Below<'_>) -> Piece {
        let numbering = Numbering::get();
        let boards = PIECE.min(count(seeds) - from);
        let mut piece = Piece { exits: Vec::with_capacity(boards), first: vec![0], next: Vec::new() };
        for board in Boards::from(seeds, from).take(boards) {
            let exit = piece.add::<R>(board, seeds, below, numbering);
            piece.exits.push(exit);
            piece.first.push(piece.next.len() as u32);
        }
        piece.next.shrink_to_fit();
        piece
    }

    /// Takes in a board's moves within the level, and returns the best of the others.
    fn add<R: Rules>(&mut self, board: Board, seeds: u8, below: Below<'_>, numbering: &Numbering) -> i8 {
        if let Some(ending) = R::ending(board) {
            return ending.margin();
        }
        let (mut exit, mut moves) = (NO_EXIT, 0);
        for step in R::moves(board).into_iter().filter_map(|pit| R::play(board, pit)) {
            moves += 1;
            let (gain, number) = (step.board.other.store(), numbering.rank(step.board));
            if gain == 0 {
                self.next.push(number as u32);
            } else {
                let rest = below.code(seeds - gain, number) as i8;
                exit = exit.max(gain as i8 - rest);
            }
        }
        if moves == 0 { R::stuck(board).margin() } else { exit }
    }

    /// A board without moves within the level is settled; the others begin with what a cycle gains, nothing.
    fn begin(&self, gains: &[AtomicU8]) {
        for ((&exit, moves), gain) in self.exits.iter().zip(self.first.windows(2)).zip(gains) {
            gain.store(if moves[0] == moves[1] { exit as u8 } else { 0 }, Relaxed);
        }
    }

    /// A pass over the boards, which begin at a number; says whether one has changed.
    fn improve(&self, gains: &[AtomicU8], from: usize) -> bool {
        let mut changed = false;
        for (index, (&exit, moves)) in self.exits.iter().zip(self.first.windows(2)).enumerate() {
            let next = &self.next[moves[0] as usize..moves[1] as usize];
            if next.is_empty() {
                continue;
            }
            let best =
                next.iter().fold(exit, |best, &next| best.max(-(gains[next as usize].load(Relaxed) as i8)));
            let gain = &gains[from + index];
            if gain.load(Relaxed) as i8 != best {
                gain.store(best as u8, Relaxed);
                changed = true;
            }
        }
        changed
    }
}
