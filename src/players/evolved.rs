//! The evolved player of Davis and Kendall (2002): six weights and a minimax of seven plies.
//!
//! Its f adds up what the opponent's pits and its own are in danger of, and both stores ([`Terms`]). A game that is over
//! is worth plain f too, with the seeds that the rules hand out at the end in the stores and the pits as they lie there:
//! this player knows seeds and no winning, which is why the paper's preferred thirteen seeds to a win.
//!
//! The weights stand in a text file ([`Weights`]) that the experiment writes, `evolve`; [`Minimax`] chooses the moves.

mod minimax;
mod terms;
mod weights;

pub use minimax::{Choice, Iteration, Minimax, Stop, choices};
pub use terms::{NAMES, Terms, Threats, Weighed};
pub use weights::{Fault, FaultKind, LARGEST, Weights, WeightsError};

/// Plies that the paper's player looks ahead.
pub const DEPTH: u8 = 7;
