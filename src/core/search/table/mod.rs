//! The transposition table.
//!
//! | file | content |
//! |---|---|
//! | `transposition.rs` | the memory: slots and replacement |
//! | `entry.rs` | an entry of a searched position, and its bits |
//! | `key.rs` | the key of a board, and of the moves left near the limit |
//! | `pages.rs` | large pages for the memory |
//!
//! The solver keeps its proven bounds in the same memory (`solver/bounds.rs`).

#[doc(hidden)]
pub mod entry;
mod key;
mod pages;
#[doc(hidden)]
pub mod transposition;

pub use entry::{Bound, Entry, PROVEN_BOUNDS_TAG, proven_depth};
pub use key::table_key;
pub use transposition::{OutOfMemory, SLOT_WORDS, TranspositionTable};
