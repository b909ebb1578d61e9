//! Tests of the referee: the real executable, with small engines that do what engines should not.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on may say so by a panic")]

mod arguments;
mod clocks;
mod conduct;
mod evolution;
mod faults;
mod files;
mod harness;
mod leftovers;
mod machine;
mod ogn;
mod openings;
mod real_engine;
mod signals;
mod sprt;
mod statistics;
mod tidiness;
