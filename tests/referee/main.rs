//! The tests of the referee as a library: schedules, statistics, journals.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on may say so by a panic")]

mod ratings;
mod readers;
mod schedules;
mod statistics;
