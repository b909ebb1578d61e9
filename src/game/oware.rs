//! Oware Abapa as Aalina and Aualé play it.

use super::awari::{Awari, feeding_moves, sow_and_take};
use super::board::{Board, Pits, take};
use super::rules::{Cycle, Ending, Rules, Step, majority};
use super::sow::Course;
use super::{Pit, Prey, Variant};

/// The rules of `oware`.
#[derive(Clone, Copy, Debug)]
pub struct Oware;

impl Rules for Oware {
    const VARIANT: Variant = Variant::Oware;
    const SEEDS_A_PIT: u8 = 4;
    const MOVES_AGAIN: bool = false;
    const LEAD_ADDS: bool = false;
    const COURSE: Course = Awari::COURSE;
    const CYCLE: Cycle = Cycle::EndsGame;

    #[inline]
    fn moves(board: Board) -> Pits {
        feeding_moves(board)
    }

    #[inline]
    fn play(board: Board, pit: Pit) -> Option<Step> {
        let (mover, sown, run) = sow_and_take(board, pit);
        let (left, taken) = take(sown, run);
        // A grand slam takes nothing.
        let (other, taken) = if left.is_bare() { (sown, 0) } else { (left, taken) };
        Some(Step::passing(Board { mover: mover.bank(taken), other }))
    }

    #[inline]
    fn taken(board: Board, pit: Pit) -> u64 {
        let (_, sown, run) = sow_and_take(board, pit);
        let (left, _) = take(sown, run);
        if left.is_bare() { 0 } else { sown.bits() & run }
    }

    #[inline]
    fn prey(board: Board) -> Prey {
        // A run of less than a round is a grand slam only where no pit holds more than two.
        if board.other.holding_at_least(3).is_empty() {
            Prey::of_moves::<Self>(board, board.mover.occupied())
        } else {
            Prey::of_runs::<Self>(board)
        }
    }

    #[inline]
    fn ending(board: Board) -> Option<Ending> {
        if let Some(ending) = majority(board, Self::MAJORITY) {
            return Some(ending);
        }
        let no_move = board.mover.is_bare() || board.other.is_bare() && Self::moves(board).is_empty();
        no_move.then(|| Ending::by_stores(board.each_gathers()))
    }

    fn cycle(board: Board) -> Ending {
        Ending::by_stores(board.each_gathers())
    }
}
