//! Awari as Davis and Kendall played it (2002, appendix A).
//!
//! The sowing, the run of twos and threes and the duty to feed are shared with `oware`.

use crate::game::board::{take, twos_and_threes};
use crate::game::sow::{Laps, lap, laps, sow};
use crate::game::{
    About, Board, Capture, Course, Cycle, Ending, Flag, Handicap, Ladder, Pit, Pits, Rules, Sowing, Step, Variant, Verdict,
};

static LAPS: Laps<{ Awari::ROOM }> = laps(Awari::COURSE);

/// The rules of `awari`.
#[derive(Clone, Copy, Debug)]
pub struct Awari;

impl Rules for Awari {
    const VARIANT: Variant = Variant::Awari;
    const ABOUT: About = About {
        name: "awari",
        title: "Awari",
        gist: "capture 2s and 3s; taking a whole row wins",
        sowing: SOWING,
        capturing: "If the last seed brings a pit in the other row to 2 or 3 seeds, you capture them. If the pit \
                    before it also holds 2 or 3, you capture those too, and so on back along the other row. \
                    Capturing everything in the other row wins at once.",
        ending: "The feeding rule: if the other row is empty, you must play a move that puts seeds there. If you \
                 have none, you take all the seeds left and the game ends. It also ends when a store has 25 seeds, \
                 when both have 24, and when the side to move has no seeds.",
        network: Some(include_bytes!("awari.eval")),
        solution: None,
        best_play: None,
        fair_starts: None,
        ladder: Some(Ladder { levels: HANDICAPS, scale: &[(0, 372), (250, 425), (500, 479), (750, 586), (1000, 757), (1250, 933), (1500, 1110), (1750, 1213), (2000, 1351), (2250, 1486), (2500, 1609), (2750, 1756), (3000, 1891)] }),
    };
    const SEEDS_A_PIT: u8 = 4;
    const SEEDS_RANGE: [u8; 2] = [3, 6];
    const MOVES_AGAIN: bool = false;
    const SWEEP_WINS: bool = true;
    const LEAD_ADDS: bool = false;
    const COURSE: Course = Course { own_store: false, other_store: false, origin: false, relay: false };
    const CAPTURE: Capture = Capture::TwosAndThrees;
    const CYCLE: Cycle = Cycle::ScoreStands;
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
        let Board { mover, other } = sowing.board;
        let (other, taken) = take(other, run(&sowing));
        let swept = taken != 0 && other.is_bare();
        let step = Step::passing(Board { mover: mover.bank(taken), other });
        Step { board: step.board.flag_if(Flag::Swept, swept), again: false }
    }

    #[inline]
    fn ending(board: Board) -> Option<Ending> {
        // Rule 9 comes before rule 3: 24 each is a draw even if the last capture was everything.
        if let Some(ending) = Ending::by_majority::<Self>(board) {
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

pub(super) const HANDICAPS: [Handicap; 4] = [
    Handicap::new(1, 1_000, 600, 500),
    Handicap::new(2, 2_000, 200, 250),
    Handicap::new(4, 10_000, 60, 80),
    Handicap::new(7, 200_000, 5, 20),
];

pub(super) const SOWING: &str =
    "Sowing skips the stores. A sowing of 12 seeds or more goes all the way round and skips the pit it came from.";

#[inline]
pub(super) fn sow_past_stores(board: Board, pit: Pit) -> Sowing {
    sow(&LAPS, board, pit)
}

/// The run of twos and threes in the other's row that ends at the last seed.
#[inline]
pub(super) fn run(sowing: &Sowing) -> u64 {
    twos_and_threes(sowing.board.other, sowing.reach)
}

/// The allowed pits: any with seeds, or only those that reach the other side if it has none.
#[inline]
pub(super) fn feeding_moves(board: Board) -> Pits {
    let pits = board.mover.occupied();
    if board.other.is_bare() { pits.filter(|pit| lap(&LAPS, board, pit).crosses()) } else { pits }
}
