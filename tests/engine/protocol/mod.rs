//! The line protocol, and a session in this process.

mod clocks;
mod grammar;
mod slices;
