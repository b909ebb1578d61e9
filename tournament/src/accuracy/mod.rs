//! How often moves are right: `referee accuracy`.
//!
//! The endgame files have the value of every position with few seeds. So positions with as many seeds as they cover are
//! taken from games, each engine is asked for a move in each of them, and the files say what the move gives away. Unlike a
//! match, this says how far an engine is from perfect play, and not only from another engine.
//!
//! Uses: `arguments`, `engine`, `failure`, `game`, `plan`, `statistics`. Begin with `measure.rs`: `sample.rs` chooses the
//! positions, `truth.rs` asks the files, `show.rs` prints the table.

mod measure;
mod options;
mod sample;
#[doc(hidden)]
pub mod show;
#[doc(hidden)]
pub mod truth;

pub use measure::{Accuracy, EngineAccuracy, measure};
pub use options::AccuracyOptions;
pub use sample::sample;
pub use show::text;
pub use truth::Truth;
