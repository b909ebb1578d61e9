//! Kalah(6,4), as OpenSpiel's `mancala` plays it.

use super::board::{Board, Pits, Row};
use super::pit::Pit;
use super::rules::{Cycle, Ending, Rules, Step};
use super::sow::{Course, Laps, MOVER_STORE, laps, sow};
use super::variant::Variant;

static LAPS: Laps = laps(Kalah::COURSE);

/// The rules of `kalah`.
#[derive(Clone, Copy, Debug)]
pub struct Kalah;

impl Rules for Kalah {
    const VARIANT: Variant = Variant::Kalah;
    const SEEDS_A_PIT: u8 = 4;
    const MOVES_AGAIN: bool = true;
    const LEAD_ADDS: bool = true;
    const COURSE: Course = Course { own_store: true, other_store: false, origin: true };
    const CYCLE: Cycle = Cycle::Impossible;

    #[inline]
    fn moves(board: Board) -> Pits {
        board.mover.occupied()
    }

    #[inline]
    fn play(board: Board, pit: Pit) -> Option<Step> {
        let (sown, lap) = sow(&LAPS, board, pit);
        if lap.last == MOVER_STORE {
            return Some(Step { board: sown, again: true });
        }
        if lap.last > MOVER_STORE {
            return Some(Step::passing(sown));
        }
        let (mover, other) = take_opposite(sown.mover, sown.other, Pit::new(lap.last as usize));
        Some(Step::passing(Board { mover, other }))
    }

    #[inline]
    fn taken(board: Board, pit: Pit) -> u64 {
        let (sown, lap) = sow(&LAPS, board, pit);
        if lap.last >= MOVER_STORE {
            return 0;
        }
        let (_, other) = take_opposite(sown.mover, sown.other, Pit::new(lap.last as usize));
        sown.other.bits() - other.bits()
    }

    #[inline]
    fn ending(board: Board) -> Option<Ending> {
        let over = board.mover.is_bare() || board.other.is_bare();
        over.then(|| Ending::by_stores(board.each_gathers()))
    }
}

/// The last seed fell into a pit of the mover's row: if the pit was empty and the one opposite is not, both are
/// banked. Returns the mover's row and the other's.
#[inline]
fn take_opposite(mover: Row, other: Row, last: Pit) -> (Row, Row) {
    let opposite = last.opposite();
    let seeds = other.pit(opposite);
    if mover.pit(last) != 1 || seeds == 0 {
        return (mover, other);
    }
    (mover.emptied(last).bank(1 + seeds), other.emptied(opposite))
}
