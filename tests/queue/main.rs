//! Tests of matches on many machines: a real broker, real coordinators and workers, and what can happen to each of them.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on may say so by a panic")]

mod attacks;
mod audit;
mod author;
#[path = "../referee/browser.rs"]
#[allow(dead_code, reason = "the tests of the referee use the rest")]
mod browser;
mod drill;
mod equality;
mod faults;
mod fetch;
mod guarded;
#[path = "../referee/harness.rs"]
#[allow(dead_code, reason = "the tests of the referee use the rest")]
mod harness;
mod hostile;
mod launchers;
mod liars;
mod metrics;
mod network;
mod provenance;
#[path = "../referee/spectator.rs"]
#[allow(dead_code, reason = "the tests of the referee use the rest")]
mod spectator;
mod stage;
mod tls;
#[path = "../tools.rs"]
#[allow(dead_code, reason = "the test crates share it")]
mod tools;
mod tuning;
mod watch;
#[path = "../referee/workshop.rs"]
#[allow(dead_code, reason = "the tests of the referee use the rest")]
mod workshop;
