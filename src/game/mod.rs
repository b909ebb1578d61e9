//! The games: boards, sides, rule sets, notation, keys, move counts. Nothing here knows of anything else in the crate.
//!
//! A **board** ([`Board`]) is two words, one a row: a byte a pit, then the store. It is seen by the side to move, so a
//! rule is written once and not once a side, and turning the board swaps the words. Sowing adds a word to each row,
//! from a table by pit and seeds; captures are masks of bytes. A **rule set** ([`Rules`]) is a type that says which
//! moves there are, what they do, and when the game is over; each has a file:
//!
//! | file | rule set |
//! |---|---|
//! | `awari.rs` | Davis and Kendall's game; also the sowing and capturing of `oware` |
//! | `awari1978.rs` | the game of BASIC Computer Games |
//! | `ayoayo.rs` | relay sowing |
//! | `oware.rs` | Oware Abapa |
//! | `kalah.rs` | Kalah(6,4) |
//!
//! What is hot is generic over [`Rules`] and compiled once for each. What a user touches is a [`Position`], a board
//! with the name of its rules ([`Variant`]) and its side to move, and a [`Game`], which remembers how it came about.
//! [`Variant::visit`] leads from the name to the type; the table of names in `variant.rs` is the only list of rule sets.

mod account;
mod awari;
mod awari1978;
mod ayoayo;
mod board;
mod drawing;
mod kalah;
mod oware;
mod perft;
mod pit;
mod position;
mod prey;
mod record;
mod rules;
mod setup;
mod side;
mod sow;
mod variant;
mod zobrist;

pub use account::{Account, Cell, End};
pub use awari::Awari;
pub use awari1978::Awari1978;
pub use ayoayo::{Ayoayo, AyoayoWithin, laps_of};
pub use board::{Board, Flag, Pits, PitsIter, Row};
pub use drawing::draw;
pub use kalah::Kalah;
pub use oware::Oware;
pub use perft::{perft, perft_unless};
pub use pit::{Move, Pit, ROW};
pub use position::{MoveError, Position};
pub use prey::Prey;
pub use record::{Game, came_back};
pub use rules::{Cycle, Ending, Rules, Sown, Step, Verdict};
pub use setup::{Field, Fields, SetupError};
pub use side::Side;
pub use sow::Course;
pub use variant::{UnknownVariant, Variant, Visitor, names};
pub use zobrist::{Keys, Zobrist, split_mix};
