//! What the network sees of a board: for each pit its seeds, and what lies where they would end.
//!
//! The inputs are one-hot and sparse: every board sets [`INPUTS`] features, and each of them is one row of the network's
//! first layer. A pit's row is chosen by the pit, the seeds in it, and a landing class: what the last seed of a sowing
//! from there would meet. That is where captures are decided, and a small network without it has to find out about
//! twelve threats by multiplying pits in its one hidden layer. The class costs a look-up and no addition more.

use crate::game::{Board, Capture, Course, Flag, Pit, ROW, Rules};
use std::marker::PhantomData;

/// Features of a board: twelve pits, and two of the whole board.
pub const INPUTS: usize = PITS + 2;
/// The two rows' pits, the mover's first.
const PITS: usize = 2 * ROW;
/// More seeds in a pit than these look the same: two rounds and one, and rare beyond. Chosen, not measured.
const MOST_SEEDS: usize = 23;
/// Counts a pit's table has room for: a power of two, so that a minimum replaces the bounds check.
const ROOM: usize = 32;
/// A cell beyond the pits, which is always empty: where a sowing ends that meets nothing of note.
const NOWHERE: u8 = 15;

/// What matters of the cell where a sowing ends.
#[derive(Clone, Copy, PartialEq, Eq)]
enum LandingClass {
    /// Captures of twos and threes in the other's row: whether there are none, one, two or more.
    Run,
    /// Captures from an empty pit of one's own: how much lies opposite.
    OwnOpposite,
    /// Captures from any empty pit.
    AnyOpposite,
    /// The sowing goes on unless the pit is empty.
    Relay,
    /// Nothing.
    None,
}

/// The rows of a pit with so many seeds.
#[derive(Clone, Copy)]
struct Entry {
    /// The row of class 0; the others follow.
    first: u16,
    /// The cell that decides the class.
    landing: u8,
    /// The cell opposite.
    opposite: u8,
}

/// The rows of all features of a rule set.
pub struct Features<R>(PhantomData<R>);

const fn landing_class<R: Rules>() -> LandingClass {
    match R::CAPTURE {
        _ if R::COURSE.relay => LandingClass::Relay,
        Capture::TwosAndThrees => LandingClass::Run,
        Capture::OwnOpposite => LandingClass::OwnOpposite,
        Capture::AnyOpposite => LandingClass::AnyOpposite,
        Capture::Other => LandingClass::None,
    }
}

/// Whether the stores matter beyond their difference, for instance because half the seeds and one more end the game.
#[must_use]
pub const fn sees_stores<R: Rules>() -> bool {
    !R::LEAD_ADDS
}

impl<R: Rules> Features<R> {
    const LANDING_CLASS: LandingClass = landing_class::<R>();
    const TABLE: ([[Entry; ROOM]; PITS], usize) = table(R::COURSE, Self::LANDING_CLASS);
    /// The first row of the features of the whole board.
    const WHOLE: usize = Self::TABLE.1;
    /// Rows of a feature of the whole board: a store that has not won, or the seeds left.
    const WHOLE_ROWS: usize = if sees_stores::<R>() { R::MAJORITY as usize } else { R::SEEDS as usize + 1 };
    /// Rows of all features together.
    pub const ROWS: usize = Self::WHOLE + 2 * Self::WHOLE_ROWS;

    /// The row of each feature of a board.
    #[must_use]
    #[inline]
    pub fn rows(board: Board) -> [u16; INPUTS] {
        let Board { mover, other } = board;
        let pits = u128::from(mover.bits() << 16 >> 16) | u128::from(other.bits() << 16) << 32;
        let cells = pits.to_le_bytes();
        let mut rows = [0; INPUTS];
        for pit in 0..PITS {
            let entry = Self::TABLE.0[pit][(cells[pit] as usize).min(ROOM - 1)];
            rows[pit] = entry.first + Self::class(&cells, entry);
        }
        let (first, second) = if sees_stores::<R>() {
            (mover.store() as usize, other.store() as usize)
        } else {
            (board.seeds() as usize, usize::from(board.has(Flag::SecondMove)))
        };
        let last = Self::WHOLE_ROWS - 1;
        rows[PITS] = (Self::WHOLE + first.min(last)) as u16;
        rows[PITS + 1] = (Self::WHOLE + Self::WHOLE_ROWS + second.min(last)) as u16;
        rows
    }

    #[inline]
    fn class(cells: &[u8; 16], entry: Entry) -> u16 {
        let landing = cells[entry.landing as usize % 16];
        match Self::LANDING_CLASS {
            LandingClass::None => 0,
            LandingClass::Run => landing.min(3) as u16,
            LandingClass::OwnOpposite | LandingClass::AnyOpposite => {
                let opposite = cells[entry.opposite as usize % 16];
                if landing == 0 { heap(opposite) } else { 0 }
            }
            LandingClass::Relay => {
                let opposite = cells[entry.opposite as usize % 16];
                if landing == 0 { heap(opposite) } else { 3 + (landing as u16).min(4) }
            }
        }
    }
}

/// How much lies in a pit: nothing, one or two, three to five, or more. The bounds are chosen, not measured.
#[inline]
fn heap(seeds: u8) -> u16 {
    u16::from(seeds > 0) + u16::from(seeds > 2) + u16::from(seeds > 5)
}

/// Gives each pit, number of seeds and class its row; says how many rows there are.
const fn table(course: Course, class: LandingClass) -> ([[Entry; ROOM]; PITS], usize) {
    let mut table = [[Entry { first: 0, landing: NOWHERE, opposite: NOWHERE }; ROOM]; PITS];
    let mut rows = 0;
    let mut pit = 0;
    while pit < PITS {
        let mut seeds = 0;
        while seeds < ROOM {
            if seeds > MOST_SEEDS {
                table[pit][seeds] = table[pit][MOST_SEEDS];
            } else {
                let (entry, classes) = entry(course, class, pit, seeds);
                table[pit][seeds] = Entry { first: rows as u16, ..entry };
                rows += classes;
            }
            seeds += 1;
        }
        pit += 1;
    }
    (table, rows)
}

/// Where a sowing ends, and how many classes that has.
const fn entry(course: Course, class: LandingClass, pit: usize, seeds: usize) -> (Entry, usize) {
    let nowhere = Entry { first: 0, landing: NOWHERE, opposite: NOWHERE };
    let landing = match course.landing(Pit::new(pit % ROW), seeds as u8) {
        Some(landing) if seeds > 0 => landing,
        _ => return (nowhere, 1),
    };
    let other_row = landing >= ROW;
    // A row's own pits come first in the cells only if it is the mover's.
    let cell = (landing + pit / ROW * ROW) % PITS;
    let here = Entry { first: 0, landing: cell as u8, opposite: (PITS - 1 - cell) as u8 };
    match class {
        LandingClass::Run if other_row => (here, 4),
        LandingClass::OwnOpposite if !other_row => (here, 4),
        LandingClass::AnyOpposite => (here, 4),
        LandingClass::Relay if other_row => (Entry { opposite: NOWHERE, ..here }, 8),
        LandingClass::Relay => (here, 8),
        _ => (nowhere, 1),
    }
}
