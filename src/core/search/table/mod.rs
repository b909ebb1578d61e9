//! The transposition table.
//!
//! The solver keeps its proven bounds in the same memory (`solver/bounds.rs`).

#[doc(hidden)]
pub mod entry;
#[doc(hidden)]
pub mod transposition;

pub use entry::{Bound, Entry, PROVEN_BOUNDS_TAG, proven_depth, table_key};
pub use transposition::{OutOfMemory, SLOT_WORDS, TranspositionTable};
