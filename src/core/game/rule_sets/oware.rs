//! Oware Abapa as Aalina and Aualé play it.

use super::awari::{Awari, HANDICAPS, SOWING, feeding_moves, run, sow_past_stores};
use crate::game::board::take;
use crate::game::{Ladder, 
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
        gist: "capture 2s and 3s, but not a whole row",
        sowing: SOWING,
        capturing: "If the last seed brings a pit in the other row to 2 or 3 seeds, you capture them. If the pit \
                    before it also holds 2 or 3, you capture those too, and so on back along the other row. A move \
                    that would capture everything in the other row captures nothing.",
        ending: "The feeding rule: if the other row is empty, you must play a move that puts seeds there. The game \
                 ends when a store has 25 seeds, when both have 24, when there is no legal move, or when a position \
                 comes back with no capture in between. In the last two cases each side takes the seeds in its own \
                 row.",
        network: Some(include_bytes!("oware.eval")),
        solution: None,
        best_play: None,
        fair_starts: None,
        ladder: Some(Ladder { levels: HANDICAPS, scale: &[(0, 376), (500, 487), (750, 614), (1000, 804), (1250, 961), (1500, 1138), (1750, 1279), (2000, 1421), (2250, 1571), (2500, 1675), (2750, 1801), (3000, 1982)] }),
    };
    const SEEDS_A_PIT: u8 = 4;
    const SEEDS_RANGE: [u8; 2] = [3, 6];
    const MOVES_AGAIN: bool = false;
    const LEAD_ADDS: bool = false;
    const COURSE: Course = Awari::COURSE;
    const CAPTURE: Capture = Capture::TwosAndThrees;
    const CYCLE: Cycle = Cycle::EndsGame;
    const PLIES_A_SEED: Option<u16> = Some(16);

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
        if let Some(ending) = Ending::by_majority::<Self>(board) {
            return Some(ending);
        }
        let no_move = board.mover.is_bare() || board.other.is_bare() && Self::moves(board).is_empty();
        no_move.then(|| Ending::by_stores(board.each_gathers()))
    }

    fn cycle(board: Board) -> Ending {
        Ending::by_stores(board.each_gathers())
    }
}
