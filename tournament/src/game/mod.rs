//! One game: its limits, its clocks, its play, and how it came to an end.

mod clock;
mod judge;
mod limits;
mod play;
mod record;
mod seat;
mod termination;

pub use clock::Clock;
pub use judge::{Adjudicator, AtLimit, Conduct, Judge, Level, Moment, Resign, Ruling};
pub use limits::{Limits, TimeControl, TimeControlError, seconds_of};
pub use play::{Watcher, play};
pub use record::{Played, Told};
pub use seat::{Fault, Seat};
pub use termination::{Outcome, Termination};
