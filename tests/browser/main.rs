//! The tests of the pages in a real browser: that of `kroo web`, by the scripts in this folder, and those of the referee.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on may say so by a panic")]

mod large_report;
mod live_page;
mod play_page;
mod report_page;
mod tuning_page;
