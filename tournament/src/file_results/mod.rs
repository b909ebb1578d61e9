//! What results say about strength, without playing: `referee stats`.
//!
//! Uses: `arguments`, `failure`, `game`, `output`, `results`, `statistics`. Begin with `count.rs`.

mod count;
mod options;
mod show;

pub use count::{Counts, count};
pub use options::{ResultSource, StatsOptions};
pub use show::{json, text};
