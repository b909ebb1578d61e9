//! Commands at a shell.

mod analyse;
mod opening_sets;
mod plot;
mod proofs;
mod shell;
mod solve;
mod weight_tuning;
