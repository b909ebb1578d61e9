//! The games: boards, sides, rule sets, notation, keys, move counts. Nothing here knows of anything else in the crate but how text is clipped.
//!
//! A **board** ([`Board`]) is two words, one a row: a byte a pit, then the store. It is seen by the side to move, so a
//! rule is written once and not once a side, and turning the board swaps the words. Sowing adds a word to each row,
//! from a table by pit and seeds; captures are masks of bytes. A **rule set** ([`Rules`]) is a type that says which
//! moves there are, what they do, and when the game is over; each has a file in `rule_sets/` and a line in the table of
//! `variant.rs`, which is the only list of rule sets:
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
//! with the name of its rules ([`Variant`]) and its side to move, and a [`Game`], which remembers the moves that led to
//! it. [`Variant::visit`] leads from the name to the type.

mod about;
mod board;
mod drawing;
mod effects;
mod history;
mod perft;
mod pit;
mod position;
#[doc(hidden)]
pub mod rng;
mod rule_sets;
mod rules;
mod setup;
mod side;
mod sow;
mod variant;
mod zobrist;

pub use about::{About, Handicap};
pub use board::{Board, Flag, Pits, PitsIter, Row};
pub use drawing::draw;
pub use effects::{Cell, EndReason, MoveEffects};
pub use history::{Game, MOVE_LIMIT, came_back};
pub use perft::{perft, perft_unless};
pub use pit::{Move, Pit, ROW};
pub use position::{MoveError, Position};
pub use rng::{Rng, split_mix};
pub use rule_sets::*;
pub use rules::{Capture, Cycle, Ending, Rules, Step, Verdict};
pub use setup::{Field, Fields, SetupError};
pub use side::Side;
pub use sow::{Course, Sowing};
pub use variant::Variant;
pub use zobrist::{Keys, Zobrist};
