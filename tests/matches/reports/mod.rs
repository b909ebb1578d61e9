//! The report, the live page, the terminal and `referee stats`.

mod ranks;
mod stats;
mod terminal_output;
mod watch;
