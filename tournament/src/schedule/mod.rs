//! The schedule: pairings of engines, their order and their openings.
//!
//! [`Pairings`] is an iterator of [`GamePair`]s: two engines that meet in a round, and an opening for two games with sides
//! swapped. If pairings depend on results (Swiss, knockout), they get results back, and tell when they must wait for them.
//! [`Schedule`] makes numbered games of the pairs. Nothing here depends on time, on chance, or on the order in which results
//! arrive: the same arguments and results give the same games on every machine, with any number of workers and interruptions.
//!
//! Uses: `failure`, `tuning`. Begin with `games.rs`. A kind of event is an [`Event`] (`event.rs`) and a `PairingSystem`
//! (`pairings.rs`).

mod event;
mod games;
mod knockout;
mod opening;
mod openings;
mod pairing;
mod pairings;
mod random;
mod shard;
mod swiss;

pub use event::Event;
pub use games::{Schedule, ScheduledGame};
pub use knockout::Champion;
pub use opening::{Opening, moves_of};
pub use openings::{LARGEST_FILE, Openings, letters};
pub use pairing::{GamePair, GamePairResult, Next, Pairing};
pub use pairings::Pairings;
pub use random::RandomOpenings;
pub use shard::Shard;
