//! A little Oware, with three seeds a pit: a rule set added by one file and one line (`tests/rule_set/add.sh`).

use super::oware::Oware;
use crate::game::{About, Board, Capture, Course, Cycle, Ending, Pit, Pits, Rules, Sowing, Step, Variant};

/// The rules of `owarelittle`.
#[derive(Clone, Copy, Debug)]
pub struct OwareLittle;

impl Rules for OwareLittle {
    const VARIANT: Variant = Variant::OwareLittle;
    const ABOUT: About = About {
        name: "owarelittle",
        title: "Little Oware",
        sowing: Oware::ABOUT.sowing,
        capturing: Oware::ABOUT.capturing,
        ending: "As in Oware Abapa, but 19 seeds are the majority, and 18 each a draw.",
        ..About::NEW
    };
    const SEEDS_A_PIT: u8 = 3;
    const MOVES_AGAIN: bool = false;
    const LEAD_ADDS: bool = false;
    const COURSE: Course = Oware::COURSE;
    const CAPTURE: Capture = Oware::CAPTURE;
    const CYCLE: Cycle = Cycle::EndsGame;
    const PLIES_A_SEED: Option<u16> = Some(16);

    fn moves(board: Board) -> Pits {
        Oware::moves(board)
    }

    fn sow(board: Board, pit: Pit) -> Option<Sowing> {
        Oware::sow(board, pit)
    }

    fn capture(sowing: Sowing) -> Step {
        Oware::capture(sowing)
    }

    fn ending(board: Board) -> Option<Ending> {
        if let Some(ending) = Ending::by_majority::<Self>(board) {
            return Some(ending);
        }
        let no_move = board.mover.is_bare() || board.other.is_bare() && Self::moves(board).is_empty();
        no_move.then(|| Ending::by_stores(board.each_gathers()))
    }

    fn cycle(board: Board) -> Ending {
        Oware::cycle(board)
    }
}
