//! The tests of the referee as a library (schedules, statistics, journals), and of the look of its live page.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on may say so by a panic")]

mod addresses;
mod bounds;
mod clocks;
mod distributions;
mod endings;
mod engines;
mod game_files;
mod hill;
mod identities;
mod live;
mod live_page;
mod openings;
mod pairs;
mod plans;
#[cfg(target_os = "linux")]
mod processes;
#[cfg(feature = "queue")]
mod queue_readers;
mod ratings;
mod readers;
mod report;
mod results;
mod schedules;
mod statistics;
mod tuning;
mod verdicts;
mod warnings;
mod words;
mod workers;
