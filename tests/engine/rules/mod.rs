//! The rules of the games.

mod drawing;
mod effects;
mod examples;
mod fair_starts;
mod move_limit;
mod properties;
mod rng;
mod rule_set;
mod seeds;
mod setup;
mod vectors;
