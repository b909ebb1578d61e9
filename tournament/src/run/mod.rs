//! Playing everything a plan holds: workers that play, and one collector that counts.
//!
//! Each worker takes the next scheduled from the dealer, plays it and hands over a
//! [`FinishedGame`](crate::plan::FinishedGame). The collector writes it into the journal, if there is one, and only when it
//! is on the disk does the game count. It gives each record to an [`Observer`] twice: at once, and when all games before
//! it are there. Neither counts nor files depend on the number of workers, nor on how often play was interrupted.
//!
//! A warden looks on from aside and keeps each worker and its engines on one processor while they answer at once.

mod affinity;
mod collector;
mod engine_pool;
mod live_boards;
mod processors;
mod scheduler;
mod worker;

pub use collector::{Observer, OpenJournal, run};
pub use live_boards::{BoardSnapshot, LiveBoards};
