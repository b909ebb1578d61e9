//! The network's inputs: for each pit its seeds, and the pit where their sowing ends.
//!
//! They are one-hot and sparse: every board sets [`INPUTS`] features, and each selects one row of the network's first layer. A
//! pit's row depends on the pit, its seeds, and a landing class: what the last seed of a sowing from there would meet. This
//! decides captures, and a small network without it would have to learn twelve threats by multiplying pits in its one hidden
//! layer. The class costs a look-up and no extra addition.

use crate::game::{Board, Capture, Course, Flag, Pit, ROW, Rules};
use std::marker::PhantomData;

/// Features of a board: one for each of twelve pits, and two of the whole board.
pub const INPUTS: usize = PITS + 2;
/// The two rows' pits, the mover's first.
const PITS: usize = 2 * ROW;
/// Pits with more seeds share a row: two rounds and one seed; more are rare. Chosen, not measured.
const MOST_SEEDS: usize = 23;
/// Counts in a pit's table: a power of two, which lets a minimum replace the bounds check.
const ROOM: usize = 32;
/// A cell outside the pits that is always empty, for sowings that end at nothing of note.
const NOWHERE: u8 = 15;

/// How the cell where a sowing ends is classified.
#[derive(Clone, Copy, PartialEq, Eq)]
enum LandingClass {
    /// Captures of twos and threes in the other's row: whether it holds none, one, two or more.
    Run,
    /// Captures from an empty own pit: how much is opposite.
    OwnOpposite,
    /// Captures from any empty pit.
    AnyOpposite,
    /// The sowing goes on unless the pit is empty.
    Relay,
    /// A single class.
    None,
}

/// The rows of a pit with a given number of seeds.
#[derive(Clone, Copy)]
struct Entry {
    /// The row of class 0; the other classes follow.
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

/// Whether the stores matter beyond their difference, for example because a majority ends the game.
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

/// The class of a pit's seeds: none, one or two, three to five, more. The bounds were chosen, not measured.
#[inline]
fn heap(seeds: u8) -> u16 {
    u16::from(seeds > 0) + u16::from(seeds > 2) + u16::from(seeds > 5)
}

/// Assigns rows to pits, seeds and classes; returns the table and the number of rows.
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

/// The landing cell of a sowing, and its number of classes.
const fn entry(course: Course, class: LandingClass, pit: usize, seeds: usize) -> (Entry, usize) {
    let nowhere = Entry { first: 0, landing: NOWHERE, opposite: NOWHERE };
    let landing = match course.landing(Pit::new(pit % ROW), seeds as u8) {
        Some(landing) if seeds > 0 => landing,
        _ => return (nowhere, 1),
    };
    let other_row = landing >= ROW;
    // Pits are indexed from the mover's, so the other's row is offset.
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
