//! Who plays whom, in which order, and from where.
//!
//! A [`Pairings`] is an iterator of [`Pairing`]s, two engines that meet in a round. Where who meets whom depends on who has
//! won (Swiss, knockout), results are handed back to it, and it says when it has to wait for them. Each pair is two games
//! over one opening with sides swapped; [`Schedule`] deals them out, numbered, with their openings. Nothing here depends
//! on time, on chance, or on the order in which results come, so the same arguments and results give the same games on
//! every machine, whatever the number of workers, and however often the event was interrupted.

mod event;
mod games;
mod knockout;
mod opening;
mod openings;
mod pairings;
mod random;
mod shard;
mod swiss;

pub use event::{Event, EventError};
pub use games::{NextGame, Schedule, ScheduledGame};
pub use opening::{Opening, OpeningError};
pub use openings::{Openings, OpeningsError};
pub use pairings::{GamePair, NextPair, Pairings};
pub use random::RandomOpenings;
pub use shard::{Shard, ShardError};

/// Two engines that meet in a round, by their places in the list of engines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pairing {
    /// The round, from 1.
    pub round: u64,
    /// Who is South in the first game.
    pub first: usize,
    /// Who is South in the second.
    pub second: usize,
}

/// What two games over one opening brought the pair's first engine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GamePairResult {
    /// Half points, 0 to 4.
    pub half_points: u8,
    /// Its seeds less the other's.
    pub margin: i32,
}
