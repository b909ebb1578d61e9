//! What of a side's row the other could take in one move: what an evaluation calls vulnerable.
//!
//! Trying every move is the plain way ([`Prey::of_moves`]). Where twos and threes are taken there is a quicker one
//! ([`Prey::of_runs`]). A sowing of less than 12 seeds that ends in the other's row adds one seed to each pit up to its
//! end, so the pits that may be taken are those of one and two seeds, whichever pit is sown; what differs is where the
//! runs begin. All ends together are filled downwards through those pits, as chess programs fill files of a board, in
//! three steps for six pits. Pits of 12 seeds and more are tried one by one.

use super::board::{Board, Pits, Row};
use super::pit::{Pit, ROW};
use super::rules::Rules;
use super::sow::MOST;

/// Seeds of a sowing that comes round to the pits behind its own.
const ROUND: u8 = 12;

/// The other's pits from which some single legal move of the mover takes two seeds, and from which one takes three.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Prey {
    /// Where two seeds can be taken.
    pub twos: Pits,
    /// Where three can.
    pub threes: Pits,
}

impl Prey {
    const NONE: Prey = Prey { twos: Pits::NONE, threes: Pits::NONE };

    /// Found by trying moves.
    #[inline]
    pub(super) fn of_moves<R: Rules>(board: Board, pits: Pits) -> Prey {
        pits.into_iter().fold(Prey::NONE, |prey, pit| {
            let taken = Row::from_bits(R::taken(board, pit));
            Prey { twos: prey.twos.or(taken.holding(2)), threes: prey.threes.or(taken.holding(3)) }
        })
    }

    /// Found for all moves at once where twos and threes are taken, in a run, whatever that leaves.
    #[inline]
    pub(super) fn of_runs<R: Rules>(board: Board) -> Prey {
        let ends = Pit::ALL
            .into_iter()
            .fold(0, |ends, pit| ends | ENDS[pit.index()][board.mover.pit(pit) as usize % MOST]);
        let (ones, twos) = (board.other.holding(1), board.other.holding(2));
        let runs = Pits::from_bits(fill(ends, ones.or(twos).bits()));
        let prey = Prey { twos: runs.and(ones), threes: runs.and(twos) };
        let large = board.mover.holding_at_least(ROUND);
        if large.is_empty() { prey } else { prey.or(Prey::of_moves::<R>(board, large)) }
    }

    const fn or(self, other: Prey) -> Prey {
        Prey { twos: self.twos.or(other.twos), threes: self.threes.or(other.threes) }
    }
}

/// Where a sowing of less than a round ends in the other's row, as a set of one pit; 0 if it does not.
static ENDS: [[u64; MOST]; ROW] = {
    let mut ends = [[0; MOST]; ROW];
    let mut pit = 0;
    while pit < ROW {
        let mut seeds = ROW - pit;
        while seeds < ROUND as usize && pit + seeds < 2 * ROW {
            ends[pit][seeds] = 0x80 << (8 * (pit + seeds - ROW));
            seeds += 1;
        }
        pit += 1;
    }
    ends
};

/// The pits of `through` from which one comes to an end by going up through nothing else, the end included.
const fn fill(ends: u64, through: u64) -> u64 {
    let mut filled = ends & through;
    let mut free = through;
    filled |= free & filled >> 8;
    free &= free >> 8;
    filled |= free & filled >> 16;
    free &= free >> 16;
    filled | free & filled >> 32
}
