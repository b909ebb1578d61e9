//! Files that the engine reads and writes.

mod ogn;
mod readers;
#[cfg(unix)]
mod replacing;
