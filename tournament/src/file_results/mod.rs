//! Estimates of strength from game files: `referee stats`.
//!
//! Uses: `arguments`, `failure`, `game`, `output`, `record`, `results`, `statistics`. Begin with `count.rs`.

mod count;
mod options;
mod show;

pub use count::{Counts, count};
pub use options::{ResultSource, StatsOptions};
pub use show::{json, text};
