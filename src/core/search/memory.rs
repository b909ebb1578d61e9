//! The memory that later searches reuse: the transposition table and the bookkeeping of the endgames.

use super::budget::BuildBudget;
use super::table::{OutOfMemory, TranspositionTable};
use crate::endgames::ConversionTable;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The memory that searches share with later ones, on any number of threads.
pub struct SearchMemory {
    #[doc(hidden)]
    pub transpositions: TranspositionTable,
    pub(super) budget: BuildBudget,
    conversion: Mutex<Option<ConversionTable>>,
}

impl SearchMemory {
    /// A transposition table of `mebibytes` MiB, at least one. Its pages are not touched before they are used, or until
    /// [`touch`](SearchMemory::touch).
    ///
    /// # Errors
    /// If there is not enough memory.
    pub fn new(mebibytes: usize) -> Result<SearchMemory, OutOfMemory> {
        let transpositions = TranspositionTable::new(mebibytes)?;
        Ok(SearchMemory { transpositions, budget: BuildBudget::default(), conversion: Mutex::default() })
    }

    /// Allocates the pages now, so that the first searches do not wait for them.
    pub fn touch(&self) {
        self.transpositions.touch();
    }

    /// This memory with the build budget of an older one, so that later games may use the endgames its searches have paid for.
    #[must_use]
    pub fn after(self, old: &SearchMemory) -> SearchMemory {
        self.budget.go_on_from(&old.budget);
        self
    }

    /// Clears everything but the nodes that have paid for endgames.
    pub fn clear(&self) {
        self.transpositions.clear();
        self.budget.clear();
        *self.conversion() = None;
    }

    /// The last conversion table.
    pub(super) fn conversion(&self) -> MutexGuard<'_, Option<ConversionTable>> {
        // A thread that panics while it holds the lock leaves a complete conversion table or none.
        self.conversion.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
