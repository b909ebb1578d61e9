//! Avalanche: Kalah with relay sowing, as CMancala and many programs for phones play it.
//!
//! A turn is a chain of laps like that of `ayoayo`, but it passes the mover's store, where it can end. Every chain ends: each
//! time it comes round it leaves a seed in the store.

use crate::game::relay::{Relay, RelayLap};
use crate::game::sow::{MOVER_STORE, OTHER_FIRST, OTHER_STORE};
use crate::game::{About, Board, Capture, Course, Cycle, Ending, Handicap, Ladder, Pit, Pits, Rules, Sowing, Step, Variant};

/// The rules of `avalanche`.
#[derive(Clone, Copy, Debug)]
pub struct Avalanche;

impl Rules for Avalanche {
    const VARIANT: Variant = Variant::Avalanche;
    const ABOUT: About = About {
        name: "avalanche",
        title: "Avalanche",
        gist: "sow on from pits with seeds, into your store",
        sowing: "You sow into your own store and skip the other side's. If the last seed lands in a pit that was not \
                 empty, in either row, you pick up all the seeds there and sow on. The sowing ends in an empty pit or \
                 in your store. If it ends in your store, you move again, as often as that happens.",
        capturing: "Nothing is captured: seeds reach your store only by sowing.",
        ending: "As soon as a row is empty the game is over, and each side takes the seeds in its own row.",
        ladder: Some(Ladder {
            levels: [
                Handicap::new(1, 1_000, 200, 300),
                Handicap::new(2, 2_000, 190, 300),
                Handicap::new(4, 10_000, 60, 150),
                Handicap::new(7, 100_000, 0, 20),
            ],
            scale: &[(0, 188), (250, 242), (500, 308), (750, 382), (1000, 471), (1500, 585), (2000, 672), (2500, 744), (3000, 781)],
        }),
        ..About::NEW
    };
    const SEEDS_A_PIT: u8 = 4;
    const SEEDS_RANGE: [u8; 2] = [1, 6];
    const ANY_SET_UP: bool = true;
    const MOVES_AGAIN: bool = true;
    const LEAD_ADDS: bool = true;
    const COURSE: Course = Course { own_store: true, other_store: false, origin: true, relay: true };
    const CAPTURE: Capture = Capture::Other;
    const CYCLE: Cycle = Cycle::Impossible;
    const PLIES_A_SEED: Option<u16> = Some(4);

    #[inline]
    fn moves(board: Board) -> Pits {
        board.mover.occupied()
    }

    #[inline]
    fn sow(board: Board, pit: Pit) -> Option<Sowing> {
        let mut relay = Relay::<OTHER> { board, cell: pit.index() };
        relay.lap(&LAPS[relay.cell % RING], RING);
        while goes_on(&relay) {
            relay.lap(&LAPS[relay.cell % RING], RING);
        }
        Some(Sowing { board: relay.board, last: relay.cell as u8, reach: 0 })
    }

    #[inline]
    fn capture(sowing: Sowing) -> Step {
        let Sowing { board, last, .. } = sowing;
        if last == MOVER_STORE { Step { board, again: true } } else { Step::passing(board) }
    }

    #[inline]
    fn ending(board: Board) -> Option<Ending> {
        let over = board.mover.is_bare() || board.other.is_bare();
        over.then(|| Ending::by_stores(board.each_gathers()))
    }
}

/// Cells of the ring of sowing, without [`OTHER_STORE`]; also the seeds of a full round.
const RING: usize = OTHER_STORE as usize;
/// The first cell of the other side.
const OTHER: usize = OTHER_FIRST as usize;
/// Seeds with tabled laps: a power of two above a full round.
const TABLED: usize = 16;

/// Laps by the first cell and its seeds.
static LAPS: [[RelayLap; TABLED]; RING] = {
    let mut table = [[RelayLap::empty(0); TABLED]; RING];
    let mut cell = 0;
    while cell < RING {
        let mut lap = RelayLap::empty(cell);
        let mut seeds = 1;
        while seeds < TABLED {
            lap = lap.with_seed::<OTHER>(cell, (lap.last as usize + 1) % RING);
            table[cell][seeds] = lap;
            seeds += 1;
        }
        cell += 1;
    }
    table
};

/// Whether another lap follows one that ended here.
#[inline]
fn goes_on(relay: &Relay<OTHER>) -> bool {
    relay.cell != usize::from(MOVER_STORE) && relay.seeds() > 1
}
