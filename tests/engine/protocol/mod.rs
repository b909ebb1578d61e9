//! The line protocol, and a session in this process.

mod background;
mod clocks;
mod grammar;
mod info;
mod reader;
mod set_option;
mod slices;
