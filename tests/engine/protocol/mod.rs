//! The line protocol, and a session in this process.

mod blocked_work;
mod drivers;
mod go_clocks;
mod grammar;
mod info;
mod plan;
mod reader;
mod set_option;
mod slices;
