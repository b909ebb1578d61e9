//! The games: boards, sides, rule sets, notation, keys, move counts. It uses nothing else in the crate except the clipping of
//! text.
//!
//! A **board** ([`Board`]) is two words, one a row: a byte a pit, then the store. It is seen by the side to move, so rules are
//! written once for both sides, and turning the board swaps the words. Sowing adds a word to each row, from a table by pit and
//! seeds; captures are masks of bytes. A **rule set** ([`Rules`]) is a type that defines legal moves, their effects, and the
//! end of the game; each has a file in `rule_sets/` and a line in the table of `variant.rs`, the only list of rule sets.
//!
//! Performance-critical code is generic over [`Rules`] and compiled once for each. Users handle a [`Position`], a board with
//! its rule set ([`Variant`]) and its side to move, and a [`Game`], which also has the earlier moves. [`under!`](crate::under)
//! dispatches from the variant to the type.

mod about;
mod board;
mod drawing;
mod effects;
mod fair_starts;
mod history;
mod perft;
mod pit;
mod position;
mod relay;
#[doc(hidden)]
pub mod rng;
mod rule_options;
mod rule_sets;
mod rules;
mod setup;
mod side;
mod sow;
mod variant;
mod zobrist;

pub use about::{About, Handicap, Ladder};
pub use board::{Board, Flag, Pits, PitsIter, Row};
pub use drawing::draw;
pub use effects::{Cell, EndReason, MoveEffects};
pub use fair_starts::{fair_starts, games_with_fair_starts};
pub use history::{Game, MOVE_LIMIT, came_back};
pub use perft::{perft, perft_unless};
pub use pit::{Move, Pit, ROW};
pub use position::{MoveError, Position};
pub use rng::{Rng, shuffle, split_mix};
pub use rule_options::{OptionalRules, RuleOptions};
pub use rule_sets::*;
pub use rules::{Capture, Cycle, Ending, Rules, Step, Verdict};
pub use setup::{Field, Fields, SetupError};
pub use side::Side;
pub use sow::{Course, Sowing};
pub use variant::{RuleSet, Variant};
pub use zobrist::{Keys, Zobrist};
