//! Sowing by table: one lap from any of the mover's pits is two additions.

use super::board::{Board, Row};
use super::pit::{Pit, ROW};

/// The mover's store in the ring of cells in sowing order: the mover's pits 0–5, its store 6, the other's pits 7–12, the
/// other's store 13.
pub const MOVER_STORE: u8 = 6;
/// The other side's first pit in the ring.
pub const OTHER_FIRST: u8 = 7;
/// The other side's store in the ring.
pub const OTHER_STORE: u8 = 13;
/// Cells of the ring.
const RING: u8 = 14;

/// How seeds are sown: which cells a lap skips, and whether sowing is by relay.
#[derive(Clone, Copy, Debug)]
pub struct Course {
    /// The mover's store gets seeds.
    pub own_store: bool,
    /// The other's store gets seeds.
    pub other_store: bool,
    /// The first pit of a turn gets seeds when the sowing comes round.
    pub origin: bool,
    /// Relay sowing: a lap that ends in a pit with seeds continues with them; one that ends in a store does not.
    pub relay: bool,
}

/// A completed sowing, before captures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sowing {
    /// The board, seen by the side that sows.
    pub board: Board,
    /// The ring cell of the last seed: 0–5 are the sower's pits, 6 its store, 7–12 the other's pits, 13 its store.
    pub last: u8,
    /// The bytes of the other's pits from its first to the one with the last seed; 0 if that fell elsewhere, or if
    /// sowing is by relay.
    pub reach: u64,
}

impl Course {
    /// The pit of a lap's last seed, from any pit with at least one seed: 0 to 5 are the sower's, 6 to 11 the other's. `None`
    /// if it falls into a store.
    pub const fn landing(self, pit: Pit, seeds: u8) -> Option<usize> {
        let origin = pit.index() as u8;
        let mut cell = origin;
        let mut left = seeds;
        while left > 0 {
            cell = self.next(cell, origin);
            left -= 1;
        }
        match cell {
            MOVER_STORE | OTHER_STORE => None,
            0..MOVER_STORE => Some(cell as usize),
            _ => Some(cell as usize - 1),
        }
    }

    /// The cell after a ring cell, for a turn from the pit `origin`.
    const fn next(self, cell: u8, origin: u8) -> u8 {
        let mut cell = cell;
        loop {
            cell = (cell + 1) % RING;
            let passed = cell == origin && !self.origin
                || cell == MOVER_STORE && !self.own_store
                || cell == OTHER_STORE && !self.other_store;
            if !passed {
                return cell;
            }
        }
    }

    /// A whole sowing, seed by seed (slow): the board without its flags, the cell of the last seed, and the number of laps.
    /// `None` if it takes more than `most_laps` laps.
    pub fn by_hand(self, board: Board, pit: Pit, most_laps: u32) -> Option<(Board, u8, u32)> {
        self.by_hand_telling(board, pit, most_laps, &mut |_, _| {})
    }

    /// The same, reporting the lap, from 1, and the ring cell of each seed.
    pub fn by_hand_telling(
        self,
        board: Board,
        pit: Pit,
        most_laps: u32,
        fell: &mut impl FnMut(u32, u8),
    ) -> Option<(Board, u8, u32)> {
        let mut ring: [u8; RING as usize] = std::array::from_fn(|cell| match cell as u8 {
            MOVER_STORE => board.mover.store(),
            OTHER_STORE => board.other.store(),
            own @ 0..MOVER_STORE => board.mover.pit(Pit::new(usize::from(own))),
            other => board.other.pit(Pit::new(usize::from(other - OTHER_FIRST))),
        });
        let origin = pit.index() as u8;
        let mut cell = origin;
        for laps in 1..=most_laps {
            for _ in 0..std::mem::take(&mut ring[usize::from(cell)]) {
                cell = self.next(cell, origin);
                ring[usize::from(cell)] += 1;
                fell(laps, cell);
            }
            let in_store = matches!(cell, MOVER_STORE | OTHER_STORE);
            if !self.relay || in_store || ring[usize::from(cell)] == 1 {
                let row = |first: u8, store: u8| {
                    let pits = Pit::ALL.map(|pit| ring[usize::from(first) + pit.index()]);
                    Row::new(pits, ring[usize::from(store)])
                };
                let board = Board { mover: row(0, MOVER_STORE), other: row(OTHER_FIRST, OTHER_STORE) };
                return Some((board, cell, laps));
            }
        }
        None
    }
}

/// A lap's changes of the two rows, and its last cell.
#[derive(Clone, Copy)]
pub struct Lap {
    /// Added, wrapping, to the mover's row; removes the seeds from their pit.
    mover: u64,
    /// Added to the other's row.
    other: u64,
    /// See [`Sowing::reach`].
    reach: u64,
    /// The ring cell of the last seed.
    last: u8,
}

impl Lap {
    const NONE: Lap = Lap { mover: 0, other: 0, reach: 0, last: 0 };

    /// Whether a seed falls into the other's row or store.
    #[inline]
    pub const fn crosses(&self) -> bool {
        self.other != 0
    }
}

/// Laps by pit and by its seeds, fewer than [`Rules::ROOM`](super::Rules::ROOM).
pub type Laps<const ROOM: usize> = [[Lap; ROOM]; ROW];

/// Sows one lap from a pit of the mover's.
#[inline]
pub fn sow<const ROOM: usize>(laps: &'static Laps<ROOM>, board: Board, pit: Pit) -> Sowing {
    let lap = lap(laps, board, pit);
    let board = Board { mover: board.mover.plus(lap.mover), other: board.other.plus(lap.other) };
    Sowing { board, last: lap.last, reach: lap.reach }
}

/// The lap from a pit of the mover's.
#[inline]
pub fn lap<const ROOM: usize>(laps: &'static Laps<ROOM>, board: Board, pit: Pit) -> &'static Lap {
    &laps[pit.index()][board.mover.pit(pit) as usize % ROOM]
}

pub const fn laps<const ROOM: usize>(course: Course) -> Laps<ROOM> {
    let mut table = [[Lap::NONE; ROOM]; ROW];
    let mut pit = 0;
    while pit < ROW {
        let mut lap = Lap { last: pit as u8, ..Lap::NONE };
        let mut seeds = 1;
        while seeds < ROOM {
            lap = one_more(lap, pit as u8, course);
            table[pit][seeds] = lap;
            seeds += 1;
        }
        pit += 1;
    }
    table
}

/// The lap with one more seed.
const fn one_more(lap: Lap, pit: u8, course: Course) -> Lap {
    let last = course.next(lap.last, pit);
    let mover = lap.mover.wrapping_sub(1 << (8 * pit));
    if last < OTHER_FIRST {
        return Lap { mover: mover.wrapping_add(1 << (8 * last)), other: lap.other, reach: 0, last };
    }
    let cell = last - OTHER_FIRST;
    let reach = if last == OTHER_STORE { 0 } else { (1 << (8 * (cell + 1))) - 1 };
    Lap { mover, other: lap.other + (1 << (8 * cell)), reach, last }
}
