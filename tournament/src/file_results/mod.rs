//! What results say about strength, without playing: `referee stats`.

mod count;
mod options;
mod show;

pub use count::{Counts, count};
pub use options::{ResultSource, StatsOptions};
pub use show::{json, text};
