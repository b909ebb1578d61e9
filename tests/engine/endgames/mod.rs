//! Endgames: built, probed, stored and converted.

pub mod brute;
mod conversion;
mod endgame_files;
pub mod fixpoint;
mod known;
