//! Tests of the referee: the real executable, with small engines that do what engines should not.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on may say so by a panic")]

mod accuracy;
mod affinity;
mod arguments;
mod author;
mod broken;
mod browser;
mod check;
mod clocks;
mod confinement;
mod endings;
mod faults;
mod files;
mod forged;
#[path = "../fuzz.rs"]
#[allow(dead_code, reason = "the other test crates share it")]
mod fuzz;
mod harness;
mod history;
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
mod opening_set;
mod openings;
mod page;
mod pondering;
mod power;
mod ratings;
mod readers;
mod real_engine;
mod repetition;
mod replaced;
mod said;
mod schedules;
mod shards;
mod signals;
#[path = "../source.rs"]
mod source;
mod spectator;
mod speed;
mod sprt;
mod statistics;
mod stats;
mod tidiness;
#[path = "../tools.rs"]
#[allow(dead_code, reason = "the test crates share it")]
mod tools;
mod tuning;
mod two_referees;
mod watch;
mod workshop;
