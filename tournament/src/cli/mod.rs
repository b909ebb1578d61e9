//! The command line: from its words to an [`Action`], and what each command does.
//!
//! | file | what |
//! |---|---|
//! | `command_line.rs`, `parse.rs` | the commands and their options, which clap fills; their help |
//! | `words.rs`, `arguments/` | the words of a match: clap fills structures, then each word gets its meaning |
//! | `recorded.rs` | the options that a journal records |
//! | `commands/` | what each command does |
//! | `exit.rs`, `signals.rs` | exit statuses; signals to the referee |
//!
//! Uses: `check`, `engine`, `failure`, `game`, `ledger`, `output`, `plan`, `queue`, `run`, `schedule`,
//! `statistics`, `tuning`. Begin with `command_line.rs`, which lists the commands.

mod arguments;
mod command_line;
mod commands;
pub mod exit;
mod parse;
mod recorded;
mod signals;
mod words;

pub use arguments::*;
pub use command_line::{Action, COLUMNS, command};
pub use commands::run;
pub use parse::parse;
