//! The command line of `kroo`.

pub mod arguments;
pub mod commands;
mod placing;
pub mod usage;
