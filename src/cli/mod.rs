//! The command line of `kroo`.
//!
//! | file | content |
//! |---|---|
//! | `arguments.rs` | what the arguments ask for: to converse, one command of the protocol, or a subcommand |
//! | `placing.rs` | flags before or after a command |
//! | `commands/` | the subcommands, a file or folder each: their flags, and their work |
//! | `usage.rs` | the version and the form of usage errors of all executables |

pub mod arguments;
pub mod commands;
mod placing;
pub mod usage;
