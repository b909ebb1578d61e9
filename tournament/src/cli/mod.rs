//! From the command line to an [`Action`]. Each command has a structure with its options, which clap fills.
//!
//! Uses: `arguments`, `audit`, `check`, `engine`, `failure`, `merge`, `queue`.
//! Begin with `command_line.rs`, which lists the commands.

mod command_line;
#[doc(hidden)]
pub mod help;
mod parse;
mod recorded;
mod words;

pub use command_line::{Action, command};
pub use parse::parse;
pub use recorded::Resumption;
