//! The line protocol, and a session in this process.

mod background;
mod clocks;
mod drivers;
mod grammar;
mod info;
mod plan;
mod reader;
mod set_option;
mod slices;
