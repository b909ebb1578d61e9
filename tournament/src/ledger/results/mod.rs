//! The results of games: [`Results`] counts them as they come, [`Summary`] is made of it once, at the end, and everything that shows
//! results shows that. [`Score`] is the part that is shown while games are played. A [`CountedGame`] comes from a match, a
//! journal, a worker or, by [`GameFiles`], from a game file; the [`Contest`] that it belongs to is a plan or those files.
//!
//! Begin with `counts.rs`: [`Results::end`] decides when no more games of a match count, for instance when its SPRT is decided.

mod contest;
mod counted;
mod counts;
mod couple;
mod game_files;
mod numbers;
mod score;
mod summary;
mod totals;
mod workers;

pub use contest::Contest;
pub use counted::CountedGame;
pub use counts::{MatchEnd, Results};
pub use couple::Couple;
pub use game_files::{COUNTED, GameFiles};
pub use numbers::ResultNumbers;
pub use score::Score;
pub use summary::{Fault, HeadToHeadResult, Standing, Summary, strength};
pub use totals::Totals;
pub use workers::{WorkerLine, WorkerTable};
