//! The tests of matches: the executable `referee`, with small engines that do what engines should not.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on may say so by a panic")]

mod commands;
mod containment;
mod misbehaviour;
mod pages;
mod play;
mod records;
mod reports;
