//! Oware Abapa as Aalina and Aualé play it.

use super::awari::{Awari, HANDICAPS, SOWING, feeding_moves, run, sow_past_stores};
use crate::game::board::take;
use crate::game::{
    About, Board, Capture, Course, Cycle, Ending, Pit, Pits, Rules, Sowing, Step, Variant,
};

/// The rules of `oware`.
#[derive(Clone, Copy, Debug)]
pub struct Oware;

impl Rules for Oware {
    const VARIANT: Variant = Variant::Oware;
    const ABOUT: About = About {
        name: "oware",
        title: "Oware Abapa",
        sowing: SOWING,
        capturing: "If the last seed makes 2 or 3 in a pit of the other row, these are captured, and so are the 2 or 3 of \
                    the pits before it, as long as there is no gap. A move that would capture everything captures \
                    nothing.",
        ending: "The rule of feeding: if the other row is empty, you must play a move that reaches it. The game ends at \
                 25 seeds in a store, at 24 each, when there is no move, or when a position comes back with no capture \
                 in between; in the last two cases each side takes its own row.",
        network: Some(include_bytes!("oware.eval")),
        book: Some(include_bytes!("oware.book")),
        handicaps: Some(HANDICAPS),
    };
    const SEEDS_A_PIT: u8 = 4;
    const MOVES_AGAIN: bool = false;
    const LEAD_ADDS: bool = false;
    const COURSE: Course = Awari::COURSE;
    const CAPTURE: Capture = Capture::TwosAndThrees;
    const CYCLE: Cycle = Cycle::EndsGame;

    #[inline]
    fn moves(board: Board) -> Pits {
        feeding_moves(board)
    }

    #[inline]
    fn sow(board: Board, pit: Pit) -> Option<Sowing> {
        Some(sow_past_stores(board, pit))
    }

    #[inline]
    fn capture(sowing: Sowing) -> Step {
        let Board { mover, other: sown } = sowing.board;
        let (left, taken) = take(sown, run(&sowing));
        // A grand slam captures nothing.
        let (other, taken) = if left.is_bare() { (sown, 0) } else { (left, taken) };
        Step::passing(Board { mover: mover.bank(taken), other })
    }

    #[inline]
    fn ending(board: Board) -> Option<Ending> {
        if let Some(ending) = Ending::by_majority(board, Self::MAJORITY) {
            return Some(ending);
        }
        let no_move = board.mover.is_bare() || board.other.is_bare() && Self::moves(board).is_empty();
        no_move.then(|| Ending::by_stores(board.each_gathers()))
    }

    fn cycle(board: Board) -> Ending {
        Ending::by_stores(board.each_gathers())
    }
}
