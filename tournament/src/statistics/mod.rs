//! Estimates of strength: Elo, normalised Elo and the likelihood of superiority with their errors, ratings, and the
//! SPRT, which tells after as few games as possible which of two hypotheses holds.
//!
//! Results are counted in categories with evenly spaced scores from 0 to 1. Single games have three (loss, draw, win): the
//! trinomial model. Pairs of games over the same opening have five: the pentanomial model, which chess match runners have used
//! since M. Van den Bergh proposed it for Fishtest. Pairs are what to trust. The two games of a pair are not independent, since
//! a lopsided opening helps each engine once, and the trinomial model takes that for noise.
//!
//! Everything here is defined: where a formula divides by zero, there is a bound or an interval.
//!
//! Uses: nothing else here. Begin with `sprt.rs` and `estimate.rs`.

#[doc(hidden)]
pub mod distributions;
mod estimate;
mod likelihood;
mod rating;
mod sprt;

pub use estimate::{Elo, Estimate, hundredths};
pub use rating::{HeadToHeadScore, Rating, Ratings};
pub use sprt::{EloModel, MAX_ELO, Sprt, SprtDecision, SprtStatus};
