//! Tuning an engine's parameters by games against itself: SPSA, simultaneous perturbation stochastic approximation (J. C. Spall,
//! "Multivariate stochastic approximation using a simultaneous perturbation gradient approximation", IEEE Transactions on
//! Automatic Control 37, 1992), in the form of OpenBench and fishtest.
//!
//! In each iteration all parameters are moved at once, each by its own distance and in a random direction. The engine with
//! these values plays some pairs of games against itself with the opposite ones, and the result moves the parameters.
//!
//! Many games are played at once, so an iteration cannot wait for the previous one. It begins with the values of a fixed number
//! of iterations before (the lag), even if more have been finished. Values therefore depend on nothing but the plan and the
//! results: they are the same with any number of threads, workers and interruptions.
//!
//! Uses: `failure`. Begin with `run.rs`; `spsa.rs` has the mathematics.

mod parameter;
mod plan;
mod run;
mod spsa;

pub use parameter::{Parameter, ParameterKind};
pub use plan::{MAX_ITERATIONS, MAX_LAG, Settings, TuningPlan};
pub use run::{Applied, TuningRun};
pub use spsa::Spsa;
