//! Exact values of positions: the solver behind `kroo solve` and the command `solve` of the protocol.
//!
//! A [`Solving`] is a position with a question. It works until the question is answered, a limit is reached, or its owner stops
//! it or takes the thread away; then it can go on later. What it has proven so far is its [`Answer`].
//!
//! | file | contents |
//! |---|---|
//! | `proofs.rs` | the file of proofs from which a later process continues |
//! | `solving.rs` | the questions that are asked of the search, one after the other |
//! | `watch.rs` | what a search is told while it works |

mod proofs;
mod solving;
mod watch;

pub use crate::protocol::{Question, SolveCommand};
pub use crate::value::Bounds;
pub use proofs::ProofFile;
pub use solving::{Answer, Solving, reach};
pub use watch::Pause;
