//! Tests of matches on many machines: a real broker, real coordinators and workers, and what can happen to each of them.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on may say so by a panic")]

mod attacks;
mod audit;
mod damage;
mod drill;
mod equality;
mod faults;
mod fetch;
mod hostile_peers;
mod launchers;
mod network;
mod provenance;
mod rights;
mod shared_tuning;
mod stage;
mod tls;
mod watched_workers;
mod wrong_results;
