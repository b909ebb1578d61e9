//! Kalah(6,4), as OpenSpiel's `mancala` plays it, with optional rules.

use crate::game::sow::{Laps, MOVER_STORE, laps, sow};
use crate::game::{
    About, Board, Capture, Course, Cycle, Ending, Flag, Handicap, Ladder, OptionalRules, Pit, Pits, Rules, Sowing, Step, Variant,
};

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
        solution: None,
        best_play: Some(include_bytes!("kalah.best_play")),
        fair_starts: Some(include_str!("kalah.fair")),
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
    const OPTIONAL: Option<OptionalRules> = Some(OptionalRules {
        empty_capture: "If the last seed lands in an empty pit in your own row, you take it and all the seeds in the pit \
                        opposite, even if there are none.",
        rest_to_opponent: "As soon as a row is empty the game is over, and the side with the empty row takes the seeds in the \
                           other row.",
        plies_a_seed: Some(5),
    });
    const MOVES_AGAIN: bool = true;
    const LEAD_ADDS: bool = true;
    const COURSE: Course = Course { own_store: true, other_store: false, origin: true, relay: false };
    const CAPTURE: Capture = Capture::OwnOpposite;
    const CYCLE: Cycle = Cycle::Impossible;
    const PLIES_A_SEED: Option<u16> = Some(3);

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
        Step::passing(take_opposite(board, Pit::new(last as usize)))
    }

    #[inline]
    fn ending(board: Board) -> Option<Ending> {
        let over = board.mover.is_bare() || board.other.is_bare();
        over.then(|| {
            let to_opponent = board.has(Flag::RestToOpponent);
            Ending::by_stores(if to_opponent { board.other_gathers_each() } else { board.each_gathers() })
        })
    }
}

/// If the last seed fell into an empty pit of the mover's row, and the opposite pit has seeds or empty captures are played, both
/// are banked.
#[inline]
fn take_opposite(board: Board, last: Pit) -> Board {
    let (Board { mover, other }, opposite) = (board, last.opposite());
    if mover.pit(last) != 1 {
        return board;
    }
    let seeds = other.pit(opposite);
    if seeds == 0 {
        return if board.has(Flag::EmptyCapture) { Board { mover: mover.emptied(last).bank(1), other } } else { board };
    }
    Board { mover: mover.emptied(last).bank(1 + seeds), other: other.emptied(opposite) }
}
