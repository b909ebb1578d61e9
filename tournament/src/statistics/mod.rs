//! What results say about strength: Elo, normalised Elo and the likelihood of superiority, each with its error, and a
//! test that tells after as few games as possible which of two hypotheses holds.
//!
//! Results are counted in categories with evenly spaced scores from 0 to 1. Single games have three categories (loss,
//! draw, win); pairs of games over the same opening have five, and are what to trust: the two games of a pair are not
//! independent, since a lopsided opening helps each engine once. Everything here is defined: where a formula divides by
//! zero, there is a bound or nothing.

mod estimate;
mod likelihood;
mod rating;
mod sprt;

pub use estimate::{Elo, Estimate, hundredths};
pub use rating::{HeadToHeadScore, Rating, Ratings};
pub use sprt::{EloModel, MOST_ELO, Sprt, SprtDecision, SprtError, SprtStatus, UnknownEloModel};

use std::f64::consts::LN_10;

/// Elo to a unit of `t` for a slight advantage, which makes normalised Elo comparable to Elo.
const NORMALISED: f64 = 800.0 / LN_10;
