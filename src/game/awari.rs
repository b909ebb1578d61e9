//! Awari as Davis and Kendall played it (2002, appendix A).
//!
//! The sowing, the run of twos and threes and the duty to feed are also those of [`super::oware`]; they stand here.

use super::board::{Board, Flag, Pits, Row, take, twos_and_threes};
use super::rules::{Cycle, Ending, Rules, Step, Verdict, majority};
use super::sow::{Course, Laps, lap, laps, sow};
use super::{Pit, Prey, Variant};

static LAPS: Laps = laps(Awari::COURSE);

/// The rules of `awari`.
#[derive(Clone, Copy, Debug)]
pub struct Awari;

impl Rules for Awari {
    const VARIANT: Variant = Variant::Awari;
    const SEEDS_A_PIT: u8 = 4;
    const MOVES_AGAIN: bool = false;
    const SWEEP_WINS: bool = true;
    const LEAD_ADDS: bool = false;
    const COURSE: Course = Course { own_store: false, other_store: false, origin: false };
    const CYCLE: Cycle = Cycle::ScoreStands;

    #[inline]
    fn moves(board: Board) -> Pits {
        feeding_moves(board)
    }

    #[inline]
    fn play(board: Board, pit: Pit) -> Option<Step> {
        let (mover, other, taken) = sow_and_take(board, pit);
        let (other, taken) = take(other, taken);
        let swept = taken != 0 && other.is_bare();
        let step = Step::passing(Board { mover: mover.bank(taken), other });
        Some(Step { board: step.board.flag_if(Flag::Swept, swept), again: false })
    }

    #[inline]
    fn taken(board: Board, pit: Pit) -> u64 {
        let (_, other, run) = sow_and_take(board, pit);
        other.bits() & run
    }

    #[inline]
    fn prey(board: Board) -> Prey {
        // A move that may not be made, for it does not feed, takes nothing either.
        Prey::of_runs::<Self>(board)
    }

    #[inline]
    fn ending(board: Board) -> Option<Ending> {
        // Rule 9 comes before rule 3: 24 each is a draw even if the last capture took everything.
        if let Some(ending) = majority(board, Self::MAJORITY) {
            return Some(Ending { board: board.unflagged(), ..ending });
        }
        if board.has(Flag::Swept) {
            return Some(Ending { board: board.unflagged(), verdict: Verdict::Loss });
        }
        if board.mover.is_bare() {
            return Some(Ending::by_stores(board));
        }
        if board.other.is_bare() && Self::moves(board).is_empty() {
            return Some(Ending::by_stores(board.mover_gathers()));
        }
        None
    }
}

/// The rows after a sowing, and which cells of the other's are a run of twos and threes that ends at the last seed.
#[inline]
pub(super) fn sow_and_take(board: Board, pit: Pit) -> (Row, Row, u64) {
    let (sown, lap) = sow(&LAPS, board, pit);
    (sown.mover, sown.other, twos_and_threes(sown.other, lap.reach))
}

/// The pits that may be sown: any with seeds, but if the other side has none, only those that reach it.
#[inline]
pub(super) fn feeding_moves(board: Board) -> Pits {
    let pits = board.mover.occupied();
    if board.other.is_bare() { pits.filter(|pit| lap(&LAPS, board, pit).other != 0) } else { pits }
}
