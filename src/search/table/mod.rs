//! What a search leaves for the searches after it: the hash table, and beside it what the endgames need.
//!
//! | file | what |
//! |---|---|
//! | `transposition.rs` | the memory of the hash table: where a position has its place, and what is replaced |
//! | `entry.rs` | an entry of a searched position, and its bits |
//! | `pages.rs` | large pages for the memory |
//!
//! The solver keeps its proven bounds in the same memory (`solver/bounds.rs`).

mod entry;
mod pages;
mod transposition;

use super::tablebase::budget::BuildBudget;
use super::tablebase::conversion::ConversionTable;
pub use entry::{Bound, Entry, PROVEN_BOUNDS_TAG, proven_depth};
use std::sync::{Mutex, MutexGuard, PoisonError};
pub use transposition::OutOfMemory;
pub use transposition::{SLOT_WORDS, TranspositionTable};

/// What searches share with those after them, on any number of threads.
pub struct Table {
    pub(super) transpositions: TranspositionTable,
    pub(super) budget: BuildBudget,
    conversion: Mutex<Option<ConversionTable>>,
}

impl Table {
    /// A table of so many MiB, at least one. The memory is not touched before it is used, or until [`touch`](Table::touch).
    ///
    /// # Errors
    /// If there is not that much memory.
    pub fn new(mebibytes: usize) -> Result<Table, OutOfMemory> {
        let transpositions = TranspositionTable::new(mebibytes)?;
        Ok(Table { transpositions, budget: BuildBudget::default(), conversion: Mutex::new(None) })
    }

    /// Has the system find the memory now, so that the first searches need not wait for it.
    pub fn touch(&self) {
        self.transpositions.touch();
    }

    /// The same after another one, whose searches have paid for endgames that later games may use.
    #[must_use]
    pub fn after(self, old: &Table) -> Table {
        self.budget.go_on_from(&old.budget);
        self
    }

    /// Forgets everything but what searches have paid for endgames.
    pub fn clear(&self) {
        self.transpositions.clear();
        self.budget.clear();
        *self.conversion() = None;
    }

    /// The conversion table that was built last.
    pub(super) fn conversion(&self) -> MutexGuard<'_, Option<ConversionTable>> {
        // A thread that panics with the lock leaves a whole conversion table or none.
        self.conversion.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
