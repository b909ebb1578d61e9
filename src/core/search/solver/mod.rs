//! The solver: the exact value of the root, by searches without a horizon, in games that cannot cycle.
//!
//! Where nothing can come back, every line ends, so a search without a limit of depth ends as well, and it needs no
//! estimates: only whether the final difference can be so large. That is asked with empty windows, from the value that
//! iterative deepening believes in, up or down until both sides meet (MTD(f): A. Plaat and others, "Best-first
//! fixed-depth minimax algorithms", 1996). What has been proven of the boards below stays in the table (`bounds.rs`),
//! so an attempt that runs out of its share of nodes is not lost: the next one goes on from there.
//!
//! | file | what |
//! |---|---|
//! | `root.rs` | the root: MTD(f), the line to show |
//! | `node.rs` | a node, enhanced transposition cutoffs |
//! | `ordering.rs` | its move ordering |
//! | `bounds.rs` | proven bounds in the table |
//! | `solution.rs` | what the first plies of a game are worth, compiled in |
//! | `state.rs` | the solver's state, when it stops, when it builds endgames |

#[doc(hidden)]
pub mod bounds;
mod node;
#[doc(hidden)]
pub mod ordering;
mod root;
mod solution;
mod state;

pub use root::{table_share, takes, try_to_solve};
pub use solution::{positions_of_solution, prepare};
