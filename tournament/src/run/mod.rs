//! Playing everything a plan holds: workers that play, and one collector that counts.
//!
//! Each worker takes the next fixture from the schedule, plays it and hands over a [`GameRecord`](crate::plan::GameRecord). The collector gives
//! each record to an [`Observer`] twice: at once, and when all games before it are there. Neither counts nor files
//! depend on the number of workers.

mod bench;
mod collect;
mod worker;

pub use collect::{Observer, run};
