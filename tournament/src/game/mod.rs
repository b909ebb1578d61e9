//! One game: its limits, its clocks, its moves, and how it ended.
//!
//! Uses: `engine`, `schedule`. Begin with `play.rs`. `engine_side.rs` sets the deadline of a move; the [`Adjudicator`] ends
//! games that the rules do not.

mod adjudication;
mod ending;
mod engine_side;
mod limits;
mod outcome;
mod play;
mod played;
mod searches;

pub use crate::engine::LastWords;
pub use adjudication::{
    Adjudication, AdjudicationRules, Adjudicator, DrawRule, MoveLimitResult, ResignRule, open_endgames,
};
pub use ending::check_ending;
pub use engine_side::{EngineFault, EngineSide, is_starved};
pub use limits::{Clock, Limits, TimeControl, seconds_of};
pub use outcome::{Outcome, Termination};
pub use play::play;
pub use played::{Overruns, PlayedGame};
pub use searches::{SearchInfo, Searches};
