//! The results of a match: [`Tally`] counts games as they come, [`Summary`] is made of it once, at the end, and everything that
//! shows results shows that. [`Score`] is the part that is shown while games are played.
//!
//! Uses: `game`, `plan`, `record`, `statistics`. Begin with `tally.rs`: [`Tally::end`] says when no more games of a match
//! count, as when its SPRT is decided.

mod faults;
mod pairs;
mod score;
mod summary;
mod tally;
mod workers;

pub use faults::FaultCounts;
pub use pairs::{GameOfPair, PairCounts};
pub use score::Score;
pub use summary::{Crosstable, Fault, HeadToHeadResult, Standing, StrengthJson, Summary};
pub use tally::{Exhaustion, HeadToHead, MatchEnd, Tally, Totals};
pub use workers::{WorkerLine, WorkerTable};
