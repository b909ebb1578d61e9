//! One game: its limits, its clocks, its play, and how it came to an end.

mod adjudication;
mod clock;
mod engine_side;
mod limits;
mod play;
mod played_game;
mod termination;

pub use adjudication::{
    Adjudication, AdjudicationRules, Adjudicator, Adjudicators, DrawRule, GameMoment, MoveLimitResult,
    ResignRule,
};
pub use clock::Clock;
pub use engine_side::{EngineFault, EngineSide};
pub use limits::{Limits, TimeControl, TimeControlError, seconds_of};
pub use play::{MoveObserver, play};
pub use played_game::{PlayedGame, SearchInfo};
pub use termination::{Outcome, Termination};
