//! The network's inputs: for each pit its seeds, and the pit where their sowing ends.
//!
//! They are one-hot and sparse: every board sets [`INPUTS`] features, and each selects one row of the network's first layer. A
//! pit's row depends on the pit, its seeds, and a landing class: what the last seed of a sowing from there would meet. This
//! decides captures, and a small network without it would have to learn twelve threats by multiplying pits in its one hidden
//! layer. The class costs a look-up and no extra addition.

use crate::game::{Board, Capture, Course, Flag, Pit, ROW, Row, Rules};
use std::array;
use std::marker::PhantomData;

/// Features of a board: one for each of twelve pits, and two of the whole board.
pub const INPUTS: usize = PITS + 2;
/// The two rows' pits, the mover's first.
const PITS: usize = 2 * ROW;
/// Pits with more seeds share a row: two rounds and one seed; more are rare. Chosen, not measured.
const MOST_SEEDS: usize = 23;
/// Counts in a pit's table: a power of two, which lets a minimum replace the bounds check.
const ROOM: usize = 32;
/// The pits, and cells that are always empty.
const CELLS: usize = 16;
/// One of those, for sowings that end at nothing of note.
const NOWHERE: u8 = 15;
/// Three in the byte of each pit.
const THREE: u64 = 0x0303_0303_0303;

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
        let (own, others) = (Self::classes(mover, other), Self::classes(other, mover));
        let classes: [[u8; CELLS]; 2] = array::from_fn(|row| cells(own[row], others[row]));
        let pits = cells(mover.bits() << 16 >> 16, other.bits() << 16 >> 16);
        let mut rows = [0; INPUTS];
        for pit in 0..PITS {
            let entry = Self::TABLE.0[pit][usize::from(pits[pit]).min(ROOM - 1)];
            rows[pit] =
                entry.first + u16::from(classes.as_flattened()[usize::from(entry.landing) % (2 * CELLS)]);
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

    /// The classes of sowings that end in each pit of a row, a byte each: of those from the same row, and of those from the other.
    /// Without branches, which would be taken as often as not.
    #[inline]
    fn classes(row: Row, opposite: Row) -> [u64; 2] {
        let at_least = |row: Row, seeds| row.holding_at_least(seeds).bits() >> 7;
        let up_to = |most| (1..=most).map(|seeds| at_least(row, seeds)).sum::<u64>();
        let sown = at_least(row, 1) * 0xff;
        // None, one or two, three to five, more: bounds that were chosen, not measured.
        let heaps: u64 = [1, 3, 6].iter().map(|&seeds| at_least(opposite, seeds)).sum();
        let capture = heaps.swap_bytes() >> 16 & !sown;
        match Self::LANDING_CLASS {
            LandingClass::None => [0; 2],
            LandingClass::Run => [up_to(3); 2],
            LandingClass::OwnOpposite | LandingClass::AnyOpposite => [capture; 2],
            LandingClass::Relay => {
                let goes_on = (THREE + up_to(4)) & sown;
                [capture | goes_on, goes_on]
            }
        }
    }
}

/// The cells of both rows.
#[inline]
fn cells(own: u64, others: u64) -> [u8; CELLS] {
    (u128::from(own) | u128::from(others) << 48).to_le_bytes()
}

/// Assigns rows to pits, seeds and classes; returns the table and the number of rows.
const fn table(course: Course, class: LandingClass) -> ([[Entry; ROOM]; PITS], usize) {
    let mut table = [[Entry { first: 0, landing: NOWHERE }; ROOM]; PITS];
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
    let nowhere = Entry { first: 0, landing: NOWHERE };
    let landing = match course.landing(Pit::new(pit % ROW), seeds as u8) {
        Some(landing) if seeds > 0 => landing,
        _ => return (nowhere, 1),
    };
    let other_row = landing >= ROW;
    // Pits are indexed from the mover's, so the other's row is offset.
    let cell = (landing + pit / ROW * ROW) % PITS;
    let here = Entry { first: 0, landing: cell as u8 };
    match class {
        LandingClass::Run if other_row => (here, 4),
        LandingClass::OwnOpposite if !other_row => (here, 4),
        LandingClass::AnyOpposite => (here, 4),
        LandingClass::Relay if other_row => (Entry { landing: (cell + CELLS) as u8, ..here }, 8),
        LandingClass::Relay => (here, 8),
        _ => (nowhere, 1),
    }
}
