//! Playing everything in a plan: workers that play games, and one collector that counts them.
//!
//! Each worker takes the next game from the scheduler, plays it, and hands over a [`FinishedGame`](crate::plan::FinishedGame).
//! The collector writes it to the journal, if there is one; only when it is on the disk does the game count. Each game goes to
//! a [`MatchObserver`] twice: at once, and when all games before it are there. Neither the counts nor the files depend on the
//! number of workers, nor on how often the match was interrupted.
//!
//! A monitor keeps each worker and its engines on one processor as long as the engines answer at once.

mod affinity;
mod collector;
mod engine_pool;
mod event;
mod identities;
mod live_boards;
mod processors;
mod scheduler;
mod trial;
mod worker;

pub use collector::{OpenJournal, run};
pub use event::MatchObserver;
pub use live_boards::{BoardSnapshot, LiveBoards};
