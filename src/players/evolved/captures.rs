//! The pits of a side's row that the other could capture in one move: the vulnerable pits of an evaluation.
//!
//! [`CaptureTargets::of_moves`] tries every move. If twos and threes are captured, [`CaptureTargets::of_runs`] is faster. A
//! sowing of fewer than 12 seeds that ends in the other's row adds one seed to each pit up to its end. Only pits of one and two
//! seeds may then be captured, whichever pit is sown; only the ends of the runs differ. All ends together are filled downwards
//! through those pits, as chess programs fill files of a board, in three steps for six pits. Pits of 12 seeds and more are tried
//! one by one.

use crate::game::{Board, COUNTS, Capture, Pit, Pits, ROW, Row, Rules};

/// Seeds of a sowing that reaches the pits behind its own.
const ROUND: u8 = 12;

/// The other's pits from which a single legal move of the mover captures two seeds, and those from which one captures three.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CaptureTargets {
    /// Where two seeds can be captured.
    pub twos: Pits,
    /// Where three can.
    pub threes: Pits,
}

impl CaptureTargets {
    const NONE: CaptureTargets = CaptureTargets { twos: Pits::NONE, threes: Pits::NONE };

    /// The captures of a board's mover, even if the game is over.
    #[inline]
    pub fn of<R: Rules>(board: Board) -> CaptureTargets {
        // A run of less than a round is a grand slam only where no pit holds more than two. An illegal move, which does not
        // feed, captures nothing either.
        if runs::<R>() && (R::SWEEP_WINS || !board.other.holding_at_least(3).is_empty()) {
            CaptureTargets::of_runs::<R>(board)
        } else {
            CaptureTargets::of_moves::<R>(board, R::moves(board))
        }
    }

    /// The captures, found by trying moves.
    #[inline]
    fn of_moves<R: Rules>(board: Board, pits: Pits) -> CaptureTargets {
        pits.into_iter().fold(CaptureTargets::NONE, |targets, pit| {
            let taken = captured::<R>(board, pit);
            CaptureTargets {
                twos: targets.twos.or(taken.holding(2)),
                threes: targets.threes.or(taken.holding(3)),
            }
        })
    }

    /// The captures of all moves at once, where runs of twos and threes are captured, grand slams included.
    #[inline]
    fn of_runs<R: Rules>(board: Board) -> CaptureTargets {
        let ends = Pit::ALL
            .into_iter()
            .fold(0, |ends, pit| ends | ENDS[pit.index()][board.mover.pit(pit) as usize % COUNTS]);
        let (ones, twos) = (board.other.holding(1), board.other.holding(2));
        let runs = Pits::from_bits(fill(ends, ones.or(twos).bits()));
        let targets = CaptureTargets { twos: runs.and(ones), threes: runs.and(twos) };
        let large = board.mover.holding_at_least(ROUND);
        if large.is_empty() { targets } else { targets.or(CaptureTargets::of_moves::<R>(board, large)) }
    }

    const fn or(self, other: CaptureTargets) -> CaptureTargets {
        CaptureTargets { twos: self.twos.or(other.twos), threes: self.threes.or(other.threes) }
    }
}

/// Whether captures are runs of twos and threes after one lap past both stores.
const fn runs<R: Rules>() -> bool {
    let course = R::COURSE;
    let plain = !course.own_store && !course.other_store && !course.relay;
    plain && matches!(R::CAPTURE, Capture::TwosAndThrees)
}

/// The seeds that a move captures from each of the other's pits; none if the sowing never ends.
#[inline]
fn captured<R: Rules>(board: Board, pit: Pit) -> Row {
    let Some(sowing) = R::sow(board, pit) else { return Row::default() };
    let (sown, left) = (sowing.board.other, R::capture(sowing).seen_by_mover().other);
    Row::from_bits(sown.bits() - left.unflagged().bits())
}

/// The end of a sowing of less than a round in the other's row, as a set of one pit; 0 if it ends elsewhere.
static ENDS: [[u64; COUNTS]; ROW] = {
    let mut ends = [[0; COUNTS]; ROW];
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

/// The pits of `through` that lead up to an end through other pits of `through`, ends included.
const fn fill(ends: u64, through: u64) -> u64 {
    let mut filled = ends & through;
    let mut free = through;
    filled |= free & filled >> 8;
    free &= free >> 8;
    filled |= free & filled >> 16;
    free &= free >> 16;
    filled | free & filled >> 32
}
