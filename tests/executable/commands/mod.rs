//! Commands at a shell.

mod analyse;
mod opening_sets;
mod plot;
mod shell;
mod solve;
mod weight_tuning;
