//! The rules of the games.

mod drawing;
mod effects;
mod fair_starts;
mod move_limit;
mod other_starts;
mod properties;
mod rng;
mod rule_set;
mod setup;
mod vectors;
mod worked_examples;
