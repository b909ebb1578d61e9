//! The results of a match: [`Tally`] counts games as they come, [`Summary`] is made of it for everything that shows results.

mod summary;
mod tally;
mod workers;

pub use summary::{Crosstable, Fault, HeadToHeadResult, Standing, Strength, Summary};
pub use tally::{HeadToHead, MatchEnd, Tally, Totals};
pub use workers::{WorkerLine, WorkerTable};
