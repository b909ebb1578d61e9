//! The solver: the exact value of the root, by searches without a horizon, in games that cannot cycle.
//!
//! Without cycles every line ends, so a search without a depth limit ends too and needs no estimates: only whether a side
//! reaches a final difference. Null windows ask that, from the value of iterative deepening up or down until both bounds meet
//! (MTD(f)). Proven bounds of the boards below stay in
//! the table (`bounds.rs`), so an attempt that exceeds its share of nodes is not lost: the next one continues from there.
//!
//! | file | content |
//! |---|---|
//! | `aim.rs` | MTD(f): which null window comes next |
//! | `root.rs` | the root: its moves in a null window, the line to show |
//! | `node.rs` | a node, enhanced transposition cutoffs |
//! | `ordering.rs` | its move ordering |
//! | `bounds.rs`; `kept.rs` | proven bounds in the table; those to keep in a file |
//! | `solution.rs`; `best_play.rs` | what is known of a game's first plies, compiled in; the best play of both sides |
//! | `together.rs` | a proof that several threads share |
//! | `state.rs` | the solver's state, its part in a shared proof, when it stops and builds endgames |

mod aim;
mod best_play;
#[doc(hidden)]
pub mod bounds;
mod kept;
mod node;
#[doc(hidden)]
pub mod ordering;
mod root;
mod solution;
mod state;
mod together;

pub use aim::Aim;
pub use best_play::{BestPlay, Choice, best_play};
pub use kept::{KeptProof, add_proofs, kept_proofs};
pub use root::{Proven, add_known, prove, table_share, takes, try_to_solve};
pub use solution::{positions_of_solution, prepare};
pub use together::help_to_prove;
