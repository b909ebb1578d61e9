//! The options of a match and of a tuning run, and the words that describe engines, in two stages: clap fills the structures of
//! `match_arguments.rs`, then each word gets its meaning. Input files are read here: nothing is started before everything is
//! understood.
//!
//! Begin with `match_options.rs`. A new option is a field in `match_arguments.rs`; a new word of an engine is a row of `engine.rs`.

mod adjudication;
mod contestants;
mod engine;
#[doc(hidden)]
pub mod key_values;
mod match_arguments;
mod match_options;
mod openings;
mod stats;
mod tune;

pub use adjudication::sprt;
pub use engine::EngineWords;
pub use match_arguments::{CommonArguments, Engines, FileArguments, MatchArguments, OpeningArguments};
pub use match_options::MatchOptions;
pub use openings::FAIR;
pub use stats::{ResultSource, StatsOptions};
pub use tune::TuneArguments;
