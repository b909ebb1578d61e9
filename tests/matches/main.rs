//! The tests of matches: the executable `referee`, with small engines that do what engines should not.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on may say so by a panic")]

mod adapters;
mod affinity;
mod arguments;
mod broken;
mod check;
mod clocks;
mod confinement;
mod endings;
mod examples;
mod faults;
mod files;
mod floods;
mod forged;
mod identities;
mod idle_work;
mod journal;
mod large;
mod last_words;
mod leftovers;
mod live;
mod machine;
mod match_play;
mod ogn;
mod openings;
mod page;
mod pondering;
mod power;
mod real_engine;
mod recipes;
mod repetition;
mod replaced;
mod said;
mod sandbox;
mod shards;
mod signals;
mod speed;
mod sprt;
mod stats;
mod tuning;
mod two_referees;
mod watch;
