//! Journals and game files: nothing is lost, whatever ends the referee.

mod forged;
pub(crate) mod journal;
pub(crate) mod ogn_reader;
mod outputs;
mod power;
mod shards;
mod signals;
mod two_referees;
