//! Kalah(6,4), as OpenSpiel's `mancala` plays it.

use crate::game::sow::{Laps, MOVER_STORE, laps, sow};
use crate::game::{About, Board, Capture, Course, Cycle, Ending, Handicap, Ladder, Pit, Pits, Row, Rules, Sowing, Step, Variant};

static LAPS: Laps<{ Kalah::ROOM }> = laps(Kalah::COURSE);

/// The rules of `kalah`.
#[derive(Clone, Copy, Debug)]
pub struct Kalah;

impl Rules for Kalah {
    const VARIANT: Variant = Variant::Kalah;
    const ABOUT: About = About {
        name: "kalah",
        title: "Kalah",
        gist: "end in your store to move again",
        sowing: "You sow into your own store and skip the other side's. If the last seed lands in your store, you \
                 move again, as often as that happens.",
        capturing: "If the last seed lands in an empty pit in your own row and the pit opposite is not empty, you \
                    take the seeds in both pits.",
        ending: "As soon as a row is empty the game is over, and each side takes the seeds in its own row.",
        network: Some(include_bytes!("kalah.eval")),
        book: Some(include_bytes!("kalah.book")),
        solution: None,
        ladder: Some(Ladder {
            levels: [
                Handicap::new(1, 1_000, 900, 1200),
                Handicap::new(2, 2_000, 150, 1200),
                Handicap::new(4, 10_000, 50, 120),
                Handicap::new(7, 100_000, 0, 20),
            ],
            scale: &[(0, 249), (500, 340), (750, 418), (1000, 493), (1500, 532), (1750, 664), (2000, 796), (2250, 871), (2500, 902), (2750, 966), (3000, 1038)],
        }),
    };
    const SEEDS_A_PIT: u8 = 4;
    const SEEDS_RANGE: [u8; 2] = [1, 6];
    const LISTED_SEEDS: &[u8] = &[3, 5, 6];
    const ANY_SET_UP: bool = true;
    const MOVES_AGAIN: bool = true;
    const LEAD_ADDS: bool = true;
    const COURSE: Course = Course { own_store: true, other_store: false, origin: true, relay: false };
    const CAPTURE: Capture = Capture::OwnOpposite;
    const CYCLE: Cycle = Cycle::Impossible;
    const PLIES_A_SEED: u16 = 3;

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
        if last == MOVER_STORE {
            return Step { board, again: true };
        }
        if last > MOVER_STORE {
            return Step::passing(board);
        }
        let (mover, other) = take_opposite(board.mover, board.other, Pit::new(last as usize));
        Step::passing(Board { mover, other })
    }

    #[inline]
    fn ending(board: Board) -> Option<Ending> {
        let over = board.mover.is_bare() || board.other.is_bare();
        over.then(|| Ending::by_stores(board.each_gathers()))
    }
}

/// If the last seed fell into an empty pit of the mover's row and the opposite pit has seeds, both are banked. Returns the
/// mover's row and the other's.
#[inline]
fn take_opposite(mover: Row, other: Row, last: Pit) -> (Row, Row) {
    let opposite = last.opposite();
    let seeds = other.pit(opposite);
    if mover.pit(last) != 1 || seeds == 0 {
        return (mover, other);
    }
    (mover.emptied(last).bank(1 + seeds), other.emptied(opposite))
}
