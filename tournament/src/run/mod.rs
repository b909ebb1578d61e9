//! Playing everything a plan holds: workers that play, and one collector that counts.
//!
//! Each worker takes the next fixture from the dealer, plays it and hands over a
//! [`GameRecord`](crate::plan::GameRecord). The collector writes it into the journal, if there is one, and only when it
//! is on the disk does the game count. It gives each record to an [`Observer`] twice: at once, and when all games before
//! it are there. Neither counts nor files depend on the number of workers, nor on how often play was interrupted.
//!
//! A warden looks on from aside and keeps each worker and its engines on one processor while they answer at once.

mod affinity;
mod bench;
mod boards;
mod collect;
mod deal;
mod processors;
mod worker;

pub use boards::{Boards, Seen};
pub use collect::{Kept, Observer, run};
