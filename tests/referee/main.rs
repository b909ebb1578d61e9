//! The tests of the referee as a library (schedules, statistics, journals).

#![expect(clippy::unwrap_used, reason = "a test that cannot go on may say so by a panic")]

mod addresses;
mod bounds;
mod clocks;
mod distributions;
mod endings;
mod engine_names;
mod engine_records;
mod game_files;
mod hill;
mod ledger;
mod match_readers;
mod openings;
mod pairs;
mod plans;
#[cfg(target_os = "linux")]
mod processes;
#[cfg(feature = "queue")]
mod queue_readers;
mod ratings;
mod report;
mod results;
#[cfg(target_os = "linux")]
mod sandboxes;
mod schedules;
mod statistics;
mod tuning;
mod verdicts;
mod watched_match;
mod words;
mod workers;
