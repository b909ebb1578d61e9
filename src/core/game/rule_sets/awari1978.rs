//! Awari as BASIC Computer Games printed it (1978).

use crate::game::sow::{Laps, MOVER_STORE, OTHER_FIRST, OTHER_STORE, laps, sow};
use crate::game::{
    About, Board, Capture, Course, Cycle, Ending, Flag, Handicap, Ladder, Pit, Pits, Rules, Sowing, Step, Variant,
};

static LAPS: Laps<{ Awari1978::ROOM }> = laps(Awari1978::COURSE);

/// The rules of `awari1978`.
#[derive(Clone, Copy, Debug)]
pub struct Awari1978;

impl Rules for Awari1978 {
    const VARIANT: Variant = Variant::Awari1978;
    const ABOUT: About = About {
        name: "awari1978",
        title: "Awari 1978",
        gist: "sow both stores; end in yours to move again",
        sowing: "You sow into both stores, yours and the other side's. If the last seed lands in your own store, you \
                 must move again, but only once in a turn.",
        capturing: "If the last seed lands in an empty pit, in either row, and the pit opposite is not empty, you \
                    take the seeds in both pits.",
        ending: "As soon as a row is empty the game is over, and the seeds left on the board count for neither side.",
        network: Some(include_bytes!("awari1978.eval")),
        solution: Some(include_bytes!("awari1978.solution")),
        best_play: None,
        fair_starts: Some(include_str!("awari1978.fair")),
        // This game spans no more than 700 Elo from random to perfect play, and with overlooking and errors alone the steps
        // were 125 to 151. So the lower levels also hoard, in a game where seeds left in a row at the end are lost, and the
        // lowest is no better than random.
        ladder: Some(Ladder {
            levels: [
                Handicap::new(1, 1_000, 300, 700).hoarding(200),
                Handicap::new(2, 2_000, 300, 700).hoarding(100),
                Handicap::new(3, 10_000, 100, 515).hoarding(20),
                Handicap::new(4, 50_000, 20, 120).hoarding(20),
            ],
            scale: &[(0, 0), (500, 55), (1000, 145), (1500, 217), (2000, 299), (2500, 390), (3000, 464)],
        }),
    };
    const SEEDS_A_PIT: u8 = 3;
    const MOVES_AGAIN: bool = true;
    const SECOND_MOVE: bool = true;
    const LEAD_ADDS: bool = true;
    const COURSE: Course = Course { own_store: true, other_store: true, origin: true, relay: false };
    const CAPTURE: Capture = Capture::AnyOpposite;
    const CYCLE: Cycle = Cycle::Impossible;
    const PLIES_A_SEED: Option<u16> = Some(4);

    #[inline]
    fn moves(board: Board) -> Pits {
        board.mover.occupied()
    }

    #[inline]
    fn sow(board: Board, pit: Pit) -> Option<Sowing> {
        Some(sow(&LAPS, board, pit))
    }

    #[inline]
    fn capture(sowing: Sowing) -> Step {
        let Sowing { board, last, .. } = sowing;
        let second = board.has(Flag::SecondMove);
        if last == MOVER_STORE && !second {
            return Step { board: board.flag_if(Flag::SecondMove, true), again: true };
        }
        let in_store = last == MOVER_STORE || last == OTHER_STORE;
        let board = if in_store { board } else { take_opposite(board, last) };
        Step::passing(board.unflagged())
    }

    #[inline]
    fn ending(board: Board) -> Option<Ending> {
        // Beans left on the board are lost to both sides.
        let over = board.mover.is_bare() || board.other.is_bare();
        over.then(|| Ending::by_stores(board))
    }
}

/// If the last bean fell into an empty pit of either row and the opposite pit has beans, the mover banks both.
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
