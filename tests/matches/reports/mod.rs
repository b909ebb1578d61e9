//! The report, the live page, the terminal and `referee stats`.

mod large;
mod live;
pub(crate) mod page;
mod stats;
mod watch;
