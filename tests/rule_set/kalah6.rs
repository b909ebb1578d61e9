//! Kalah with six seeds a pit: a rule set added by one file and one line (`tests/rule_set/add.sh`).

use super::kalah::Kalah;
use crate::game::sow::{Laps, laps, sow};
use crate::game::{About, Board, Capture, Course, Cycle, Ending, Pit, Pits, Rules, Sowing, Step, Variant};

static LAPS: Laps<{ Kalah6::ROOM }> = laps(Kalah6::COURSE);

/// The rules of `kalah6`.
#[derive(Clone, Copy, Debug)]
pub struct Kalah6;

impl Rules for Kalah6 {
    const VARIANT: Variant = Variant::Kalah6;
    const ABOUT: About = About {
        name: "kalah6",
        title: "Kalah, six seeds a pit",
        sowing: Kalah::ABOUT.sowing,
        capturing: Kalah::ABOUT.capturing,
        ending: Kalah::ABOUT.ending,
        ..About::NEW
    };
    const SEEDS_A_PIT: u8 = 6;
    const MOVES_AGAIN: bool = true;
    const LEAD_ADDS: bool = true;
    const COURSE: Course = Kalah::COURSE;
    const CAPTURE: Capture = Kalah::CAPTURE;
    const CYCLE: Cycle = Cycle::Impossible;

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
