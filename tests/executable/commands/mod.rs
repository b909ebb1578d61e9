//! Commands at a shell.

mod analyse;
mod openings;
mod plot;
mod shell;
mod solve;
mod tuning;
