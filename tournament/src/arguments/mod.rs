//! From the command line to an [`Action`], in two stages: clap splits it into options and their words (`match_syntax.rs`),
//! then each word gets its meaning. Input files are read here, so nothing is started before everything is understood.

mod accuracy;
mod adjudication;
mod audit;
mod check;
mod contestants;
mod engine;
mod error;
#[doc(hidden)]
pub mod help;
mod history;
#[doc(hidden)]
pub mod key_values;
mod match_options;
mod match_syntax;
mod merge;
mod opening_set;
mod openings;
mod parse;
mod recorded;
mod sprt;
mod stats;
mod status;
mod syntax;
mod test;
mod tune;
mod worker;

pub use contestants::ContestantError;
pub use error::{AccuracyArgumentError, ArgumentError, StatsError, TuneError};
pub use key_values::WordError;
pub use match_options::MatchOptions;
pub use match_syntax::command;
pub use parse::{Action, parse};
pub use recorded::Resumption;
