//! The memory that later searches reuse: the transposition table and the bookkeeping of the endgames.

use super::budget::BuildBudget;
use super::table::{OutOfMemory, TranspositionTable};
use crate::endgames::ConversionTable;
use crate::game::{RuleOptions, Rules};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// The memory that searches share with later ones, on any number of threads. Searches under the same rules may use it at once;
/// one under other rules waits for them.
pub struct SearchMemory {
    #[doc(hidden)]
    pub transpositions: TranspositionTable,
    pub(super) budget: BuildBudget,
    conversion: Mutex<Option<ConversionTable>>,
    users: Mutex<Users>,
    left: Condvar,
}

/// The searches that use a memory at a time, which have the same rules.
#[derive(Default)]
struct Users {
    searches: usize,
    /// The rule set, by its index, and its options.
    rules: (usize, RuleOptions),
}

/// The use of a memory by a search.
pub(super) struct Lease<'a>(&'a SearchMemory);

impl Drop for Lease<'_> {
    fn drop(&mut self) {
        self.0.users().searches -= 1;
        self.0.left.notify_all();
    }
}

impl SearchMemory {
    /// A transposition table of `mebibytes` MiB, at least one. Its pages are not touched before they are used, or until
    /// [`touch`](SearchMemory::touch).
    ///
    /// # Errors
    /// If there is not enough memory.
    pub fn new(mebibytes: usize) -> Result<SearchMemory, OutOfMemory> {
        let transpositions = TranspositionTable::new(mebibytes)?;
        Ok(SearchMemory {
            transpositions,
            budget: BuildBudget::default(),
            conversion: Mutex::default(),
            users: Mutex::default(),
            left: Condvar::new(),
        })
    }

    /// Allocates the pages now, which would delay the first searches.
    pub fn touch(&self) {
        self.transpositions.touch();
    }

    /// This memory with the build budget of an older one: later games may use the endgames that its searches have paid for.
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

    /// Begins a search under some rules, with `sixteenths` of the table for proven bounds. A bound does not name its rules: the
    /// search waits for searches under other rules.
    pub(super) fn lease<R: Rules>(&self, sixteenths: usize, options: RuleOptions) -> Lease<'_> {
        let rules = (R::VARIANT.index(), options);
        let mut users = self.users();
        while users.searches > 0 && users.rules != rules {
            users = self.left.wait(users).unwrap_or_else(PoisonError::into_inner);
        }
        (users.searches, users.rules) = (users.searches + 1, rules);
        self.transpositions.divide::<R>(sixteenths, options);
        Lease(self)
    }

    fn users(&self) -> MutexGuard<'_, Users> {
        // No code that can panic runs while the lock is held, so a poisoned lock is usable.
        self.users.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn conversion(&self) -> MutexGuard<'_, Option<ConversionTable>> {
        // A thread that panics while it holds the lock leaves a complete conversion table or none.
        self.conversion.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
