//! Ayoayo: relay sowing, as the essay describes it.
//!
//! A turn is a chain of laps, each from the pit where the last one ended, until that pit was empty. A lap depends on the first
//! pit of the turn, the first pit of the lap and its seeds, so it is one entry of a table. Some chains never end. The first
//! [`SHORT`] laps test only for the end; longer chains also use Brent's cycle finder (BIT 20, 1980), which compares each state
//! with one saved at a power of two of laps.

use crate::game::relay::{Relay, RelayLap};
use crate::game::sow::OTHER_FIRST;
use crate::game::{
    About, Board, Capture, Course, Cycle, Ending, Handicap, Ladder, Pit, Pits, ROW, Rules, Sowing, Step, Variant,
};

/// The rules of `ayoayo`.
pub type Ayoayo = AyoayoWithin<4096>;

/// Ayoayo with a maximum number of laps, above which a sowing counts as never-ending.
///
/// Games are played with [`Ayoayo`]; lower limits let tests reach the rules about never-ending sowings.
#[derive(Clone, Copy, Debug)]
pub struct AyoayoWithin<const LAPS: u32>;

impl<const LAPS: u32> Rules for AyoayoWithin<LAPS> {
    const VARIANT: Variant = Variant::Ayoayo;
    const ABOUT: About = About {
        name: "ayoayo",
        title: "Ayoayo",
        gist: "sow on from every pit that has seeds",
        sowing: "Sowing skips the stores. If the last seed lands in a pit that was not empty, in either row, you \
                 pick up all the seeds there and sow on, always skipping the pit where your turn began. The sowing \
                 ends in an empty pit. A sowing that would never end is not a legal move.",
        capturing: "If it ends in your own row, you capture the seeds in the pit opposite. Your last seed stays \
                    where it is.",
        ending: "The feeding rule: if the other row is empty, you must give it seeds if you can. If the side to move \
                 has no seeds, the other side takes all the seeds left and the game ends.",
        network: Some(include_bytes!("ayoayo.eval")),
        solution: None,
        best_play: None,
        fair_starts: None,
        ladder: Some(Ladder {
            levels: [
                Handicap::new(1, 1_000, 900, 1200),
                Handicap::new(2, 2_000, 50, 700),
                Handicap::new(4, 10_000, 50, 150),
                Handicap::new(6, 50_000, 0, 30),
            ],
            scale: &[(0, 193), (500, 211), (750, 276), (1000, 375), (1250, 484), (1500, 598), (1750, 684), (2000, 764), (2250, 817), (2500, 860), (2750, 920), (3000, 954)],
        }),
    };
    const SEEDS_A_PIT: u8 = 4;
    const MOVES_AGAIN: bool = false;
    const LEAD_ADDS: bool = true;
    const COURSE: Course = Course { own_store: false, other_store: false, origin: false, relay: true };
    const CAPTURE: Capture = Capture::OwnOpposite;
    const CYCLE: Cycle = Cycle::ScoreStands;
    const PLIES_A_SEED: Option<u16> = Some(7);

    #[inline]
    fn moves(board: Board) -> Pits {
        let pits = board.mover.occupied();
        if board.other.is_bare() { feeding_first::<LAPS>(board, pits) } else { pits }
    }

    #[inline]
    fn sow(board: Board, pit: Pit) -> Option<Sowing> {
        let (board, last) = relay::<LAPS>(board, pit)?;
        let last = if last < ROW { last as u8 } else { OTHER_FIRST + (last - ROW) as u8 };
        Some(Sowing { board, last, reach: 0 })
    }

    #[inline]
    fn capture(sowing: Sowing) -> Step {
        let Sowing { board, last, .. } = sowing;
        if last >= OTHER_FIRST {
            return Step::passing(board);
        }
        let opposite = Pit::new(last as usize).opposite();
        let (mover, other) = (board.mover.bank(board.other.pit(opposite)), board.other.emptied(opposite));
        Step::passing(Board { mover, other })
    }

    #[inline]
    fn ending(board: Board) -> Option<Ending> {
        board.mover.is_bare().then(|| Ending::by_stores(board.other_gathers()))
    }

    #[inline]
    fn count_moves(board: Board) -> u32 {
        Self::moves(board).filter(|pit| Self::sow(board, pit).is_some()).len()
    }
}

/// Moves against an empty row: those that feed it, or all if none does.
#[cold]
fn feeding_first<const LAPS: u32>(board: Board, pits: Pits) -> Pits {
    let feeds = |pit| AyoayoWithin::<LAPS>::play(board, pit).is_some_and(|step| !step.board.mover.is_bare());
    let feeding = pits.filter(feeds);
    if feeding.is_empty() { pits } else { feeding }
}

/// Cells of the ring: the mover's pits 0–5, the other's 6–11.
const RING: usize = 2 * ROW;
/// Seeds with tabled laps: a power of two above 11, the cells of a full round.
const TABLED: usize = 16;
/// Seeds of a full round, which skips the turn's first pit.
const ROUND: usize = RING - 1;
/// Laps after which cycles are looked for. Of all sowings possible in random games 99.7 % are no longer, and those that end
/// take 3.7 laps on average.
const SHORT: u32 = 32;

/// Laps of a turn by the first cell and its seeds.
type TurnLaps = [[RelayLap; TABLED]; RING];

/// Laps by the first pit of the turn.
static LAPS: [TurnLaps; ROW] = {
    let mut table = [[[RelayLap::empty(0); TABLED]; RING]; ROW];
    let mut first = 0;
    while first < ROW {
        let mut cell = 0;
        while cell < RING {
            let mut lap = RelayLap::empty(cell);
            let mut seeds = 1;
            while seeds < TABLED {
                lap = one_more(lap, cell, first);
                table[first][cell][seeds] = lap;
                seeds += 1;
            }
            cell += 1;
        }
        first += 1;
    }
    table
};

/// The lap with one more seed.
const fn one_more(lap: RelayLap, cell: usize, first: usize) -> RelayLap {
    let mut last = (lap.last as usize + 1) % RING;
    if last == first {
        last = (last + 1) % RING;
    }
    lap.with_seed::<ROW>(cell, last)
}

/// Sows a lap; returns whether the chain has ended.
#[inline]
fn ends(relay: &mut Relay<ROW>, laps: &TurnLaps) -> bool {
    relay.lap(&laps[relay.cell % RING], ROUND);
    relay.seeds() == 1
}

/// The board after all laps of a turn and the cell where they ended; `None` after more than `LIMIT` laps.
#[inline]
fn relay<const LIMIT: u32>(board: Board, pit: Pit) -> Option<(Board, usize)> {
    let laps = &LAPS[pit.index()];
    let mut relay = Relay::<ROW> { board, cell: pit.index() };
    for _ in 0..if LIMIT < SHORT { LIMIT } else { SHORT } {
        if ends(&mut relay, laps) {
            return Some((relay.board, relay.cell));
        }
    }
    long_relay(relay, laps, LIMIT.saturating_sub(SHORT))
}

/// The rest of a long chain, up to its limit of laps.
#[cold]
fn long_relay(mut relay: Relay<ROW>, laps: &TurnLaps, limit: u32) -> Option<(Board, usize)> {
    let mut kept = relay;
    for lap in 1..=limit {
        if ends(&mut relay, laps) {
            return Some((relay.board, relay.cell));
        }
        if relay == kept {
            return None;
        }
        if lap.is_power_of_two() {
            kept = relay;
        }
    }
    None
}
