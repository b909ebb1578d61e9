//! A little Kalah, with three seeds a pit: a rule set added by one file and one line (`tests/rule_set/add.sh`).

use super::kalah::Kalah;
use crate::game::sow::{Laps, laps, sow};
use crate::game::{About, Board, Capture, Course, Cycle, Ending, Pit, Pits, Rules, Sowing, Step, Variant};

static LAPS: Laps<{ KalahLittle::ROOM }> = laps(KalahLittle::COURSE);

/// The rules of `kalahlittle`.
#[derive(Clone, Copy, Debug)]
pub struct KalahLittle;

impl Rules for KalahLittle {
    const VARIANT: Variant = Variant::KalahLittle;
    const ABOUT: About = About {
        name: "kalahlittle",
        title: "Little Kalah",
        sowing: Kalah::ABOUT.sowing,
        capturing: Kalah::ABOUT.capturing,
        ending: Kalah::ABOUT.ending,
        ..About::NEW
    };
    const SEEDS_A_PIT: u8 = 3;
    const MOVES_AGAIN: bool = true;
    const LEAD_ADDS: bool = true;
    const COURSE: Course = Kalah::COURSE;
    const CAPTURE: Capture = Kalah::CAPTURE;
    const CYCLE: Cycle = Cycle::Impossible;
    const PLIES_A_SEED: Option<u16> = None;

    fn moves(board: Board) -> Pits {
        board.mover.occupied()
    }

    fn sow(board: Board, pit: Pit) -> Option<Sowing> {
        Some(sow(&LAPS, board, pit))
    }

    fn capture(sowing: Sowing) -> Step {
        Kalah::capture(sowing)
    }

    fn ending(board: Board) -> Option<Ending> {
        Kalah::ending(board)
    }
}
