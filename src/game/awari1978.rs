//! Awari as BASIC Computer Games printed it (1978).

use super::board::{Board, Flag, Pits};
use super::pit::Pit;
use super::rules::{Cycle, Ending, Rules, Step};
use super::sow::{Course, Laps, MOVER_STORE, OTHER_FIRST, OTHER_STORE, laps, sow};
use super::variant::Variant;

static LAPS: Laps = laps(Awari1978::COURSE);

/// The rules of `awari1978`.
#[derive(Clone, Copy, Debug)]
pub struct Awari1978;

impl Rules for Awari1978 {
    const VARIANT: Variant = Variant::Awari1978;
    const SEEDS_A_PIT: u8 = 3;
    const MOVES_AGAIN: bool = true;
    const SECOND_MOVE: bool = true;
    const LEAD_ADDS: bool = true;
    const COURSE: Course = Course { own_store: true, other_store: true, origin: true };
    const CYCLE: Cycle = Cycle::Impossible;

    #[inline]
    fn moves(board: Board) -> Pits {
        board.mover.occupied()
    }

    #[inline]
    fn play(board: Board, pit: Pit) -> Option<Step> {
        let (sown, lap) = sow(&LAPS, board, pit);
        let second = board.has(Flag::SecondMove);
        if lap.last == MOVER_STORE && !second {
            return Some(Step { board: sown.flag_if(Flag::SecondMove, true), again: true });
        }
        let board = if lap.last == MOVER_STORE || lap.last == OTHER_STORE {
            sown
        } else {
            take_opposite(sown, lap.last)
        };
        Some(Step::passing(board.unflagged()))
    }

    #[inline]
    fn taken(board: Board, pit: Pit) -> u64 {
        let (sown, lap) = sow(&LAPS, board, pit);
        if lap.last == MOVER_STORE || lap.last == OTHER_STORE {
            return 0;
        }
        sown.other.bits() - take_opposite(sown, lap.last).other.bits()
    }

    #[inline]
    fn ending(board: Board) -> Option<Ending> {
        // Beans left on the board are nobody's.
        let over = board.mover.is_bare() || board.other.is_bare();
        over.then(|| Ending::by_stores(board))
    }
}

/// The last bean fell into a pit of either row: if that was empty and the one opposite is not, the mover banks both.
#[inline]
fn take_opposite(board: Board, last: u8) -> Board {
    let (mine, theirs) = if last < MOVER_STORE {
        (Pit::new(last as usize), Pit::new(last as usize).opposite())
    } else {
        let theirs = Pit::new((last - OTHER_FIRST) as usize);
        (theirs.opposite(), theirs)
    };
    let (here, there) = (board.mover.pit(mine), board.other.pit(theirs));
    let (landed, opposite) = if last < MOVER_STORE { (here, there) } else { (there, here) };
    if landed != 1 || opposite == 0 {
        return board;
    }
    Board { mover: board.mover.emptied(mine).bank(1 + opposite), other: board.other.emptied(theirs) }
}
