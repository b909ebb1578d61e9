//! Files that the engine reads and writes.

mod lessons;
mod ogn;
mod readers;
#[cfg(unix)]
mod records;
#[cfg(unix)]
mod replacing;
mod system;
mod training_set;
#[cfg(unix)]
mod user_data;
