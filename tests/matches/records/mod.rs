//! Journals and game files: nothing is lost, whatever ends the referee.

mod files;
mod forged;
pub(crate) mod journal;
pub(crate) mod ogn;
mod power;
mod shards;
mod signals;
mod two_referees;
