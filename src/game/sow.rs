//! Sowing by table: one lap from any of the mover's pits is two additions.

use super::board::Board;
use super::pit::{Pit, ROW};
use super::rules::Sown;

/// Cells of the ring as the mover goes round it: his pits 0–5, his store 6, the other's pits 7–12, the other's
/// store 13.
pub(super) const MOVER_STORE: u8 = 6;
/// The first pit of the other side in the ring.
pub(super) const OTHER_FIRST: u8 = 7;
/// The store of the other side in the ring.
pub(super) const OTHER_STORE: u8 = 13;

/// What a lap does to the two rows, and where its last seed falls.
#[derive(Clone, Copy)]
pub(super) struct Lap {
    /// Added, wrapping, to the mover's row; takes the seeds out of their pit.
    pub mover: u64,
    /// Added to the other's row.
    pub other: u64,
    /// The bytes of the other's pits from its first to the one with the last seed; 0 if that fell elsewhere.
    pub reach: u64,
    /// The cell of the ring where the last seed fell.
    pub last: u8,
}

/// Which cells a sowing passes by.
#[derive(Clone, Copy, Debug)]
pub struct Course {
    /// The mover's store gets seeds.
    pub own_store: bool,
    /// The other's store gets seeds.
    pub other_store: bool,
    /// The pit that is sown gets seeds when the sowing comes round.
    pub origin: bool,
}

impl Course {
    /// The pit where the last seed of a lap falls, from any pit and with any number of seeds but none: 0 to 5 are those
    /// of the side that sows, 6 to 11 the other's. `None` if it falls into a store.
    #[must_use]
    pub const fn landing(self, pit: Pit, seeds: u8) -> Option<usize> {
        let origin = pit.index() as u8;
        let mut cell = origin;
        let mut left = seeds;
        while left > 0 {
            cell = next(cell, origin, self);
            left -= 1;
        }
        match cell {
            MOVER_STORE | OTHER_STORE => None,
            0..MOVER_STORE => Some(cell as usize),
            _ => Some(cell as usize - 1),
        }
    }
}

/// Seeds a table has room for: a power of two above 48, so that masking replaces the bounds check.
pub(super) const MOST: usize = 64;

/// Laps by pit and by the seeds in it.
pub(super) type Laps = [[Lap; MOST]; ROW];

/// The board after a lap from a pit of the mover's, and the lap.
#[inline]
pub(super) fn sow(laps: &'static Laps, board: Board, pit: Pit) -> (Board, &'static Lap) {
    let lap = lap(laps, board, pit);
    (Board { mover: board.mover.plus(lap.mover), other: board.other.plus(lap.other) }, lap)
}

/// The lap from a pit of the mover's.
#[inline]
pub(super) fn lap(laps: &'static Laps, board: Board, pit: Pit) -> &'static Lap {
    &laps[pit.index()][board.mover.pit(pit) as usize % MOST]
}

/// One lap on any course, seed by seed.
pub(super) fn by_hand(board: Board, pit: Pit, course: Course) -> Sown {
    let mut lap = Lap { mover: 0, other: 0, reach: 0, last: pit.index() as u8 };
    for _ in 0..board.mover.pit(pit) {
        lap = one_more(lap, pit.index() as u8, course);
    }
    let board = Board { mover: board.mover.plus(lap.mover), other: board.other.plus(lap.other) };
    Sown { board, last: lap.last, laps: 1 }
}

/// All laps on a course.
pub(super) const fn laps(course: Course) -> Laps {
    let mut table = [[Lap { mover: 0, other: 0, reach: 0, last: 0 }; MOST]; ROW];
    let mut pit = 0;
    while pit < ROW {
        let mut lap = Lap { mover: 0, other: 0, reach: 0, last: pit as u8 };
        let mut seeds = 1;
        while seeds < MOST {
            lap = one_more(lap, pit as u8, course);
            table[pit][seeds] = lap;
            seeds += 1;
        }
        pit += 1;
    }
    table
}

/// The lap that carries one seed more.
const fn one_more(lap: Lap, pit: u8, course: Course) -> Lap {
    let last = next(lap.last, pit, course);
    let mover = lap.mover.wrapping_sub(1 << (8 * pit));
    if last < OTHER_FIRST {
        return Lap { mover: mover.wrapping_add(1 << (8 * last)), other: lap.other, reach: 0, last };
    }
    let cell = last - OTHER_FIRST;
    let reach = if last == OTHER_STORE { 0 } else { (1 << (8 * (cell + 1))) - 1 };
    Lap { mover, other: lap.other + (1 << (8 * cell)), reach, last }
}

/// The next cell on a course.
const fn next(cell: u8, origin: u8, course: Course) -> u8 {
    let mut cell = cell;
    loop {
        cell = (cell + 1) % 14;
        let passed = cell == origin && !course.origin
            || cell == MOVER_STORE && !course.own_store
            || cell == OTHER_STORE && !course.other_store;
        if !passed {
            return cell;
        }
    }
}
